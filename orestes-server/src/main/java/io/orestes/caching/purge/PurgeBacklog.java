package io.orestes.caching.purge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue of purges for one connection, including those sent without confirmation and
 * those to be repeated. Purges that exceed the bound are replaced by one order to purge everything,
 * so that nothing is ever lost. A purge that is older than the longest life of a copy is dropped.
 * Single-threaded; times are handed in, in nanoseconds of a monotonic clock.
 */
final class PurgeBacklog {

    private final int most;
    private final long keptFor;
    private final long again;
    private final LinkedHashMap<PurgeRequest, QueuedPurge> waiting = new LinkedHashMap<>();
    private final ArrayDeque<QueuedPurge> sent = new ArrayDeque<>();
    private final ArrayDeque<Repetition> repetitions = new ArrayDeque<>();
    private long last;
    private int outlived;

    private record Repetition(long due, PurgeRequest order, long from) {}

    /**
     * An empty backlog.
     *
     * @param most orders that wait, and orders that are to be repeated
     * @param keptFor how long copies may live
     * @param again from the confirmation of an order to its repetition
     */
    PurgeBacklog(int most, long keptFor, long again) {
        this.most = most;
        this.keptFor = keptFor;
        this.again = again;
    }

    void add(PurgeRequest order, long now) {
        add(order, now, now);
    }

    /** The same for an order that stands for what was replaced since {@code from}. */
    void add(PurgeRequest order, long now, long from) {
        enqueue(new QueuedPurge(order, ++last, now, now, true, from));
    }

    /**
     * Since when something was replaced that the cache may still hold, as a purge of it was not
     * confirmed twice; {@code now} if there is nothing. Takes time linear in what is left to do.
     */
    long from(long now) {
        LongStream purges =
                Stream.concat(sent.stream(), waiting.values().stream()).mapToLong(QueuedPurge::from);
        return LongStream.concat(purges, repetitions.stream().mapToLong(Repetition::from))
                .reduce(now, QueuedPurge::earlier);
    }

    /** The number of the order that was added last. */
    long last() {
        return last;
    }

    /** Up to which number every order was confirmed. */
    long confirmedUpTo() {
        QueuedPurge eldest = eldest();
        return eldest == null ? last : eldest.number() - 1;
    }

    /** How long ago the eldest order that was not confirmed was asked for; 0 if all were. */
    long ageNanos(long now) {
        QueuedPurge eldest = eldest();
        return eldest == null ? 0 : now - eldest.since();
    }

    /** The next purge to send; it counts as sent from now on. */
    Optional<QueuedPurge> next(long now) {
        Iterator<QueuedPurge> purges = waiting.values().iterator();
        while (purges.hasNext()) {
            QueuedPurge queuedPurge = purges.next();
            purges.remove();
            if (now - queuedPurge.latest() <= keptFor) {
                sent.add(queuedPurge);
                return Optional.of(queuedPurge);
            }
            outlived++;
        }
        return Optional.empty();
    }

    /**
     * How many were dropped because they had become older than any copy, since this was asked last.
     */
    int takeOutlivedCount() {
        int taken = outlived;
        outlived = 0;
        return taken;
    }

    /** The eldest purge that was sent will never be done. */
    void giveUp() {
        sent.remove();
    }

    /** The eldest purge that was sent has been done. */
    QueuedPurge confirm(long now) {
        QueuedPurge done = sent.remove();
        if (done.isFirst()) {
            repeat(new Repetition(now + again, done.order(), done.from()));
        }
        return done;
    }

    /** What was sent will not be answered any more, and has to be sent again. */
    void giveBack() {
        List<QueuedPurge> later = new ArrayList<>(waiting.values());
        waiting.clear();
        sent.forEach(this::enqueue);
        sent.clear();
        later.forEach(this::enqueue);
    }

    /** When the next repetition is due, if any. */
    OptionalLong nextRepetition() {
        return repetitions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(repetitions.peek().due);
    }

    /** Adds the repetitions that are due. */
    void repeatDue(long now) {
        while (!repetitions.isEmpty() && repetitions.peek().due - now <= 0) {
            Repetition due = repetitions.remove();
            enqueue(new QueuedPurge(due.order, last, now, now, false, due.from));
        }
    }

    /** Whether nothing is left to be said, not even once more. */
    boolean isDone() {
        return size() == 0 && repetitions.isEmpty();
    }

    /** Purges that wait or were not answered. */
    int size() {
        return waiting.size() + sent.size();
    }

    int sentCount() {
        return sent.size();
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    private void enqueue(QueuedPurge queuedPurge) {
        QueuedPurge joined = waiting.merge(queuedPurge.order(), queuedPurge, QueuedPurge::with);
        if (waiting.size() > most) {
            long eldest = waiting.values().iterator().next().number();
            long from = from(joined.latest());
            waiting.clear();
            waiting.put(
                    PurgeRequest.EVERYTHING,
                    new QueuedPurge(PurgeRequest.EVERYTHING, eldest, joined.since(), joined.latest(), true, from));
        }
    }

    private void repeat(Repetition repetition) {
        repetitions.add(repetition);
        if (repetitions.size() > most) {
            long from = from(repetition.from);
            repetitions.clear();
            repetitions.add(new Repetition(repetition.due, PurgeRequest.EVERYTHING, from));
        }
    }

    private @Nullable QueuedPurge eldest() {
        if (!sent.isEmpty()) {
            return sent.peek();
        }
        return waiting.isEmpty() ? null : waiting.values().iterator().next();
    }
}

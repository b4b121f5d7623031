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
 * those to be repeated. Purges that exceed the bound are replaced by one request to purge
 * everything, so that none is lost. A purge that is older than the longest life of a copy is
 * dropped. Single-threaded; callers pass times in nanoseconds of a monotonic clock.
 */
final class PurgeBacklog {

    private final int maxRequests;
    private final long maxLifetimeNanos;
    private final long repetitionDelayNanos;
    private final LinkedHashMap<PurgeRequest, QueuedPurge> waiting = new LinkedHashMap<>();
    private final ArrayDeque<QueuedPurge> sent = new ArrayDeque<>();
    private final ArrayDeque<Repetition> repetitions = new ArrayDeque<>();
    private long last;
    private int outlived;

    private record Repetition(long due, PurgeRequest order, long from) {}

    /**
     * Creates an empty backlog.
     *
     * @param maxRequests maximum number of waiting requests, and of requests to be repeated
     * @param maxCopyAgeNanos longest life of a copy in nanoseconds
     * @param repetitionDelayNanos nanoseconds from the confirmation of a request to its repetition
     */
    PurgeBacklog(int maxRequests, long maxCopyAgeNanos, long repetitionDelayNanos) {
        this.maxRequests = maxRequests;
        this.maxLifetimeNanos = maxCopyAgeNanos;
        this.repetitionDelayNanos = repetitionDelayNanos;
    }

    void add(PurgeRequest order, long now) {
        add(order, now, now);
    }

    /** Adds a request that covers all replacements since {@code oldestReplacedAt}. */
    void add(PurgeRequest order, long now, long from) {
        enqueue(new QueuedPurge(order, ++last, now, now, true, from));
    }

    /**
     * Returns since when a state was replaced that the cache may still retain, because its purge
     * was not confirmed twice; {@code now} if there is none. Takes time linear in the remaining
     * requests.
     */
    long oldestReplacedAt(long now) {
        LongStream purges =
                Stream.concat(sent.stream(), waiting.values().stream()).mapToLong(QueuedPurge::oldestReplacedAt);
        return LongStream.concat(purges, repetitions.stream().mapToLong(Repetition::from))
                .reduce(now, QueuedPurge::earlier);
    }

    /** Returns the number of the last added request. */
    long last() {
        return last;
    }

    /** Returns the number up to which every request was confirmed. */
    long confirmedUpTo() {
        QueuedPurge eldest = eldest();
        return eldest == null ? last : eldest.number() - 1;
    }

    /** Returns the age of the eldest unconfirmed request; 0 if all were confirmed. */
    long ageNanos(long now) {
        QueuedPurge eldest = eldest();
        return eldest == null ? 0 : now - eldest.since();
    }

    /** Removes the next purge to send, which counts as sent from now on. */
    Optional<QueuedPurge> next(long now) {
        Iterator<QueuedPurge> purges = waiting.values().iterator();
        while (purges.hasNext()) {
            QueuedPurge queuedPurge = purges.next();
            purges.remove();
            if (now - queuedPurge.latest() <= maxLifetimeNanos) {
                sent.add(queuedPurge);
                return Optional.of(queuedPurge);
            }
            outlived++;
        }
        return Optional.empty();
    }

    /**
     * Returns how many requests were dropped since the last call because they outlived every copy.
     */
    int takeOutlivedCount() {
        int taken = outlived;
        outlived = 0;
        return taken;
    }

    /** Drops the eldest sent purge, which the cache refused. */
    void abandonOldest() {
        sent.remove();
    }

    /** Marks the eldest sent purge as confirmed. */
    QueuedPurge confirmOldest(long now) {
        QueuedPurge done = sent.remove();
        if (done.isFirst()) {
            repeat(new Repetition(now + repetitionDelayNanos, done.order(), done.oldestReplacedAt()));
        }
        return done;
    }

    /** Queues all sent purges again, because their connection is closed. */
    void requeueSent() {
        List<QueuedPurge> later = new ArrayList<>(waiting.values());
        waiting.clear();
        sent.forEach(this::enqueue);
        sent.clear();
        later.forEach(this::enqueue);
    }

    /** Returns when the next repetition is due, if any. */
    OptionalLong nextRepetition() {
        return repetitions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(repetitions.peek().due);
    }

    /** Queues the repetitions that are due. */
    void repeatDue(long now) {
        while (!repetitions.isEmpty() && repetitions.peek().due - now <= 0) {
            Repetition due = repetitions.remove();
            enqueue(new QueuedPurge(due.order, last, now, now, false, due.from));
        }
    }

    /** Returns whether neither requests nor repetitions are left. */
    boolean isIdle() {
        return size() == 0 && repetitions.isEmpty();
    }

    /** Returns the number of purges that wait or are unconfirmed. */
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
        if (waiting.size() > maxRequests) {
            long eldest = waiting.values().iterator().next().number();
            long from = oldestReplacedAt(joined.latest());
            waiting.clear();
            waiting.put(
                    PurgeRequest.EVERYTHING,
                    new QueuedPurge(PurgeRequest.EVERYTHING, eldest, joined.since(), joined.latest(), true, from));
        }
    }

    private void repeat(Repetition repetition) {
        repetitions.add(repetition);
        if (repetitions.size() > maxRequests) {
            long from = oldestReplacedAt(repetition.from);
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

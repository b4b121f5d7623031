package io.orestes.store.mongo;

import io.invalidb.model.Stamp;
import io.orestes.flow.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Gates;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of single objects whose answer did not come: nobody knows whether they were made, or will be, and nobody was told. Once the server
 * answers again an object that still is in the state before gets its next version, so that the write does not find what it was to replace, however
 * late it comes. Then what is there is told as if it had just been written. Nothing keeps an insertion away, so it is looked for as long as it
 * could come. Used on the store's context only, unless said otherwise.
 */
final class DoubtfulWrites {

    private static final Logger LOG = LoggerFactory.getLogger(DoubtfulWrites.class);

    /** Some 200 bytes each. Of classes with writes beyond that everything is in doubt. */
    static final int MOST = 10_000;

    /** Longer than a network tries to deliver what was sent before it broke. */
    private static final Duration LATEST = Duration.ofMinutes(3);

    private static final int AT_ONCE = 50;
    private static final String NO_CLASS = "_";

    private final Commands commands;
    private final LookUps newest;
    private final Changes changes;
    private final IndexCatalog catalog;
    private final Gates gates;
    private final Turns turns;
    private final Visitors visitors;

    /** With when they were first not there, by {@link System#nanoTime()}. */
    private final Map<Doubt, Optional<Long>> doubts = new LinkedHashMap<>();

    /** Classes of which too many are in doubt, with when that was told first. */
    private final Map<String, Optional<Long>> lost = new HashMap<>();

    private Optional<Listeners> telling = Optional.empty();
    private volatile boolean areAny;

    DoubtfulWrites(
            Commands commands,
            LookUps newest,
            Changes changes,
            IndexCatalog catalog,
            Gates gates,
            Turns turns,
            Visitors visitors) {
        this.commands = commands;
        this.newest = newest;
        this.changes = changes;
        this.catalog = catalog;
        this.gates = gates;
        this.turns = turns;
        this.visitors = visitors;
    }

    /**
     * From now on somebody can be told.
     *
     * @param committed succeeds when all know what became of an object
     * @param missed succeeds when all have forgotten what they know of a class
     */
    void begin(Function<Outcome, Future<Void>> committed, Function<String, Future<Void>> missed) {
        telling = Optional.of(new Listeners(committed, missed));
    }

    /** A change that has failed. */
    void add(Change change, Throwable failure) {
        if (failure instanceof InDoubt) {
            add(change);
        }
    }

    /** A change that may have been made, or not. What the server keeps for itself is read anew by who needs it. */
    void add(Change change) {
        String bucket = change.ref().bucket();
        if (bucket.startsWith(NO_CLASS)) {
            return;
        }
        if (doubts.size() < MOST) {
            doubts.putIfAbsent(Doubt.of(change), Optional.empty());
        } else if (lost.putIfAbsent(bucket, Optional.empty()) == null) {
            LOG.warn("It is not known what became of more than {} writes: all of {} is in doubt", MOST, bucket);
        }
        areAny = true;
    }

    /** Whether there is something that nobody was told of; for any thread. */
    boolean areAny() {
        return areAny;
    }

    /** Settles what can be settled now; what cannot is the next time. To be called now and then, and not again before it has completed. */
    Future<?> settle() {
        return telling.filter(someone -> areAny)
                .map(listeners -> settle(listeners, List.copyOf(doubts.keySet()))
                        .eventually(() -> tellOfLost(listeners))
                        .onComplete(done -> areAny = !doubts.isEmpty() || !lost.isEmpty()))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> settle(Listeners listeners, List<Doubt> all) {
        int[] next = {0};
        return Loop.whileTrue(() -> {
            List<Doubt> some = all.subList(next[0], Math.min(next[0] + AT_ONCE, all.size()));
            next[0] += some.size();
            List<Future<?>> settled = some.stream()
                    .<Future<?>>map(doubt -> settle(listeners, doubt))
                    .toList();
            return Future.join(settled)
                    .transform(done -> done.succeeded() || settled.stream().anyMatch(Future::succeeded)
                            ? Future.succeededFuture(next[0] < all.size())
                            : Future.failedFuture(done.cause()));
        });
    }

    private Future<?> settle(Listeners listeners, Doubt doubt) {
        String bucket = doubt.ref().bucket();
        return turns.take(
                        Set.of(doubt.ref().id()),
                        () -> visitors.during(bucket, () -> {
                            gates.requireOpen(bucket);
                            return newest.find(doubt.ref()).compose(now -> decided(doubt, now));
                        }))
                .compose(now -> tell(listeners, doubt, now).onSuccess(told -> settled(doubt, now)))
                .onFailure(failure -> moveToEnd(doubt));
    }

    private Future<Optional<StoredObject>> decided(Doubt doubt, Optional<Found> now) {
        return now.filter(found -> doubt.isBefore(found.object()))
                .map(found -> commands.make(renewal(found)).map(made -> Optional.of((StoredObject) made)))
                .orElse(Future.succeededFuture(now.map(Found::object)));
    }

    private Change renewal(Found found) {
        StoredObject state = found.object();
        return changes.next(found, state.document(), catalog.of(state.ref().bucket()));
    }

    private static Future<?> tell(Listeners listeners, Doubt doubt, Optional<StoredObject> now) {
        Future<Void> endTold = doubt.end(now).map(listeners.committed).orElseGet(Future::succeededFuture);
        return endTold.compose(told ->
                now.<Outcome>map(state -> state).map(listeners.committed).orElseGet(Future::succeededFuture));
    }

    private void settled(Doubt doubt, Optional<StoredObject> now) {
        long at = System.nanoTime();
        long absentSince = doubts.getOrDefault(doubt, Optional.empty()).orElse(at);
        if (now.isEmpty() && doubt.mayComeLate() && at - absentSince < LATEST.toNanos()) {
            doubts.put(doubt, Optional.of(absentSince));
        } else {
            doubts.remove(doubt);
        }
    }

    /** So that it is in nobody's way. */
    private void moveToEnd(Doubt doubt) {
        Optional<Long> absentSince = doubts.getOrDefault(doubt, Optional.empty());
        doubts.remove(doubt);
        doubts.put(doubt, absentSince);
    }

    /** Twice, as what is read after the first time may be overtaken by a write that comes late. */
    private Future<?> tellOfLost(Listeners listeners) {
        return Future.join(List.copyOf(lost.entrySet()).stream()
                .filter(entry -> entry.getValue()
                        .filter(told -> System.nanoTime() - told < LATEST.toNanos())
                        .isEmpty())
                .<Future<?>>map(entry -> tellOfLost(listeners, entry.getKey(), entry.getValue()))
                .toList());
    }

    private Future<?> tellOfLost(Listeners listeners, String bucket, Optional<Long> toldBefore) {
        // whether the server answers
        return newest.find(new ObjectRef(bucket, "1"))
                .compose(answered -> listeners.missed.apply(bucket))
                .onSuccess(told -> {
                    if (toldBefore.isPresent()) {
                        lost.remove(bucket);
                    } else {
                        lost.put(bucket, Optional.of(System.nanoTime()));
                    }
                });
    }

    private record Listeners(Function<Outcome, Future<Void>> committed, Function<String, Future<Void>> missed) {}

    /**
     * A write that may have been made.
     *
     * @param before what it was to replace or delete; empty for an insertion
     */
    private record Doubt(ObjectRef ref, Optional<State> before) {

        static Doubt of(Change change) {
            return new Doubt(change.ref(), change.replaced().map(State::of));
        }

        boolean isBefore(StoredObject now) {
            return before.filter(State.of(now)::equals).isPresent();
        }

        boolean mayComeLate() {
            return before.isEmpty();
        }

        /** The end of the life that it concerns, unless that goes on. */
        Optional<Outcome> end(Optional<StoredObject> now) {
            return before.filter(state -> now.filter(found -> found.createdAt() == state.createdAt)
                            .isEmpty())
                    .map(state -> new Tombstone(ref, new Stamp(state.createdAt, state.version + 1)));
        }
    }

    /** By which the states of an object are told apart. */
    private record State(long version, long createdAt, long updatedAt) {

        static State of(StoredObject object) {
            return new State(object.version(), object.createdAt(), object.updatedAt());
        }
    }
}

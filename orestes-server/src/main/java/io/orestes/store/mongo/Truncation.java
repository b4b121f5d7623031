package io.orestes.store.mongo;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.orestes.flow.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** Deletes all objects of a bucket, some at a time; writers of those wait meanwhile. Used on the store's context only. */
final class Truncation {

    private static final int PAGE = 500;

    /** To delete one object that others write. */
    private static final int ATTEMPTS = 5;

    /** Before the next look at objects of which one is held. */
    private static final Duration BREAK = Duration.ofMillis(200);

    private static final Bson STATE = Projections.include(
            StoredObject.VERSION, StoredObject.CREATED_AT, StoredObject.UPDATED_AT, StoredObject.ACL, Buckets.WRITES);

    private final Vertx vertx;
    private final Buckets buckets;
    private final Finder confirming;
    private final Publishers publishers;
    private final Commands commands;
    private final Changes changes;
    private final Turns turns;
    private final Visitors visitors;
    private final Transactions transactions;

    /**
     * @param confirming finds what is left, where it can by the states that a majority holds: an
     *     empty page is an answer
     */
    Truncation(
            Vertx vertx,
            Buckets buckets,
            Finder confirming,
            Publishers publishers,
            Commands commands,
            Changes changes,
            Turns turns,
            Visitors visitors,
            Transactions transactions) {
        this.vertx = vertx;
        this.buckets = buckets;
        this.confirming = confirming;
        this.publishers = publishers;
        this.commands = commands;
        this.changes = changes;
        this.turns = turns;
        this.visitors = visitors;
        this.transactions = transactions;
    }

    /**
     * Deletes until nothing is left.
     *
     * @param guard throws the reason why it must not go on
     * @param tell completes when somebody has been told of those
     */
    Future<Void> of(String bucket, Runnable guard, Function<List<Tombstone>, Future<?>> tell) {
        return Loop.whileTrue(() -> visitors.during(bucket, () -> {
            guard.run();
            return someIds(bucket)
                    .compose(ids -> ids.isEmpty() ? Future.succeededFuture(false) : delete(bucket, ids, guard, tell));
        }));
    }

    private Future<Boolean> delete(
            String bucket, List<BsonValue> ids, Runnable guard, Function<List<Tombstone>, Future<?>> tell) {
        Set<ObjectRef> refs =
                ids.stream().flatMap(id -> Ids.ref(bucket, id).stream()).collect(Collectors.toUnmodifiableSet());
        return deleteStrangers(bucket, ids)
                .compose(deleted -> refs.isEmpty() ? Future.succeededFuture(true) : delete(bucket, refs, guard, tell));
    }

    /** What stands for no object goes without a word. */
    private Future<?> deleteStrangers(String bucket, List<BsonValue> ids) {
        List<BsonValue> strangers =
                ids.stream().filter(id -> Ids.ref(bucket, id).isEmpty()).toList();
        return strangers.isEmpty()
                ? Future.succeededFuture()
                : publishers.first(buckets.newest(bucket).deleteMany(Filters.in(StoredObject.ID, strangers)));
    }

    private Future<List<BsonValue>> someIds(String bucket) {
        return confirming
                .find(bucket, new BsonDocument(), found -> found.projection(Projections.include(StoredObject.ID))
                        .limit(PAGE)
                        .batchSize(PAGE))
                .map(page -> page.stream()
                        .map(document -> document.get(StoredObject.ID, BsonNull.VALUE))
                        .toList());
    }

    private Future<Boolean> delete(
            String bucket, Set<ObjectRef> refs, Runnable guard, Function<List<Tombstone>, Future<?>> tell) {
        return turns.take(refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet()), () -> {
                    guard.run();
                    // states that were read before it cannot be those of objects that came after it
                    return states(bucket, refs).compose(states -> {
                        guard.run();
                        return delete(bucket, states);
                    });
                })
                .compose(gone -> gone.isEmpty() ? Future.succeededFuture() : tell.apply(gone))
                .map(true);
    }

    private Future<List<Found>> states(String bucket, Collection<ObjectRef> refs) {
        return publishers
                .all(
                        buckets.newest(bucket)
                                .find(Ids.anyOf(refs))
                                .projection(STATE)
                                .batchSize(PAGE),
                        PAGE)
                .compose(page -> page.stream().allMatch(Documents::isWhole)
                        ? Future.succeededFuture(page.stream()
                                .flatMap(document ->
                                        Ids.ref(bucket, document.get(StoredObject.ID, BsonNull.VALUE)).stream()
                                                .map(ref -> Found.in(ref, document)))
                                .toList())
                        : commands.current(bucket, refs).map(found -> List.copyOf(found.values())));
    }

    private Future<List<Tombstone>> delete(String bucket, List<Found> states) {
        if (states.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        List<Change> removals = states.stream().map(changes::removal).toList();
        return deleteAll(bucket, removals);
    }

    /** By one transaction; where others write some of them meanwhile, each by one of its own. */
    private Future<List<Tombstone>> deleteAll(String bucket, List<Change> removals) {
        return transactions
                .run(session -> commands.in(session).makeAll(bucket, removals))
                .map(done -> removals.stream().map(Truncation::tombstone).toList())
                .recover(
                        failure -> failure instanceof Overtaken ? deleteAlone(removals) : Future.failedFuture(failure));
    }

    private Future<List<Tombstone>> deleteAlone(List<Change> removals) {
        List<Tombstone> deleted = new ArrayList<>();
        Future<?> done = Future.succeededFuture();
        for (Change removal : removals) {
            done = done.compose(before -> delete(removal.ref(), ATTEMPTS))
                    .onSuccess(made -> made.map(Truncation::tombstone).ifPresent(deleted::add));
        }
        // those are to be published; what is left is found again
        return done.<List<Tombstone>>map(all -> deleted).recover(failure -> {
            if (failure instanceof Overtaken) {
                return vertx.timer(BREAK.toMillis()).map(deleted);
            }
            return deleted.isEmpty() ? Future.failedFuture(failure) : Future.succeededFuture(deleted);
        });
    }

    /**
     * Deletes the newest state; comes to nothing if another process did so. Fails with {@link
     * Overtaken} if another transaction holds the object, which may be one that a process left open
     * when it was killed.
     */
    private Future<Optional<Change>> delete(ObjectRef ref, int attempts) {
        return transactions
                .run(session -> delete(commands.in(session), ref))
                .recover(failure -> failure instanceof Overtaken && attempts > 1
                        ? delete(ref, attempts - 1)
                        : Future.failedFuture(failure));
    }

    private Future<Optional<Change>> delete(Commands alone, ObjectRef ref) {
        return alone.current(ref.bucket(), List.of(ref))
                .map(found -> Optional.ofNullable(found.get(ref)).<Change>map(changes::removal))
                .compose(removal -> removal.map(change -> alone.make(change).map(made -> removal))
                        .orElse(Future.succeededFuture(removal)));
    }

    private static Tombstone tombstone(Change removal) {
        return (Tombstone) removal.outcome();
    }
}

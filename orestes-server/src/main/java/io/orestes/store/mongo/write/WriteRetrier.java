package io.orestes.store.mongo.write;

import io.orestes.async.ConflictBackoff;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.index.IndexManager;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The retrier of writes, which repeats attempts until no other write is faster. Writers of one
 * object in this process run one after the other. Used on the store's context only.
 */
public final class WriteRetrier {

    private final Vertx vertx;
    private final KeyedMutex keyedMutex;
    private final InFlightOperations inFlightOperations;
    private final IndexManager indexManager;
    private final Duration maxWait;
    private final RandomGenerator random = new SplittableRandom();

    /** @param maxWait time after which a write is not retried */
    public WriteRetrier(
            Vertx vertx,
            KeyedMutex keyedMutex,
            InFlightOperations inFlightOperations,
            IndexManager indexManager,
            Duration maxWait) {
        this.vertx = vertx;
        this.keyedMutex = keyedMutex;
        this.inFlightOperations = inFlightOperations;
        this.indexManager = indexManager;
        this.maxWait = maxWait;
    }

    /**
     * Executes attempts while no other write of this process changes the objects. Registers them as
     * operations in flight of all buckets concerned, nested in one another.
     */
    Future<List<WriteOutcome>> runExclusively(Set<ObjectRef> refs, Supplier<Future<List<WriteOutcome>>> attempt) {
        Set<String> ids = refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet());
        // a write that has waited for so long fails at once in its turn, so that later ones do not
        // wait one by one
        long end = System.nanoTime() + maxWait.toNanos();
        Supplier<Future<List<WriteOutcome>>> visit =
                () -> System.nanoTime() - end > 0 ? Future.failedFuture(tooMany()) : new RetryLoop(attempt, end).next();
        for (String bucket : refs.stream().map(ObjectRef::bucket).collect(Collectors.toSet())) {
            Supplier<Future<List<WriteOutcome>>> inner = visit;
            visit = () -> inFlightOperations.track(bucket, inner);
        }
        return keyedMutex.runExclusively(ids, visit);
    }

    private static ApiException tooMany() {
        return MongoErrors.unavailable("Too many concurrent writes of the same objects");
    }

    /**
     * Repeated attempts until no other write is faster. Delays between them also limit the load
     * while a departed process still locks the objects.
     */
    private final class RetryLoop {

        private final Supplier<Future<List<WriteOutcome>>> attempt;
        private final ConflictBackoff conflictBackoff;

        /** @param end of the time for all attempts, by {@link System#nanoTime()} */
        private RetryLoop(Supplier<Future<List<WriteOutcome>>> attempt, long end) {
            this.attempt = attempt;
            this.conflictBackoff = new ConflictBackoff(vertx, end, random);
        }

        private Future<List<WriteOutcome>> next() {
            return Future.<Void>succeededFuture()
                    .compose(now -> attempt.get())
                    .recover(failure -> failure instanceof RetriableWriteException conflict
                            ? reduceIndexes(conflict)
                                    .compose(done -> pause(conflict))
                                    .compose(over -> next())
                            : Future.failedFuture(failure));
        }

        private Future<Void> pause(RetriableWriteException conflict) {
            return conflictBackoff.isExpired()
                    ? Future.failedFuture(conflict.isNoResponse() ? MongoErrors.unreachable() : tooMany())
                    : conflictBackoff.awaitNext();
        }
    }

    private Future<Void> reduceIndexes(RetriableWriteException conflict) {
        return conflict.parallelArraysBucket().map(indexManager::reduce).orElseGet(Future::succeededFuture);
    }
}

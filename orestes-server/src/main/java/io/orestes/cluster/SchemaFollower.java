package io.orestes.cluster;

import io.orestes.model.ApiException;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.SharedStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The follower of schema and index changes by other servers, which pauses the affected classes
 * here. This server does not use the stored objects of a class while another server checks or
 * changes them. It checks periodically whether that server has failed, so that some server always
 * finishes the change. Thread-safe.
 */
public final class SchemaFollower {

    private static final Logger log = LoggerFactory.getLogger(SchemaFollower.class);
    private static final String NO_LOCK = "";
    private static final long RETRY_DELAY_MILLIS = 500;
    private static final long CHECK_INTERVAL_MILLIS = 3_000;

    private final Vertx vertx;
    private final SchemaRegistry schemas;
    private final SharedStore store;

    /** Paused classes. Guarded by this. */
    private final Set<String> paused = new HashSet<>();

    /** Turn for which the classes are paused; the end of an earlier one must not end this one. */
    private String lockName = NO_LOCK;

    /**
     * Last request to the store. Requests are sequential, so that an earlier one cannot open a gate
     * that a later one closes.
     */
    private Future<?> last = Future.succeededFuture();

    public SchemaFollower(Vertx vertx, SchemaRegistry schemas, SharedStore store) {
        this.vertx = vertx;
        this.schemas = schemas;
        this.store = store;
    }

    /**
     * Succeeds when no operation that changes these classes runs here, nor will until that turn
     * ends.
     */
    Future<Void> pause(String itsTurn, Set<String> buckets) {
        return enqueue(() -> {
            recordPause(itsTurn, buckets);
            scheduleCheck(itsTurn);
            return store.pause(buckets);
        });
    }

    /**
     * Loads the stored schema as soon as it is complete, and resumes the classes paused for that
     * turn.
     */
    Future<Void> resume(String itsTurn) {
        return refreshWithRetry()
                .compose(schema -> enqueue(() -> isPausedFor(itsTurn) ? resumePaused() : Future.succeededFuture()));
    }

    /**
     * Resumes all classes, in a turn of this server.
     *
     * @param inTurn throws if that turn has ended, because the classes may be paused for
     *     another one then
     */
    Future<Void> resumeAll(Runnable inTurn) {
        return enqueue(() -> {
            inTurn.run();
            return resumePaused();
        });
    }

    /** Loads the stored schema as soon as it is complete. */
    Future<Void> refresh() {
        return refreshWithRetry().mapEmpty();
    }

    Future<Void> indexesChanged(String bucket) {
        return store.reloadIndexes(bucket);
    }

    /** Continues to fill the indexes of a departed server. */
    void takeOver() {
        store.resumeIndexBuilds();
    }

    /** Reads changes without a notification; a failed read is repeated the next time. */
    public void catchUp() {
        schemas.refresh()
                .compose(schema -> store.reloadIndexes(""))
                .onFailure(failure -> log.debug("The schema cannot be read now", failure));
    }

    /** Applies everything that happened before this server entered. */
    Future<Void> initialise(boolean isFirst) {
        Set<String> known = names(schemas.current());
        return schemas.initialise(isFirst)
                .compose(begun -> enqueue(() -> {
                    Set<String> now = names(schemas.current());
                    Set<String> all = new HashSet<>(known);
                    all.addAll(now);
                    Set<String> missed = without(all, paused());
                    return store.resume(missed, without(missed, now));
                }));
    }

    private void scheduleCheck(String itsTurn) {
        long unused = vertx.setTimer(CHECK_INTERVAL_MILLIS, later -> {
            if (isPausedFor(itsTurn)) {
                recoverIfOrphaned(itsTurn);
            }
        });
    }

    /**
     * Waits for the server whose turn it is, if any. Then completes the unfinished change of a
     * failed one and resumes all classes.
     */
    private void recoverIfOrphaned(String itsTurn) {
        schemas.recover().onFailure(failure -> {
            log.info(
                    "Classes are still being changed by another server: {}",
                    ApiException.of(failure).message());
            scheduleCheck(itsTurn);
        });
    }

    private Future<Schema> refreshWithRetry() {
        return schemas.refresh().recover(failure -> {
            Promise<Schema> again = Promise.promise();
            long unused = vertx.setTimer(
                    RETRY_DELAY_MILLIS, later -> refreshWithRetry().onComplete(again));
            return again.future();
        });
    }

    private Future<Void> resumePaused() {
        Set<String> resumed = paused();
        return resumed.isEmpty()
                ? Future.succeededFuture()
                : store.resume(resumed, without(resumed, names(schemas.current())))
                        .onSuccess(done -> clearPaused(resumed));
    }

    private synchronized Future<Void> enqueue(Supplier<Future<Void>> next) {
        Future<Void> done = last.otherwiseEmpty().compose(before -> next.get());
        last = done;
        return done;
    }

    private synchronized void recordPause(String itsTurn, Set<String> buckets) {
        paused.addAll(buckets);
        lockName = itsTurn;
    }

    private synchronized void clearPaused(Set<String> resumed) {
        paused.removeAll(resumed);
        lockName = paused.isEmpty() ? NO_LOCK : lockName;
    }

    private synchronized boolean isPausedFor(String itsTurn) {
        return lockName.equals(itsTurn);
    }

    private synchronized Set<String> paused() {
        return Set.copyOf(paused);
    }

    private static Set<String> names(Schema schema) {
        return schema.classes().stream().map(ClassSchema::name).collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        return all.stream().filter(name -> !some.contains(name)).collect(Collectors.toUnmodifiableSet());
    }
}

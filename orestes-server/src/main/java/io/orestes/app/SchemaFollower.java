package io.orestes.app;

import io.orestes.model.ApiException;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.Schema;
import io.orestes.schema.SchemaRegistry;
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
final class SchemaFollower {

    private static final Logger log = LoggerFactory.getLogger(SchemaFollower.class);
    private static final String NOBODYS = "";
    private static final long RETRY_MILLIS = 500;
    private static final long LOOK_MILLIS = 3_000;

    private final Vertx vertx;
    private final SchemaRegistry schemas;
    private final SharedStore store;

    /** Paused classes. Guarded by this. */
    private final Set<String> paused = new HashSet<>();

    /** Turn for which the classes are paused; the end of an earlier one must not end this one. */
    private String turn = NOBODYS;

    /**
     * Last request to the store. Requests are sequential, so that an earlier one cannot open a gate
     * that a later one closes.
     */
    private Future<?> last = Future.succeededFuture();

    SchemaFollower(Vertx vertx, SchemaRegistry schemas, SharedStore store) {
        this.vertx = vertx;
        this.schemas = schemas;
        this.store = store;
    }

    /**
     * Succeeds when no operation that changes these classes runs here, nor will until that turn
     * ends.
     */
    Future<Void> pause(String itsTurn, Set<String> buckets) {
        return inOrder(() -> {
            begin(itsTurn, buckets);
            lookLater(itsTurn);
            return store.pause(buckets);
        });
    }

    /**
     * Loads the stored schema as soon as it is complete, and resumes the classes paused for that
     * turn.
     */
    Future<Void> resume(String itsTurn) {
        return refreshed().compose(schema -> inOrder(() -> isPausedFor(itsTurn) ? open() : Future.succeededFuture()));
    }

    /**
     * Resumes all classes, in a turn of this server.
     *
     * @param inTurn throws if that turn has ended, because the classes may be paused for
     *     another one then
     */
    Future<Void> resumeAll(Runnable inTurn) {
        return inOrder(() -> {
            inTurn.run();
            return open();
        });
    }

    /** Loads the stored schema as soon as it is complete. */
    Future<Void> changed() {
        return refreshed().mapEmpty();
    }

    Future<Void> indexesChanged(String bucket) {
        return store.indexesChanged(bucket);
    }

    /** Continues to fill the indexes of a departed server. */
    void takeOver() {
        store.takeOver();
    }

    /** Reads changes without a notification; a failed read is repeated the next time. */
    void catchUp() {
        schemas.refresh()
                .compose(schema -> store.indexesChanged(""))
                .onFailure(failure -> log.debug("The schema cannot be read now", failure));
    }

    /** Applies everything that happened before this server entered. */
    Future<Void> begin(boolean isFirst) {
        Set<String> known = names(schemas.current());
        return schemas.begin(isFirst)
                .compose(begun -> inOrder(() -> {
                    Set<String> now = names(schemas.current());
                    Set<String> all = new HashSet<>(known);
                    all.addAll(now);
                    Set<String> missed = without(all, paused());
                    return store.resume(missed, without(missed, now));
                }));
    }

    private void lookLater(String itsTurn) {
        long unused = vertx.setTimer(LOOK_MILLIS, later -> {
            if (isPausedFor(itsTurn)) {
                look(itsTurn);
            }
        });
    }

    /**
     * Waits for the server whose turn it is, if any. Then completes the unfinished change of a
     * failed one and resumes all classes.
     */
    private void look(String itsTurn) {
        schemas.settle().onFailure(failure -> {
            log.info(
                    "Classes are still being changed by another server: {}",
                    ApiException.of(failure).message());
            lookLater(itsTurn);
        });
    }

    private Future<Schema> refreshed() {
        return schemas.refresh().recover(failure -> {
            Promise<Schema> again = Promise.promise();
            long unused = vertx.setTimer(RETRY_MILLIS, later -> refreshed().onComplete(again));
            return again.future();
        });
    }

    private Future<Void> open() {
        Set<String> resumed = paused();
        return resumed.isEmpty()
                ? Future.succeededFuture()
                : store.resume(resumed, without(resumed, names(schemas.current())))
                        .onSuccess(done -> forget(resumed));
    }

    private synchronized Future<Void> inOrder(Supplier<Future<Void>> next) {
        Future<Void> done = last.otherwiseEmpty().compose(before -> next.get());
        last = done;
        return done;
    }

    private synchronized void begin(String itsTurn, Set<String> buckets) {
        paused.addAll(buckets);
        turn = itsTurn;
    }

    private synchronized void forget(Set<String> resumed) {
        paused.removeAll(resumed);
        turn = paused.isEmpty() ? NOBODYS : turn;
    }

    private synchronized boolean isPausedFor(String itsTurn) {
        return turn.equals(itsTurn);
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

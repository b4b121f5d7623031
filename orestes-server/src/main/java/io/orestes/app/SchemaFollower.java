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
 * changes them. It checks now and then whether that server has failed, so that some server always
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

    /** Guarded by this. */
    private final Set<String> paused = new HashSet<>();

    /** The turn that the classes are left alone for; who ends an earlier one must not end this. */
    private String turn = NOBODYS;

    /**
     * What the store is told comes in order: a gate that is to be closed must not be opened by who
     * was before.
     */
    private Future<?> last = Future.succeededFuture();

    SchemaFollower(Vertx vertx, SchemaRegistry schemas, SharedStore store) {
        this.vertx = vertx;
        this.schemas = schemas;
        this.store = store;
    }

    /**
     * Succeeds when nothing that changes these classes is under way here, nor will be until that
     * turn is over.
     */
    Future<Void> pause(String itsTurn, Set<String> buckets) {
        return inOrder(() -> {
            begin(itsTurn, buckets);
            lookLater(itsTurn);
            return store.pause(buckets);
        });
    }

    /**
     * Goes by the stored schema as soon as that is finished, and on with what was left alone for
     * that turn.
     */
    Future<Void> resume(String itsTurn) {
        return refreshed().compose(schema -> inOrder(() -> isPausedFor(itsTurn) ? open() : Future.succeededFuture()));
    }

    /**
     * Goes on with everything, in a turn of this server.
     *
     * @param inTurn throws if that turn is over: what is left alone then may be so for somebody
     *     else
     */
    Future<Void> resumeAll(Runnable inTurn) {
        return inOrder(() -> {
            inTurn.run();
            return open();
        });
    }

    /** Goes by the stored schema as soon as that is finished. */
    Future<Void> changed() {
        return refreshed().mapEmpty();
    }

    Future<Void> indexesChanged(String bucket) {
        return store.indexesChanged(bucket);
    }

    /** Goes on with what a server that is gone had begun to fill. */
    void takeOver() {
        store.takeOver();
    }

    /** Reads what somebody may not have told; what cannot be read now is the next time. */
    void catchUp() {
        schemas.refresh()
                .compose(schema -> store.indexesChanged(""))
                .onFailure(failure -> log.debug("The schema is not read now", failure));
    }

    /** Makes up for everything that this server was not told before it entered. */
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
     * In turn with who is at it, if anybody is; what that one left is finished, and everybody goes
     * on.
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

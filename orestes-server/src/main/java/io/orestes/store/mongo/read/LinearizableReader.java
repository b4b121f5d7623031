package io.orestes.store.mongo.read;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.async.Batcher;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/**
 * Linearizable reads of a replica set by a read index (Ongaro, Consensus: Bridging Theory and
 * Practice, 2014, section 6.4). The index is a time of the oplog that a majority confirms, after
 * all that was committed before the read began. The read then waits for a majority snapshot at
 * that time, which a primary that is cut off never has. Reads that begin together share an index,
 * and a cursor needs one for all its pages. Used on the store's context only.
 */
public final class LinearizableReader {

    /**
     * Maximum number of confirmations in flight. The operation time of a response may include the
     * entries of other reads, for which a read would wait.
     */
    private static final int MAX_UNDER_WAY = 1;

    /**
     * Maximum time for which a read waits for the confirmation of others, where no majority
     * responds.
     */
    private static final Duration MAX_WAIT = Duration.ofMillis(20);

    /** Filter that matches no document of our collections. */
    private static final BsonDocument ABSENT = new BsonDocument("_id", new BsonString("absent"));

    private final MongoSessionFactory mongoSessionFactory;
    private final PublisherAdapter publisherAdapter;
    private final MongoCollection<BsonDocument> linearizable;
    private final Duration confirmWithin;
    private final Batcher<PointRequest, Point> points;

    /** The only kind of request: all reads ask for the next point. */
    private enum PointRequest {
        NEXT_POINT
    }

    /**
     * A time of the oplog, and the signed cluster time by which each member recognises that it has
     * come.
     */
    private record Point(BsonTimestamp operationTime, BsonDocument clusterTime) {

        /** Returns the point that a session has reached. Fails if the server has no such clock. */
        private static Point of(ClientSession session) {
            return new Point(
                    Optional.ofNullable(session.getOperationTime()).orElseThrow(),
                    Optional.ofNullable(session.getClusterTime()).orElseThrow());
        }

        private void advance(ClientSession session) {
            session.advanceClusterTime(clusterTime);
            session.advanceOperationTime(operationTime);
        }
    }

    /**
     * Creates the read index of one database.
     *
     * @param linearizable any collection, with the read concern {@code linearizable}
     * @param confirmWithin maximum time in which a majority has to confirm a point
     */
    public LinearizableReader(
            Context home,
            MongoSessionFactory mongoSessionFactory,
            PublisherAdapter publisherAdapter,
            MongoCollection<BsonDocument> linearizable,
            Duration confirmWithin) {
        this.mongoSessionFactory = mongoSessionFactory;
        this.publisherAdapter = publisherAdapter;
        this.linearizable = linearizable;
        this.confirmWithin = confirmWithin;
        this.points = new Batcher<>(
                home,
                new Batcher.BatchLimits(Integer.MAX_VALUE, MAX_UNDER_WAY, Integer.MAX_VALUE, MAX_WAIT),
                this::confirmTogether);
    }

    /**
     * Reads at the concern {@code majority} in a session that is at the index. Fails with {@code
     * UNAVAILABLE} if no majority confirms the index in time.
     *
     * @param reading reads in the session; it has ended when the future that it returns completes
     */
    public <T> Future<T> read(Function<ClientSession, Future<T>> reading) {
        return points.submit(PointRequest.NEXT_POINT)
                .compose(point -> mongoSessionFactory.beginCausal().compose(session -> {
                    point.advance(session);
                    return Future.succeededFuture(session).compose(reading).onComplete(done -> session.close());
                }));
    }

    /** Confirms one index; fails with the server's error where it has none. */
    public Future<?> probe() {
        return confirm();
    }

    private Future<?> confirmTogether(List<Batcher.BatchedRequest<PointRequest, Point>> requests) {
        Future<Point> confirmed = confirm().recover(LinearizableReader::explain);
        Batcher.completeAll(requests, confirmed, (point, question) -> point);
        return confirmed;
    }

    /**
     * Confirms a point by a linearizable read. MongoDB appends an entry to the oplog after it, and
     * waits until a majority has the entry.
     */
    private Future<Point> confirm() {
        // the session is not causal: the driver's second attempt would then wait for a time, which
        // this level refuses
        return mongoSessionFactory.begin().compose(session -> publisherAdapter
                .first(linearizable
                        .find(session, ABSENT)
                        .maxTime(confirmWithin.toMillis(), TimeUnit.MILLISECONDS)
                        .first())
                .map(read -> Point.of(session))
                .onComplete(done -> session.close()));
    }

    /** Fails with {@code UNAVAILABLE} if MongoDB waited in vain for a majority. */
    static <T> Future<T> explain(Throwable failure) {
        return Future.failedFuture(
                failure instanceof MongoExecutionTimeoutException
                        ? MongoErrors.unavailable("MongoDB has no majority that confirms a state")
                        : failure);
    }
}

package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.model.ObjectRef;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Has MongoDB refuse what it gets of this process when the lease of the process is over: by then others have forgotten what could be out of date,
 * and nobody would tell them of more. Each write of an object names the last moment at which it may begin, by MongoDB's clock. Nothing is
 * refused before {@link #begin}. Used on the store's context only.
 *
 * <p>MongoDB's clock showed <i>s</i> at some time before the answer that told it came, at <i>m</i>. So while it shows less than
 * <i>s</i> + (<i>e</i> - <i>m</i>) it is not yet <i>e</i>, which is when the lease ends, unless it is set back meanwhile; it is looked at often.
 */
final class Fence {

    private static final long LOOK_EVERY_MILLIS = 500;
    private static final String NO_CLASS = "_";
    private static final String LOCAL_TIME = "localTime";
    private static final BsonString NOW = new BsonString("$$NOW");

    /** No id of an object is a number, and this is worked out only where it is reached. */
    private static final BsonDocument FAILURE = new BsonDocument("$toInt", new BsonString("$_id"));

    private final Vertx vertx;
    private final MongoDatabase admin;
    private final Publishers publishers;
    private Optional<Supplier<Optional<Duration>>> lease = Optional.empty();
    private Clock clock = new Clock(0, 0);
    private long timer = -1;

    /** @param admin where the server is asked about itself */
    Fence(Vertx vertx, MongoDatabase admin, Publishers publishers) {
        this.vertx = vertx;
        this.admin = admin;
        this.publishers = publishers;
    }

    /** What MongoDB's clock showed, and when by {@link System#nanoTime()}. */
    private record Clock(long millis, long atNanos) {

        long in(Duration time) {
            return millis + (System.nanoTime() - atNanos + time.toNanos()) / 1_000_000;
        }
    }

    /**
     * From now on late writes are refused.
     *
     * @param leaseLeft how long the lease still runs; empty if nothing ends it
     */
    Future<Void> begin(Supplier<Optional<Duration>> leaseLeft) {
        return look().onSuccess(seen -> {
            lease = Optional.of(leaseLeft);
            timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, tick -> {
                var unused = look();
            });
        });
    }

    void end() {
        boolean unused = vertx.cancelTimer(timer);
    }

    private Future<Void> look() {
        return time(admin, publishers).map(millis -> {
            clock = new Clock(millis, System.nanoTime());
            return null;
        });
    }

    /** What the server's clock shows, milliseconds since 1970; fails if it does not tell. */
    static Future<Long> time(MongoDatabase admin, Publishers publishers) {
        return publishers
                .first(admin.runCommand(new BsonDocument("hello", new BsonInt32(1)), BsonDocument.class))
                .map(answer -> answer.flatMap(hello -> Optional.ofNullable(hello.get(LOCAL_TIME)))
                        .filter(BsonValue::isDateTime)
                        .orElseThrow()
                        .asDateTime()
                        .getValue());
    }

    /** Fails with {@code UNAVAILABLE} if one of these would be refused, whoever else writes it. */
    void requireTime(Collection<ObjectRef> refs) {
        refs.forEach(ref -> requireTime(ref.bucket()));
    }

    /** The same for objects of a bucket. */
    void requireTime(String bucket) {
        if (isTold(bucket) && left().filter(Duration::isZero).isPresent()) {
            throw Refusals.unavailable("This server has lost touch with the others of its group");
        }
    }

    /** What MongoDB has to find true for a write to objects of a bucket; empty if it may come at any time. */
    Optional<BsonDocument> inTime(String bucket) {
        return isTold(bucket) ? left().map(left -> before(clock.in(left))) : Optional.empty();
    }

    private Optional<Duration> left() {
        return lease.flatMap(Supplier::get);
    }

    /** What the server keeps for itself nobody else remembers. */
    private static boolean isTold(String bucket) {
        return !bucket.startsWith(NO_CLASS);
    }

    /** That the clock of MongoDB shows less than so many milliseconds since 1970. */
    static BsonDocument before(long millis) {
        return new BsonDocument("$lt", new BsonArray(List.of(NOW, new BsonDateTime(millis))));
    }

    /** Adds to a condition on a document. */
    static BsonDocument when(BsonDocument condition, Optional<BsonDocument> inTime) {
        inTime.ifPresent(time -> condition.append("$expr", time));
        return condition;
    }

    /** The update of what is not there to its first state; fails, with {@link Refusals#isLate}, where a condition alone would only find nothing. */
    static List<BsonDocument> creation(BsonDocument document, BsonDocument inTime) {
        BsonDocument literally = new BsonDocument("$literal", document);
        return List.of(new BsonDocument(
                "$replaceWith", new BsonDocument("$cond", new BsonArray(List.of(inTime, literally, FAILURE)))));
    }
}

package io.orestes.store.mongo;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.vertx.core.Future;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Finds out whether a server refuses what comes too late for a {@link Fence}, and nothing else. */
final class FenceTrial {

    private static final BsonDocument PAST = Fence.before(0);
    private static final Future<Boolean> NO = Future.succeededFuture(false);
    private static final BsonDocument FUTURE = Fence.before(Long.MAX_VALUE);

    private final MongoDatabase admin;
    private final MongoCollection<BsonDocument> scratch;
    private final Publishers publishers;

    FenceTrial(MongoDatabase admin, MongoCollection<BsonDocument> scratch, Publishers publishers) {
        this.admin = admin;
        this.scratch = scratch;
        this.publishers = publishers;
    }

    /** Whether it does; fails also where it does not know such conditions. */
    Future<Boolean> run() {
        return Fence.time(admin, publishers)
                .compose(told -> isCreated("late", PAST))
                .compose(isLate -> isLate ? NO : isCreated("timely", FUTURE))
                .compose(isTimely -> isTimely ? isChanged(PAST).map(isLate -> !isLate) : NO)
                .compose(isRefused -> isRefused ? isChanged(FUTURE) : NO);
    }

    private Future<Boolean> isCreated(String id, BsonDocument inTime) {
        BsonDocument document = new BsonDocument("_id", new BsonString(id)).append("n", new BsonInt32(1));
        return publishers
                .first(scratch.findOneAndUpdate(
                        Filters.eq(id), Fence.creation(document, inTime), new FindOneAndUpdateOptions().upsert(true)))
                .map(none -> true)
                .recover(failure ->
                        Refusals.isLate(failure) ? Future.succeededFuture(false) : Future.failedFuture(failure));
    }

    private Future<Boolean> isChanged(BsonDocument inTime) {
        BsonDocument timely = new BsonDocument("_id", new BsonString("timely"));
        return publishers
                .first(scratch.findOneAndUpdate(Fence.when(timely, Optional.of(inTime)), Updates.inc("n", 1)))
                .map(Optional::isPresent);
    }
}

package io.orestes.store.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The account of several processes on one database, a document for each bucket in MongoDB. It needs neither clocks nor a list of processes; for how
 * long commits stand back goes by MongoDB's clock alone.
 */
final class SharedAccount implements CommitAccount {

    private static final BsonObjectId NONE = new BsonObjectId(new ObjectId(new byte[12]));
    private static final String ID = "_id";
    private static final String LAST = "last";
    private static final String UNDER_WAY = "underWay";
    private static final String HELD_UNTIL = "heldUntil";
    private static final String OLD_HELD_UNTIL = "$" + HELD_UNTIL;
    private static final String NOW = "$$NOW";
    private static final String LEFT = "left";
    private static final int PAGE = 100;
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final Vertx vertx;
    private final Publishers publishers;
    private final MongoCollection<BsonDocument> classes;
    /** Its writes need not outlive a crash of MongoDB: a commit that seems to be under way is looked for. */
    private final MongoCollection<BsonDocument> quick;

    SharedAccount(Vertx vertx, Buckets buckets, Publishers publishers) {
        this.vertx = vertx;
        this.publishers = publishers;
        this.classes = buckets.commitsOfClasses();
        this.quick = classes.withWriteConcern(WriteConcern.W1);
    }

    @Override
    public Future<?> begin(ObjectId commit, Collection<String> buckets) {
        Bson update = Updates.combine(Updates.set(LAST, new ObjectId()), Updates.addToSet(UNDER_WAY, commit));
        List<UpdateOneModel<BsonDocument>> updates = buckets.stream()
                .map(bucket -> new UpdateOneModel<BsonDocument>(Filters.eq(bucket), update, UPSERT))
                .toList();
        return publishers.first(classes.bulkWrite(updates, new BulkWriteOptions().ordered(false)));
    }

    @Override
    public Future<?> end(ObjectId commit, Collection<String> buckets) {
        return publishers.first(quick.updateMany(Filters.in(ID, buckets), Updates.pull(UNDER_WAY, commit)));
    }

    @Override
    public Future<View> look(String bucket) {
        return publishers
                .first(classes.find(Filters.eq(bucket)).first())
                .map(found -> view(found.orElseGet(BsonDocument::new)));
    }

    @Override
    public Future<?> hold(String bucket, Duration time) {
        BsonDocument until = of("$add", new BsonString(NOW), new BsonInt64(time.toMillis()));
        BsonDocument latest = of("$max", new BsonString(OLD_HELD_UNTIL), until);
        List<BsonDocument> pipeline = List.of(new BsonDocument("$set", new BsonDocument(HELD_UNTIL, latest)));
        return publishers.first(quick.updateOne(Filters.eq(bucket), pipeline, UPSERT));
    }

    @Override
    public Future<?> standBack(Collection<String> buckets) {
        BsonDocument left =
                new BsonDocument(LEFT, of("$subtract", new BsonString(OLD_HELD_UNTIL), new BsonString(NOW)));
        return publishers
                .all(
                        classes.aggregate(List.of(Aggregates.match(Filters.in(ID, buckets)), Aggregates.project(left)))
                                .batchSize(PAGE),
                        PAGE)
                .compose(found -> OwnAccount.pause(vertx, Duration.ofMillis(longest(found))));
    }

    private static long longest(List<BsonDocument> classes) {
        return classes.stream()
                .filter(found -> found.isNumber(LEFT))
                .mapToLong(found -> found.getNumber(LEFT).longValue())
                .max()
                .orElse(0);
    }

    private static BsonDocument of(String operator, BsonValue... arguments) {
        return new BsonDocument(operator, new BsonArray(List.of(arguments)));
    }

    private static View view(BsonDocument found) {
        Set<ObjectId> underWay = found.getArray(UNDER_WAY, new BsonArray()).stream()
                .map(BsonValue::asObjectId)
                .map(BsonObjectId::getValue)
                .collect(Collectors.toUnmodifiableSet());
        return new View(found.getObjectId(LAST, NONE).getValue(), underWay);
    }
}

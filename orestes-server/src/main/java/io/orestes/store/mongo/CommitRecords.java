package io.orestes.store.mongo;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The records of commits in MongoDB. One that was committed is deleted when nothing is left to be done for it; of one that was rolled back the number
 * is kept for longer than a process may stand still, so that what it sends afterwards is known to be void. Used on the store's context only.
 */
final class CommitRecords {

    private static final Duration ROLLED_BACK_KEPT = Duration.ofHours(1);
    private static final String ROLLED_BACK_AT = "rolledBackAt";
    private static final int PAGE = 100;

    private final Publishers publishers;
    private final MongoCollection<BsonDocument> records;

    CommitRecords(Buckets buckets, Publishers publishers) {
        this.publishers = publishers;
        this.records = buckets.commits();
    }

    /** What is needed before the first. */
    Future<?> prepare() {
        IndexOptions expiring = new IndexOptions().expireAfter(ROLLED_BACK_KEPT.toSeconds(), TimeUnit.SECONDS);
        return publishers
                .first(records.createIndex(Indexes.ascending(ROLLED_BACK_AT), expiring))
                .compose(made -> publishers.first(records.createIndex(Indexes.ascending(CommitRecord.STATE))));
    }

    /** Need not outlive a crash of MongoDB: what is marked with the number of a commit that nobody knows was not committed. */
    Future<?> insert(CommitRecord record) {
        return publishers.first(quick().insertOne(record.encoded()));
    }

    /** Decides that a commit is done; comes to false if it was aborted before. */
    Future<Boolean> commit(ObjectId id) {
        return move(id, CommitRecord.State.PREPARING, to(CommitRecord.State.COMMITTED), records);
    }

    /** Decides that a commit is not done; comes to false if it was decided before. */
    Future<Boolean> abort(ObjectId id) {
        return move(id, CommitRecord.State.PREPARING, to(CommitRecord.State.ABORTED), records);
    }

    /** Nothing is left of one that was aborted, so only its number has to be kept. */
    Future<?> rolledBack(ObjectId id) {
        Bson update = Updates.combine(
                to(CommitRecord.State.ROLLED_BACK),
                Updates.currentDate(ROLLED_BACK_AT),
                Updates.unset(CommitRecord.BUCKETS),
                Updates.unset(CommitRecord.ENTRIES));
        return move(id, CommitRecord.State.ABORTED, update, quick());
    }

    private Future<Boolean> move(
            ObjectId id, CommitRecord.State from, Bson update, MongoCollection<BsonDocument> collection) {
        return publishers
                .first(collection.updateOne(Filters.and(Filters.eq(id), is(from)), update))
                .map(result -> result.map(UpdateResult::getMatchedCount)
                        .filter(count -> count == 1)
                        .isPresent());
    }

    Future<Optional<CommitRecord>> find(ObjectId id) {
        return publishers.first(records.find(Filters.eq(id)).first()).map(found -> found.map(CommitRecord::decode));
    }

    /** Those of some commits that are known not to be done. */
    Future<List<ObjectId>> uncommitted(Collection<ObjectId> ids) {
        return ids(Filters.and(
                Filters.in(CommitRecord.ID, ids), Filters.ne(CommitRecord.STATE, CommitRecord.State.COMMITTED.name())));
    }

    /** All for which something may be left to be done. */
    Future<List<ObjectId>> unfinished() {
        return ids(isUnfinished());
    }

    /** Those of them that concern a bucket. */
    Future<List<ObjectId>> unfinished(String bucket) {
        return ids(Filters.and(isUnfinished(), Filters.eq(CommitRecord.BUCKETS, bucket)));
    }

    /** Nothing is left to be done. */
    Future<?> delete(ObjectId id) {
        return publishers.first(quick().deleteOne(Filters.eq(id)));
    }

    private Future<List<ObjectId>> ids(Bson condition) {
        return publishers
                .all(
                        records.find(condition)
                                .projection(new BsonDocument(CommitRecord.ID, new BsonInt32(1)))
                                .batchSize(PAGE),
                        PAGE)
                .map(found -> found.stream()
                        .map(record -> record.getObjectId(CommitRecord.ID).getValue())
                        .toList());
    }

    private static Bson isUnfinished() {
        return Filters.in(
                CommitRecord.STATE,
                CommitRecord.State.PREPARING.name(),
                CommitRecord.State.COMMITTED.name(),
                CommitRecord.State.ABORTED.name());
    }

    private static Bson to(CommitRecord.State state) {
        return Updates.set(CommitRecord.STATE, state.name());
    }

    private static Bson is(CommitRecord.State state) {
        return Filters.eq(CommitRecord.STATE, state.name());
    }

    private MongoCollection<BsonDocument> quick() {
        return records.withWriteConcern(WriteConcern.W1);
    }
}

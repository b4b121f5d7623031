package io.orestes.store;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/** A store that delegates to another one; tests override what they observe or break. */
public class ForwardingStore implements ObjectStore {

    private final ObjectStore target;

    public ForwardingStore(ObjectStore target) {
        this.target = target;
    }

    @Override
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return target.find(ref, level);
    }

    @Override
    public Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs) {
        return target.findAll(refs);
    }

    @Override
    public long schemaEpoch(String bucket) {
        return target.schemaEpoch(bucket);
    }

    @Override
    public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch) {
        return target.insert(ref, fields, schemaEpoch);
    }

    @Override
    public Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer) {
        return target.replace(ref, fields, schemaEpoch, precondition, writer);
    }

    @Override
    public Future<StoredObject> update(
            ObjectRef ref,
            UpdateFunction updateFunction,
            long schemaEpoch,
            Precondition precondition,
            Principal writer) {
        return target.update(ref, updateFunction, schemaEpoch, precondition, writer);
    }

    @Override
    public Future<Optional<Tombstone>> delete(
            ObjectRef ref, long schemaEpoch, Precondition precondition, Principal writer) {
        return target.delete(ref, schemaEpoch, precondition, writer);
    }

    @Override
    public Future<List<WriteOutcome>> commit(Batch batch) {
        return target.commit(batch);
    }

    @Override
    public Future<List<StoredObject>> query(StoreQuery query) {
        return target.query(query);
    }

    @Override
    public <T> Future<T> query(List<StoreQuery> queries, Function<List<List<StoredObject>>, Future<T>> use) {
        return target.query(queries, use);
    }

    @Override
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return target.visit(bucket, filter, level, visitor);
    }

    @Override
    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return target.count(bucket, filter, level);
    }

    @Override
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return target.scan(bucket, after, limit);
    }

    @Override
    public Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted) {
        return target.truncate(bucket, schemaEpoch, deleted);
    }

    @Override
    public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
        return target.drop(bucket, guard, deleted);
    }

    @Override
    public <T> Future<T> runFenced(Set<String> buckets, Supplier<Future<T>> write) {
        return target.runFenced(buckets, write);
    }

    @Override
    public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
        return target.rewrite(rewrites, done);
    }

    @Override
    public Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch) {
        return target.createIndex(bucket, keys, schemaEpoch);
    }

    @Override
    public Future<Void> dropIndex(String bucket, IndexSpec keys) {
        return target.dropIndex(bucket, keys);
    }

    @Override
    public Future<List<IndexSpec>> indexes(String bucket) {
        return target.indexes(bucket);
    }

    @Override
    public Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket) {
        return target.unfinishedIndexes(bucket);
    }

    @Override
    public Future<Void> close() {
        return target.close();
    }
}

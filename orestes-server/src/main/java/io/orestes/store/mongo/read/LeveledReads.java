package io.orestes.store.mongo.read;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.store.ResultBudget;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.document.CurrentObject;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reads of objects at each read level. Where the server has no linearizable reads, reads of
 * that level are of committed states. Used on the store's context only.
 */
public final class LeveledReads {

    private final BatchLoader committed;
    private final BatchLoader linearizable;
    private final MongoQueryExecutor queries;
    private final ObjectScanner objectScanner;
    private final @Nullable LinearizableReader readIndex;

    /**
     * @param linearizable loader of linearizable states, {@code committed} where there are none
     * @param readIndex index of linearizable reads, null where there are none
     */
    public LeveledReads(
            BatchLoader committed,
            BatchLoader linearizable,
            MongoQueryExecutor queries,
            ObjectScanner objectScanner,
            @Nullable LinearizableReader readIndex) {
        this.committed = committed;
        this.linearizable = linearizable;
        this.queries = queries;
        this.objectScanner = objectScanner;
        this.readIndex = readIndex;
    }

    /** Finds one object; empty if there is none. */
    public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
        return (level == ReadLevel.LINEARIZABLE ? linearizable : committed)
                .find(ref)
                .map(found -> found.map(CurrentObject::object));
    }

    /** Finds several objects of a bucket; absent ones are left out. */
    public Future<List<StoredObject>> findAll(String bucket, Collection<ObjectRef> refs) {
        return committed
                .findAll(bucket, refs)
                .map(found -> found.stream().map(CurrentObject::object).toList());
    }

    /** Reads a page; see {@link MongoQueryExecutor#run}. */
    public Future<List<StoredObject>> query(StoreQuery query, ResultBudget.PartialResultShare share) {
        return at(query.level(), reads -> reads.run(query, share));
    }

    /** Passes all objects that match to the visitor, on worker threads. */
    public Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor) {
        return at(level, reads -> reads.visit(bucket, filter, visitor));
    }

    public Future<Long> count(String bucket, Filter filter, ReadLevel level) {
        return at(level, reads -> reads.count(bucket, filter));
    }

    /** Reads a page of all objects of a class; see {@link ObjectScanner#scan}. */
    public Future<List<StoredObject>> scan(String bucket, String after, int limit) {
        return objectScanner.scan(bucket, after, limit);
    }

    private <T> Future<T> at(ReadLevel level, Function<MongoQueryExecutor, Future<T>> reading) {
        return level == ReadLevel.LINEARIZABLE && readIndex != null
                ? readIndex.read(session -> reading.apply(queries.in(session)))
                : reading.apply(queries);
    }
}

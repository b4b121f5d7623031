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

/**
 * The interface of an object store, which stores the current state of every object. Buckets come
 * into being with their first object. All methods may be called from any thread; futures complete
 * on the caller's context. The duties of every implementation are tested by {@code
 * ObjectStoreContract}:
 *
 * <ol>
 *   <li>A mutation is atomic for its object and durable when its future succeeds; it returns the
 *       after-image.
 *   <li>The store assigns {@code _id}, {@code version} (1 on insert, then +1 each), {@code
 *       createdAt} and {@code updatedAt} (strictly increasing per object, whatever the clock does),
 *       and derives {@code _readAllowed} and {@code _readDenied} from {@code acl}; the {@code
 *       fields} given need none of them and are neither stored as they are nor changed.
 *   <li>An object that is inserted after one with its id was deleted has a {@code createdAt}
 *       strictly larger than the last {@code updatedAt} of that one.
 *   <li>Documents that the store returns are never changed afterwards.
 *   <li>A mutation of an existing object fails with {@code PERMISSION_DENIED}, having changed
 *       nothing, when the <em>stored</em> object's write permission does not include the writer.
 *   <li>A mutation after which two objects had the same key in a unique index fails with {@code
 *       UNIQUE_INDEX_EXCEPTION}, having changed nothing; its message ends with the id of the object
 *       to write.
 * </ol>
 */
public interface ObjectStore {

    /** Size in bytes from which on a page of {@link #scan} takes no further object. */
    int PAGE_BYTES = 1 << 20;

    /**
     * Maximum size of an object after a growing update, in bytes of BSON. MongoDB has the same
     * limit for every document.
     */
    int MAX_UPDATED_BYTES = 16 << 20;

    /**
     * Finds the current state; empty when the object was never written or is deleted. Never fails
     * for absence.
     *
     * @param level how current the state has to be
     */
    Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Optional<StoredObject>> find(ObjectRef ref) {
        return find(ref, ReadLevel.COMMITTED);
    }

    /**
     * Finds the current states of several objects, with one request for each class. Each state is
     * as of some moment during the call. Absent objects are left out. The caller has to bound the
     * number of objects, because all are in memory together.
     */
    Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs);

    /**
     * Returns the schema epoch of the bucket, a number that grows with each {@link #rewrite} and
     * each {@link #drop}. A caller that decides by a schema reads the epoch before the schema, and
     * passes it with the write. Cheap; valid in this process only. A write with an epoch from
     * before a drop fails with {@code BUCKET_NOT_FOUND}, having changed nothing.
     */
    long schemaEpoch(String bucket);

    /**
     * Inserts a new object; fails with {@code OBJECT_EXISTS} when there is one with that key, and
     * with {@code UNAVAILABLE} when the schema epoch of the bucket is a later one.
     */
    Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch);

    /** Inserts fields that follow no schema. */
    default Future<StoredObject> insert(ObjectRef ref, BsonDocument fields) {
        return insert(ref, fields, schemaEpoch(ref.bucket()));
    }

    /**
     * Replaces a whole object, or inserts it where there is none and the precondition allows that.
     *
     * @return the state now committed; fails with {@code OBJECT_OUT_OF_DATE}, having changed
     *     nothing, when {@code precondition} does not allow the write, and with {@code UNAVAILABLE}
     *     when the schema epoch of the bucket is a later one
     */
    Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer);

    /** Replaces an object by fields that follow no schema. */
    default Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, Precondition precondition, Principal writer) {
        return replace(ref, fields, schemaEpoch(ref.bucket()), precondition, writer);
    }

    /**
     * Replaces the current state by the result of {@code update}; no other mutation of the object
     * comes between. A store that cannot compute the result where it commits reads the state,
     * applies the function and replaces exactly that state. It repeats this until no other write
     * was faster.
     *
     * @return the state now committed; fails as {@code replace} does, also with {@code
     *     OBJECT_NOT_FOUND} when there is no object, whatever the precondition, with any failure of
     *     {@code update}, and with {@code PAYLOAD_TOO_LARGE} when the object would become larger
     *     than {@link #MAX_UPDATED_BYTES}
     */
    Future<StoredObject> update(
            ObjectRef ref,
            UpdateFunction updateFunction,
            long schemaEpoch,
            Precondition precondition,
            Principal writer);

    /**
     * Deletes an object, which may have been rewritten since that schema epoch.
     *
     * @return its tombstone; empty when there was none and the precondition allows that. Fails as
     *     {@code replace} does
     */
    Future<Optional<Tombstone>> delete(ObjectRef ref, long schemaEpoch, Precondition precondition, Principal writer);

    /** Deletes an object by the current schema epoch. */
    default Future<Optional<Tombstone>> delete(ObjectRef ref, Precondition precondition, Principal writer) {
        return delete(ref, schemaEpoch(ref.bucket()), precondition, writer);
    }

    /**
     * Commits all of these writes or none. No other write comes between, no query sees a part of
     * them, and if the process ends before the future completes either all of them are stored
     * afterwards or none. The read set and the expected states are compared with the states before
     * all writes.
     *
     * @return the outcomes in the order of the writes; a deletion of nothing is left out. Fails as
     *     each of them would alone. When states are not as expected it fails with {@code
     *     OBJECT_OUT_OF_DATE}, in whose data {@code stale} is the array of the ids of all such
     *     objects, also of absent ones that an update expects in a certain state. If only a {@link
     *     Batch.StateAssertion} does not hold, it fails with an {@code UNAVAILABLE} for which
     *     {@link #runFenced} repeats the write. If the updates are too large to be computed
     *     together, it fails with {@code PAYLOAD_TOO_LARGE}
     */
    Future<List<WriteOutcome>> commit(Batch batch);

    /**
     * Returns the matching objects of one bucket in order, each state as of some moment during the
     * call. Fails with {@code QUERY_NOT_SUPPORTED} if the filter asks for the nearest and no {@link
     * IndexSpec#geo geo index} has their places, and so do {@link #visit} and {@link #count}. A
     * bounded query also fails as {@link ResultBudget} says.
     */
    Future<List<StoredObject>> query(StoreQuery query);

    /**
     * Applies {@code use} to the results of several queries, in their order. Each is read by itself
     * as by {@link #query}, but the {@link ResultBudget} counts them as one result until the future
     * of {@code use} completes.
     */
    <T> Future<T> query(List<StoreQuery> queries, Function<List<List<StoredObject>>, Future<T>> use);

    /**
     * Applies {@code use} to the result of one query, which is counted until its future completes.
     */
    default <T> Future<T> query(StoreQuery query, Function<List<StoredObject>, Future<T>> use) {
        return query(List.of(query), results -> use.apply(results.get(0)));
    }

    /**
     * Passes every matching object of the bucket to {@code visitor}, as a query would see them but
     * in no particular order, and retains none of them. The visitor is called on a thread of the
     * store, by one call at a time. An exception of the visitor ends the visit and fails the
     * future. The future completes after the last call of the visitor has returned.
     */
    Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Void> visit(String bucket, Filter filter, Consumer<StoredObject> visitor) {
        return visit(bucket, filter, ReadLevel.COMMITTED, visitor);
    }

    /** Returns the number of matching objects of the bucket. */
    Future<Long> count(String bucket, Filter filter, ReadLevel level);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Long> count(String bucket, Filter filter) {
        return count(bucket, filter, ReadLevel.COMMITTED);
    }

    /**
     * Returns a page of a bucket ordered by id string (byte order), for exports and full scans. It
     * has an object unless there are no more, and ends before the limit when its objects take more
     * than {@link #PAGE_BYTES}.
     *
     * @param after id string to continue after, exclusive; empty text to start
     * @param limit most objects to return, at least 1
     */
    Future<List<StoredObject>> scan(String bucket, String after, int limit);

    /**
     * Deletes every object of the bucket, some at a time. Indexes stay declared. Fails as {@code
     * replace} does, also when the schema epoch changes meanwhile.
     *
     * @param deleted receives each deleted part when it is durable, on the caller's context and
     *     before the future completes. When a later part fails it has received exactly the objects
     *     that are deleted
     */
    Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted);

    /** Deletes every object by the current schema epoch. */
    default Future<Void> truncate(String bucket, Consumer<List<Tombstone>> deleted) {
        return truncate(bucket, schemaEpoch(bucket), deleted);
    }

    /**
     * Drops the bucket. Writes that were decided before and come late are refused. Its indexes are
     * removed, also those that are being filled, and its objects as by {@link #truncate}. When the
     * future succeeds, the bucket contains nothing but writes that were decided after the call. If
     * the process ends in the middle, a repetition of the call completes the drop.
     *
     * @param guard runs before each part; an exception of the guard ends the drop and fails the
     *     future
     */
    Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted);

    /** Drops the bucket where no other server may do so meanwhile. */
    default Future<Void> drop(String bucket, Consumer<List<Tombstone>> deleted) {
        return drop(bucket, () -> {}, deleted);
    }

    /**
     * Executes a write with all checks that precede it. While one of the buckets is rewritten it
     * waits, for some seconds at most. If a rewrite begins or ends between the checks and the
     * write, both are repeated. They are also repeated if a {@link Batch.StateAssertion} does not
     * hold at the commit. The supplier must have no effects when a write of this store refuses it
     * for one of these reasons. Fails with {@code UNAVAILABLE} when the time is up.
     */
    <T> Future<T> runFenced(Set<String> buckets, Supplier<Future<T>> write);

    /**
     * Rewrites all objects of some buckets to a new form. Those that change get a new version, and
     * indexes follow. While it runs, reads of these buckets wait, or fail with {@code UNAVAILABLE}
     * if that takes long. Every write to them fails with {@code UNAVAILABLE}, and so does
     * afterwards a write that was made for an older {@link #schemaEpoch}. If the process ends in
     * the middle, part of the objects have the new form, and a repetition of the call completes the
     * rewrite.
     *
     * @param rewrites by bucket
     * @param done runs when all objects have their new form and before any read of them; must be
     *     quick
     */
    Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done);

    /**
     * Declares an index and fills it; fills it only, if need be, when it is declared already.
     * Completes when queries use it. If the process ends before, the next one continues. Fails with
     * {@code UNIQUE_INDEX_EXCEPTION}, leaving no index behind, when it is unique and two objects
     * collide, and as {@code replace} does, also when the schema epoch changes meanwhile.
     */
    Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch);

    /** Declares an index by the current schema epoch. */
    default Future<Void> createIndex(String bucket, IndexSpec keys) {
        return createIndex(bucket, keys, schemaEpoch(bucket));
    }

    /** Removes an index; does nothing when there is none with these keys. */
    Future<Void> dropIndex(String bucket, IndexSpec keys);

    /** The indexes of a bucket that queries use, oldest first. */
    Future<List<IndexSpec>> indexes(String bucket);

    /**
     * Returns the indexes of a bucket that are being filled, oldest first, with their progress from
     * 0 to less than 1.
     */
    Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket);

    /** Completes acknowledged writes and releases files and threads. Later calls fail. */
    Future<Void> close();
}

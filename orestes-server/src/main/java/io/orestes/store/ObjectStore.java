package io.orestes.store;

import io.invalidb.query.Filter;
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
 * The interface of an object store, which keeps the current state of every object. Buckets come
 * into being with their first object. All methods may be called from any thread; futures complete
 * on the caller's context. What every implementation must do is pinned by {@code
 * ObjectStoreContract}:
 *
 * <ol>
 *   <li>A mutation is atomic for its object and durable when its future succeeds; it returns the
 *       after-image.
 *   <li>The store assigns {@code _id}, {@code version} (1 on insert, then +1 each),
 *       {@code createdAt} and {@code updatedAt} (strictly increasing per object, whatever the clock
 *       does), and derives {@code _readAllowed} and {@code _readDenied} from {@code acl}; the
 *       {@code fields} given need none of them and are not kept or changed.
 *   <li>An object that is inserted after one with its id was deleted has a {@code createdAt}
 *       strictly larger than the last {@code updatedAt} of that one.
 *   <li>Documents handed out are never changed afterwards.
 *   <li>A mutation of an existing object fails with {@code PERMISSION_DENIED}, having changed
 *       nothing, when the
 *       <em>stored</em> object's write permission does not include the writer.
 *   <li>A mutation after which two objects had the same place in a unique index fails with
 *       {@code UNIQUE_INDEX_EXCEPTION}, having changed nothing; its message ends with the id of the
 *       object to write.
 * </ol>
 */
public interface ObjectStore {

    /** A page of {@link #scan} takes no further object once it has so many bytes. */
    int PAGE_BYTES = 1 << 20;

    /**
     * Bytes of BSON that an object may have after a growing update; MongoDB has the same limit for
     * every document.
     */
    int LARGEST_UPDATED = 16 << 20;

    /**
     * Finds the current state; empty when the object was never written or is deleted. Never fails
     * for absence.
     *
     * @param level how current it is
     */
    Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Optional<StoredObject>> find(ObjectRef ref) {
        return find(ref, ReadLevel.COMMITTED);
    }

    /**
     * Finds the current states of several objects, of each class by one request; each is as of some
     * moment during the call. Those that are not there are left out, whose number is for the caller
     * to bound: all are in memory together.
     */
    Future<Map<ObjectRef, StoredObject>> findAll(Collection<ObjectRef> refs);

    /**
     * The form that objects of the bucket have: a larger number after each {@link #rewrite} and
     * each {@link #drop} of them. Who decides by a schema asks for it before looking at the schema,
     * and gives it with what was decided. Cheap; holds for this process only. What comes with a
     * form from before a drop fails with {@code BUCKET_NOT_FOUND}, having changed nothing.
     */
    long form(String bucket);

    /**
     * Writes a new object; fails with {@code OBJECT_EXISTS} when there is one with that key, and
     * with {@code UNAVAILABLE} when objects of the bucket do not have that form any more.
     */
    Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long form);

    /** The same for fields that follow no schema. */
    default Future<StoredObject> insert(ObjectRef ref, BsonDocument fields) {
        return insert(ref, fields, form(ref.bucket()));
    }

    /**
     * Replaces a whole object, or inserts it where there is none and the precondition allows that.
     *
     * @return the state now committed; fails with {@code OBJECT_OUT_OF_DATE}, having changed
     *     nothing, when {@code precondition} does not allow the write, and with {@code UNAVAILABLE}
     *     when objects of the bucket do not have that form any more
     */
    Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, long form, Precondition precondition, Principal writer);

    /** The same for fields that follow no schema. */
    default Future<StoredObject> replace(
            ObjectRef ref, BsonDocument fields, Precondition precondition, Principal writer) {
        return replace(ref, fields, form(ref.bucket()), precondition, writer);
    }

    /**
     * Puts what {@code update} makes of the current state in its place; no other mutation of the
     * object comes between. A store that cannot compute it where it commits reads, applies and
     * replaces that very state, until no other was faster.
     *
     * @return the state now committed; fails as {@code replace} does, also with {@code
     *     OBJECT_NOT_FOUND} when there is no object, whatever the precondition, with what {@code
     *     update} fails with, and with {@code PAYLOAD_TOO_LARGE} when the object would become
     *     larger than {@link #LARGEST_UPDATED}
     */
    Future<StoredObject> update(
            ObjectRef ref, UpdateFunction updateFunction, long form, Precondition precondition, Principal writer);

    /**
     * Deletes an object, which may have been rewritten since it had that form.
     *
     * @return its tombstone; empty when there was none and the precondition allows that. Fails as
     *     {@code replace} does
     */
    Future<Optional<Tombstone>> delete(ObjectRef ref, long form, Precondition precondition, Principal writer);

    /** The same where no schema was asked. */
    default Future<Optional<Tombstone>> delete(ObjectRef ref, Precondition precondition, Principal writer) {
        return delete(ref, form(ref.bucket()), precondition, writer);
    }

    /**
     * Does all of these writes or none; nobody writes in between, no query sees a part of them, and
     * if the process ends before the future completes all of them are there afterwards or none.
     * What is read, and the states that writes expect, are compared with the states before all of
     * them.
     *
     * @return what they left, in that order; a deletion of nothing is left out. Fails as each of
     *     them would alone, and when states are not as expected with {@code OBJECT_OUT_OF_DATE}, in
     *     whose data {@code stale} is the array of the ids of all such objects, also of those that
     *     an update expects in a certain state and that are not there; if only a {@link
     *     Batch.StateAssertion} does not hold, with an {@code UNAVAILABLE} for which {@link
     *     #whenOpen} does the write again; with {@code PAYLOAD_TOO_LARGE} if what it updates is too
     *     much to be worked out together
     */
    Future<List<WriteOutcome>> commit(Batch batch);

    /**
     * The objects of one bucket that match, in order, each state as of some moment during the call.
     * Fails with {@code QUERY_NOT_SUPPORTED} if the filter asks for the nearest and no {@link
     * IndexSpec#geo geo index} has their places, and so do {@link #visit} and {@link #count}; and
     * as {@link ResultBudget} says if it is bounded.
     */
    Future<List<StoredObject>> query(StoreQuery query);

    /**
     * What is made of the results of several queries, in their order, each by itself as {@link
     * #query} has it, but one result to the {@link ResultBudget}, which counts them until that is
     * done.
     */
    <T> Future<T> query(List<StoreQuery> queries, Function<List<List<StoredObject>>, Future<T>> use);

    /** What is made of the result of one query, which counts until that is done. */
    default <T> Future<T> query(StoreQuery query, Function<List<StoredObject>, Future<T>> use) {
        return query(List.of(query), results -> use.apply(results.get(0)));
    }

    /**
     * Hands every object of the bucket that matches to {@code visitor}, as a query would see them
     * but in no particular order, and holds none of them. The visitor is called on a thread of the
     * store, by one call at a time; what it throws ends the visit and fails the future, before
     * which it has returned for the last time.
     */
    Future<Void> visit(String bucket, Filter filter, ReadLevel level, Consumer<StoredObject> visitor);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Void> visit(String bucket, Filter filter, Consumer<StoredObject> visitor) {
        return visit(bucket, filter, ReadLevel.COMMITTED, visitor);
    }

    /** How many objects of the bucket match. */
    Future<Long> count(String bucket, Filter filter, ReadLevel level);

    /** Reads at the level {@link ReadLevel#COMMITTED}. */
    default Future<Long> count(String bucket, Filter filter) {
        return count(bucket, filter, ReadLevel.COMMITTED);
    }

    /**
     * A page of a bucket ordered by id string (byte order), for exports and for going through
     * everything. It has an object unless there are no more, and ends before the limit when its
     * objects take more than {@link #PAGE_BYTES}.
     *
     * @param after id string to continue after, exclusive; empty text to start
     * @param limit most objects to return, at least 1
     */
    Future<List<StoredObject>> scan(String bucket, String after, int limit);

    /**
     * Deletes every object of the bucket, some at a time. Indexes stay declared. Fails as {@code
     * replace} does, also when the form changes on the way.
     *
     * @param deleted told of each part when that is durable, on the caller's context and before the
     *     future completes. When a later part fails it has been told of exactly the objects that
     *     are gone
     */
    Future<Void> truncate(String bucket, long form, Consumer<List<Tombstone>> deleted);

    /** The same where no schema was asked. */
    default Future<Void> truncate(String bucket, Consumer<List<Tombstone>> deleted) {
        return truncate(bucket, form(bucket), deleted);
    }

    /**
     * Ends the bucket: whatever was decided before it and comes late is refused, its indexes go,
     * also those that are being filled, and its objects as with {@link #truncate}. When the future
     * succeeds there is nothing under that name but what was decided after the call. If the process
     * ends in the middle, asking for the same again completes it.
     *
     * @param guard runs before each part; what it throws ends the drop and fails the future
     */
    Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted);

    /** The same where nobody else may do it meanwhile. */
    default Future<Void> drop(String bucket, Consumer<List<Tombstone>> deleted) {
        return drop(bucket, () -> {}, deleted);
    }

    /**
     * Does a write, with all that has to be looked at before it. While one of the buckets is
     * rewritten it waits for that, for some seconds at most, and if the rewriting begins, or is
     * over, between the look and the write both are done again. So they are if a {@link
     * Batch.StateAssertion} does not hold at the commit. What is given must have done nothing when
     * a write of this store refuses it for that. Fails with {@code UNAVAILABLE} when the time is
     * up.
     */
    <T> Future<T> whenOpen(Set<String> buckets, Supplier<Future<T>> write);

    /**
     * Brings all objects of some buckets into a new form; those that change get a new version, and
     * indexes follow. While it runs, reads of these buckets wait, or fail with {@code UNAVAILABLE}
     * if that takes long, and everything that would change them fails with {@code UNAVAILABLE}, and
     * so does afterwards a write that was made for an older {@link #form}. If the process ends in
     * the middle, part of the objects have the new form, and asking for the same again completes
     * it.
     *
     * @param rewrites by bucket
     * @param done runs when all objects have their new form and before anybody reads them; must be
     *     quick
     */
    Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done);

    /**
     * Declares an index and fills it; when it is declared already only the latter, if need be.
     * Completes when queries use it; if the process ends before, the next one goes on with it.
     * Fails with {@code UNIQUE_INDEX_EXCEPTION}, leaving no index behind, when it is to be unique
     * and two objects collide, and as {@code replace} does, also when the form changes on the way.
     */
    Future<Void> createIndex(String bucket, IndexSpec keys, long form);

    /** The same where no schema was asked. */
    default Future<Void> createIndex(String bucket, IndexSpec keys) {
        return createIndex(bucket, keys, form(bucket));
    }

    /** Removes an index; does nothing when there is none with these keys. */
    Future<Void> dropIndex(String bucket, IndexSpec keys);

    /** The indexes of a bucket that queries use, oldest first. */
    Future<List<IndexSpec>> indexes(String bucket);

    /**
     * The indexes of a bucket that are being filled, oldest first, and how far that is, from 0 to
     * less than 1.
     */
    Future<Map<IndexSpec, Double>> unfinishedIndexes(String bucket);

    /** Finishes what was acknowledged and releases files and threads. Later calls fail. */
    Future<Void> close();
}

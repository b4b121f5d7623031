package io.orestes.read.object;

import io.orestes.async.SingleFlight;
import io.orestes.auth.rights.AccessControl;
import io.orestes.caching.ReadCache;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.response.ResponseFactory;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;

/** A reader of single objects, which answers from the response cache where that is allowed. */
public final class ObjectReader {

    private final SchemaRegistry schemas;
    private final ObjectStore store;
    private final ReadCache cache;
    private final JsonRenderer jsonRenderer;
    private final ResponseFactory responseFactory;
    private final ConsistencyDefaults consistency;
    private final SingleFlight<ObjectRef, Optional<StoredObject>> freshReads = SingleFlight.trailing();

    public ObjectReader(ReaderDependencies context, ReadCache cache) {
        this.schemas = context.schemas();
        this.store = context.store();
        this.cache = cache;
        this.jsonRenderer = context.renderer();
        this.consistency = context.consistency();
        this.responseFactory = new ResponseFactory(context.clock());
    }

    /**
     * Loads an object.
     *
     * @param fresh true if only the newest committed state is allowed
     * @return fails with {@code OBJECT_NOT_FOUND} if there is none or the caller may not read it,
     *     with {@code PERMISSION_DENIED} if the class may not be loaded, with {@code
     *     BUCKET_NOT_FOUND} if there is no class
     */
    public Future<ReadResult> load(Principal principal, ObjectRef ref, boolean fresh) {
        // The ticket is drawn before the schema is read, so a change of the schema prevents the
        // caching of what the old one decided.
        long ticket = cache.issueTicket(ref.id());
        ClassSchema schema = schemas.current().entity(ref.bucket());
        schema.require(ClassOperation.LOAD, principal);
        Optional<CachedResponse> known = fresh ? Optional.empty() : cache.lookup(ref.id(), principal);
        return known.isPresent()
                ? Future.succeededFuture(new ReadResult(known.get(), ReadResult.ResponseSource.HIT))
                : fetch(principal, schema, ref, fresh, ticket);
    }

    /** Returns whether the caller could load an object in this state. */
    public boolean mayShow(Principal principal, StoredObject object) {
        ClassSchema schema = schemas.current().entity(object.ref().bucket());
        return schema.permission(ClassOperation.LOAD).permits(principal) && AccessControl.canRead(principal, object);
    }

    private Future<ReadResult> fetch(
            Principal principal, ClassSchema schema, ObjectRef ref, boolean fresh, long ticket) {
        cache.recordStoreRead(ref.id());
        return find(ref, fresh)
                .map(found -> found.flatMap(object -> AccessControl.readable(principal, object))
                        .orElseThrow(() -> notFound(ref)))
                .compose(object -> isPublic(schema, object)
                        ? forEverybody(object, fresh, ticket)
                        : Future.succeededFuture(forSome(object, fresh, ticket)));
    }

    /**
     * Finds an object. Fresh reads are coalesced, since only they can repeatedly bypass all caches.
     */
    private Future<Optional<StoredObject>> find(ObjectRef ref, boolean fresh) {
        return consistency.level(ref.bucket(), ReadLevel.of(fresh)) == ReadLevel.LINEARIZABLE
                ? freshReads.load(ref, begun -> store.find(ref, ReadLevel.LINEARIZABLE))
                : store.find(ref);
    }

    private Future<ReadResult> forEverybody(StoredObject object, boolean fresh, long ticket) {
        return consistency.mayBeCached(object.ref().bucket())
                ? admit(object, ticket)
                        .map(response -> new ReadResult(
                                response, fresh ? ReadResult.ResponseSource.BYPASS : ReadResult.ResponseSource.MISS))
                : Future.succeededFuture(new ReadResult(passing(object), ReadResult.ResponseSource.BYPASS));
    }

    /**
     * Creates a response for some callers only. At most the response cache stores it, with the
     * permission that the next caller needs.
     */
    private ReadResult forSome(StoredObject object, boolean fresh, long ticket) {
        String bucket = object.ref().bucket();
        CachedResponse response = personal(object);
        if (!consistency.mayBeCached(bucket) || !cache.ttls().mayKeep(bucket)) {
            return new ReadResult(response, ReadResult.ResponseSource.BYPASS);
        }
        cache.put(object.ref().id(), ticket, response.withReaders(object.acl().read()));
        return new ReadResult(response, fresh ? ReadResult.ResponseSource.BYPASS : ReadResult.ResponseSource.MISS);
    }

    private Future<CachedResponse> admit(StoredObject object, long ticket) {
        String key = object.ref().id();
        Ttls ttls = consistency.limited(object.ref().bucket(), cache.ttls().objectTtl(key));
        return cache.admit(key, ticket, ttls).map(admitted -> admitted ? kept(object, ticket, ttls) : passing(object));
    }

    private CachedResponse kept(StoredObject object, long ticket, Ttls ttls) {
        String key = object.ref().id();
        CachedResponse response = responseFactory.shared(
                jsonRenderer.tagged(object),
                object.version(),
                ttls,
                consistency.of(object.ref().bucket()),
                cache.urls().surrogateKeys(key));
        cache.put(key, ticket, response);
        return response;
    }

    private CachedResponse passing(StoredObject object) {
        return responseFactory.revalidated(jsonRenderer.tagged(object), object.version());
    }

    private CachedResponse personal(StoredObject object) {
        return responseFactory.privateResponse(jsonRenderer.tagged(object), object.version());
    }

    private static boolean isPublic(ClassSchema schema, StoredObject object) {
        return schema.permission(ClassOperation.LOAD).isPublic()
                && object.acl().read().isPublic();
    }

    private static ApiException notFound(ObjectRef ref) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
    }
}

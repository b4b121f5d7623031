package io.orestes.read.query;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.async.SingleFlight;
import io.orestes.auth.rights.AccessControl;
import io.orestes.caching.Caches;
import io.orestes.caching.QueryKey;
import io.orestes.caching.ReadCache;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import io.orestes.invalidb.MatchQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.response.RenderedBody;
import io.orestes.read.response.ResponseFactory;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.read.watch.QueryAdmissionPolicy;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A reader of query results and counts, cached where every caller would receive the same. */
public final class QueryReader {

    /**
     * Maximum length of a key, in characters; longer keys would make the cache's records larger
     * than its responses.
     */
    private static final int MAX_KEY_LENGTH = 2_000;

    private final SchemaRegistry schemas;
    private final QueryParser parsing;
    private final ObjectStore store;
    private final ReadCache cache;
    private final CachedQueryRegistry cached;
    private final JsonRenderer jsonRenderer;
    private final ResponseFactory responseFactory;
    private final QueryAdmissionPolicy queryAdmissionPolicy;
    private final QueryConfig config;
    private final ConsistencyDefaults consistency;
    private final SingleFlight<StoreQuery, List<StoredObject>> freshReads = SingleFlight.trailing();
    private final PolymorphicQueries polymorphic;

    public QueryReader(
            ReaderDependencies context,
            QueryParser parsing,
            ReadCache cache,
            CachedQueryRegistry cached,
            QueryConfig config) {
        this.schemas = context.schemas();
        this.parsing = parsing;
        this.store = context.store();
        this.cache = cache;
        this.cached = cached;
        this.jsonRenderer = context.renderer();
        this.responseFactory = new ResponseFactory(context.clock());
        this.queryAdmissionPolicy = new QueryAdmissionPolicy(config.maxCached(), cached::decay);
        this.config = config;
        this.consistency = context.consistency();
        this.polymorphic = new PolymorphicQueries(schemas, store, consistency, this::parse);
    }

    /**
     * Returns the matching objects that the caller may read, in order, or their ids. If subclasses
     * are included, the caller must be allowed to query each of them. A response that other caches
     * must not store is private and has to be revalidated.
     *
     * @return fails with {@code SYNTAX_ERROR}, {@code QUERY_NOT_SUPPORTED}, {@code
     *     PERMISSION_DENIED} or {@code BUCKET_NOT_FOUND}
     */
    public Future<ReadResult> query(Principal principal, QueryRequest request, QueryFreshnessOptions options) {
        return request.polymorphic() ? merged(principal, request, options.fresh()) : exact(principal, request, options);
    }

    private Future<ReadResult> exact(Principal principal, QueryRequest request, QueryFreshnessOptions options) {
        QueryRequest chosen = withChosenForm(request);
        String key = keyOf(chosen);
        boolean isStorable = registerUrl(principal, request.form(), key, options);
        Future<ReadResult> result = read(principal, chosen, key, options);
        return isStorable ? result : result.map(this::withoutOtherCaches);
    }

    /**
     * Registers the URL of a request before the caches are asked, and returns whether other caches
     * may store the response under it.
     */
    private boolean registerUrl(Principal principal, ResultForm form, String key, QueryFreshnessOptions options) {
        String url = options.url();
        if (url == null) {
            return false;
        }
        // The cheaper form changes, so a URL that leaves the choice is no alias of the key.
        if (!options.fresh() && form != ResultForm.CHEAPER) {
            cache.urls().addAlias(key, url);
        }
        return principal.isAnonymous() && cache.urls().registerVariant(key, url);
    }

    private ReadResult withoutOtherCaches(ReadResult result) {
        return new ReadResult(responseFactory.privateCopy(result.response()), result.source());
    }

    private Future<ReadResult> read(
            Principal principal, QueryRequest request, String key, QueryFreshnessOptions options) {
        // The ticket is drawn before the schema is read, so a change of the schema prevents the
        // caching of what the old one decided.
        long ticket = cache.issueTicket(key);
        ClassSchema schema = permitted(principal, request.bucket());
        boolean mayShare = principal.isAnonymous();
        Optional<CachedResponse> known = mayShare && !options.fresh() ? cache.lookup(key) : Optional.empty();
        if (known.isPresent()) {
            return Future.succeededFuture(new ReadResult(known.get(), ReadResult.ResponseSource.HIT));
        }
        StoreQuery query = parse(principal, schema, request);
        cache.recordStoreRead(key);
        Plan plan = new Plan(query, key, ticket, request.form() == ResultForm.IDS, options);
        return (mayShare && mayBeCached(request.bucket(), key) ? admit(plan) : bypass(plan, mayShare))
                .map(answer -> options.fresh() ? answer.asBypass() : answer);
    }

    private boolean mayBeCached(String bucket, String key) {
        return key.length() <= MAX_KEY_LENGTH && consistency.mayBeCached(bucket);
    }

    /**
     * Applies a function to the matching objects, read without caches; they count as a result until
     * it completes.
     */
    public <T> Future<T> select(
            Principal principal, QueryRequest request, ReadLevel level, Function<List<StoredObject>, Future<T>> use) {
        return request.polymorphic()
                ? polymorphic.select(principal, request, level, use)
                : store.query(
                        parse(principal, permitted(principal, request.bucket()), request)
                                .withLevel(consistency.level(request.bucket(), level)),
                        use);
    }

    /** Runs a query on a class and its subclasses, never from a cache. */
    private Future<ReadResult> merged(Principal principal, QueryRequest request, boolean fresh) {
        return polymorphic.select(principal, request, ReadLevel.of(fresh), result -> {
            boolean isOfIds = request.form() == ResultForm.IDS;
            RenderedBody renderedBody =
                    RenderedBody.hashed(isOfIds ? jsonRenderer.ids(result) : jsonRenderer.array(result));
            return Future.succeededFuture(
                    new ReadResult(responseFactory.privateResponse(renderedBody, 0), ReadResult.ResponseSource.BYPASS));
        });
    }

    /**
     * Returns the number of matching objects that the caller may read; fails as {@link #query}
     * does.
     */
    public Future<Long> count(Principal principal, QueryRequest request, ReadLevel level) {
        return request.polymorphic()
                ? polymorphic.count(principal, request, level)
                : exactCount(principal, request, level);
    }

    private Future<Long> exactCount(Principal principal, QueryRequest request, ReadLevel level) {
        ClassSchema schema = permitted(principal, request.bucket());
        return store.count(
                request.bucket(),
                parse(principal, schema, request).filter(),
                consistency.level(request.bucket(), level));
    }

    /**
     * Returns the canonical key of a query (protocol §13.4), under which its result is cached. It
     * does not depend on the caller. Fails with {@code BUCKET_NOT_FOUND} if there is no such class.
     */
    public String key(QueryRequest request) {
        String name = schemas.current().entity(request.bucket()).name();
        return keyOf(withChosenForm(request.on(name)));
    }

    private static String keyOf(QueryRequest request) {
        return new QueryKey(
                        request.bucket(),
                        request.q(),
                        request.sort(),
                        request.start(),
                        request.count(),
                        request.form() == ResultForm.IDS)
                .text();
    }

    /**
     * Returns the request with its form chosen; fails as {@link #query} does. Ids are only for
     * callers that can load the objects, which is not certain for a class that is not public.
     */
    QueryRequest withChosenForm(QueryRequest request) {
        return request.form() == ResultForm.CHEAPER
                ? request.as(prefersIds(request) ? ResultForm.IDS : ResultForm.OBJECTS)
                : request;
    }

    /** Returns whether a query includes subclasses by default. */
    public boolean isPolymorphic() {
        return config.polymorphic();
    }

    private boolean prefersIds(QueryRequest request) {
        ClassSchema schema = schemas.current().entity(request.bucket());
        StoreQuery query = parse(Principal.ANONYMOUS, schema, request);
        return schema.permission(ClassOperation.LOAD).isPublic()
                && cached.prefersIds(MatchQuery.of(query.bucket(), query.filter()));
    }

    private ClassSchema permitted(Principal principal, String bucket) {
        ClassSchema schema = schemas.current().entity(bucket);
        schema.require(ClassOperation.QUERY, principal);
        return schema;
    }

    private StoreQuery parse(Principal principal, ClassSchema schema, QueryRequest request) {
        Filter asked = parsing.filter(schema, request.q());
        Filter filter = AccessControl.readCondition(principal).map(asked::and).orElse(asked);
        SortOrder given = parsing.sort(schema, request.sort());
        SortOrder sort = request.sort().isEmpty() ? SortOrder.nearest(asked).orElse(given) : given;
        int limit = request.count() < 0 ? config.maxResults() : Math.min(request.count(), config.maxResults());
        return new StoreQuery(request.bucket(), filter, sort, request.start(), limit).bounded();
    }

    private Future<ReadResult> admit(Plan plan) {
        MatchQuery watched = MatchQuery.of(plan.query.bucket(), plan.query.filter());
        return isWorthCaching(watched, plan) ? admit(plan, watched) : bypass(plan, true);
    }

    /**
     * Returns whether the result is worth a place; a key that has a place already needs no other.
     */
    private boolean isWorthCaching(MatchQuery watched, Plan plan) {
        return cache.ttls().mayKeep(watched.bucket())
                && !cached.isUnwatchable(watched)
                && !isLate(watched)
                && (cached.isWatched(watched, plan.key)
                        || ((plan.options.hinted() || queryAdmissionPolicy.admits(plan.key, cached.size()))
                                && cached.ensureRoom(config.maxCached())));
    }

    private boolean isLate(MatchQuery watched) {
        boolean isLate = cached.isSuspended() || cached.isWatchOverdue(watched);
        if (isLate) {
            cached.countLate();
        }
        return isLate;
    }

    private Future<ReadResult> bypass(Plan plan, boolean isPublic) {
        return execute(plan, result -> {
            RenderedBody renderedBody = render(plan, result);
            CachedResponse response = isPublic
                    ? responseFactory.revalidated(renderedBody, 0)
                    : responseFactory.privateResponse(renderedBody, 0);
            return Future.succeededFuture(new ReadResult(response, ReadResult.ResponseSource.BYPASS));
        });
    }

    /**
     * Reads the objects. Fresh reads are coalesced, since only they can repeatedly bypass all
     * caches.
     */
    private <T> Future<T> execute(Plan plan, Function<List<StoredObject>, Future<T>> use) {
        return consistency.level(plan.query.bucket(), ReadLevel.of(plan.options.fresh())) == ReadLevel.LINEARIZABLE
                ? freshReads
                        .load(plan.query, begun -> store.query(plan.query.withLevel(ReadLevel.LINEARIZABLE)))
                        .compose(use)
                : store.query(plan.query, use);
    }

    private Future<ReadResult> admit(Plan plan, MatchQuery watched) {
        CachedQueryRegistry.QueryWatch watch =
                cached.watch(watched, plan.key, plan.showsMembershipOnly(), () -> members(plan.query, watched));
        return watch.ready()
                .onFailure(this::countIfLate)
                .recover(failure -> Future.failedFuture(new NotCacheableException()))
                .compose(ready -> execute(plan, result -> admit(plan, watch, result)))
                .map(response -> new ReadResult(response, ReadResult.ResponseSource.MISS))
                .onComplete(done -> watch.retainUntil(
                        done.succeeded() ? copiesExpireAt(done.result().response()) : 0))
                .recover(failure ->
                        failure instanceof NotCacheableException ? bypass(plan, true) : Future.failedFuture(failure));
    }

    private void countIfLate(Throwable failure) {
        if (failure instanceof TimeoutException) {
            cached.countLate();
        }
    }

    private Future<CachedResponse> admit(Plan plan, CachedQueryRegistry.QueryWatch watch, List<StoredObject> result) {
        String bucket = plan.query.bucket();
        Ttls ttls = consistency.limited(bucket, cache.ttls().queryTtl(plan.key, plan.shown(result)));
        return (cached.isSuspended() ? Future.succeededFuture(false) : cache.admit(plan.key, plan.ticket, ttls))
                .map(admitted -> admitted
                        ? kept(plan, watch, result, ttls)
                        : responseFactory.revalidated(render(plan, result), 0));
    }

    private CachedResponse kept(Plan plan, CachedQueryRegistry.QueryWatch watch, List<StoredObject> result, Ttls ttls) {
        RenderedBody renderedBody = withBodyKept(plan.key, render(plan, result));
        CachedResponse response = kept(plan, renderedBody, ttls).withHitCounter(watch.reads(result.size()));
        cache.put(plan.key, plan.ticket, response);
        return response;
    }

    /**
     * Reuses the cached body if the text is equal. Another copy would become long-lived garbage,
     * which is expensive to collect.
     */
    private RenderedBody withBodyKept(String key, RenderedBody renderedBody) {
        return cache.peek(key)
                .filter(known -> known.headers().etag().equals(renderedBody.etag()))
                .map(known -> new RenderedBody(renderedBody.etag(), known.body()))
                .orElse(renderedBody);
    }

    private CachedResponse kept(Plan plan, RenderedBody renderedBody, Ttls ttls) {
        return cache.mayShareQueries()
                ? responseFactory.shared(
                        renderedBody,
                        0,
                        ttls,
                        consistency.of(plan.query.bucket()),
                        cache.urls().surrogateKeys(plan.key))
                : responseFactory.browserOnly(renderedBody, ttls);
    }

    /**
     * Returns the latest time at which any cache has the response. A copy may leave just before
     * that of the response cache expires, and then lives as long again.
     */
    private long copiesExpireAt(CachedResponse response) {
        return response.usableUntilMillis(response.expiresMillis()) + Caches.LIFETIME_TOLERANCE.toMillis();
    }

    private Future<List<StoredObject>> members(StoreQuery query, MatchQuery watched) {
        StoreQuery whole = new StoreQuery(query.bucket(), query.filter(), SortOrder.BY_ID, 0, config.maxMembers() + 1)
                .withBound(StoreQuery.MemoryBound.HALF);
        return store.query(whole)
                .compose(result ->
                        result.size() > config.maxMembers() ? refuse(watched) : Future.succeededFuture(result))
                .recover(failure -> isForGood(failure) ? refuse(watched) : Future.failedFuture(failure));
    }

    /**
     * Returns whether a failure is permanent: such members take too much memory or time, and would
     * with the next request, too.
     */
    private static boolean isForGood(Throwable failure) {
        return failure instanceof ApiException refusal && refusal.code() == ErrorCode.QUERY_NOT_SUPPORTED;
    }

    private Future<List<StoredObject>> refuse(MatchQuery tooLarge) {
        cached.markUnwatchable(tooLarge);
        return Future.failedFuture(new NotCacheableException());
    }

    private RenderedBody render(Plan plan, List<StoredObject> result) {
        return RenderedBody.hashed(plan.isOfIds ? jsonRenderer.ids(result) : jsonRenderer.array(result));
    }

    /** The query to read, and the key and ticket of its cached response. */
    private record Plan(StoreQuery query, String key, long ticket, boolean isOfIds, QueryFreshnessOptions options) {

        /**
         * Returns whether only membership changes the response. In another order than that of ids,
         * changed objects change their positions.
         */
        boolean showsMembershipOnly() {
            return isOfIds && query.sort().equals(SortOrder.BY_ID);
        }

        /** Returns the ids of the objects whose changes change the response. */
        List<String> shown(List<StoredObject> result) {
            return showsMembershipOnly()
                    ? List.of()
                    : result.stream().map(each -> each.ref().id()).toList();
        }
    }

    /**
     * The query cannot be watched, e.g. because its whole result is too large; it is answered
     * without caching.
     */
    private static final class NotCacheableException extends RuntimeException {
        private NotCacheableException() {
            super("not watched", null, false, false);
        }
    }
}

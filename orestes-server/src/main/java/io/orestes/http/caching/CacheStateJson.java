package io.orestes.http.caching;

import io.orestes.caching.CacheInspector;
import io.orestes.caching.KeyReport;
import io.orestes.caching.SketchReport;
import io.orestes.caching.TtlAccuracy;
import io.orestes.caching.purge.PurgeTargetState;
import io.orestes.caching.purge.SharedCacheStatistics;
import io.orestes.caching.response.BusiestKeys;
import io.orestes.caching.response.CachedResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.read.response.ReadResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of the state of all caches, and of one key in them. Times are milliseconds since
 * 1970, or null for none.
 */
public final class CacheStateJson {

    private static final int BUSIEST = 20;

    private CacheStateJson() {}

    static BsonDocument of(
            CacheInspector inspector,
            ReadSourceCounters reads,
            @Nullable Duration lag,
            List<SharedCacheStatistics> shared) {
        return new BsonDocument("now", number(inspector.millis()))
                .append("reads", reads(reads))
                .append("shared", array(shared, CacheStateJson::shared))
                .append("memory", memory(inspector.responseCacheUsage()))
                .append("busiest", array(inspector.busiest(BUSIEST), usage -> busy(usage, inspector)))
                .append("filter", filter(inspector.sketchReport()))
                .append("lifetimes", array(inspector.ttlAccuracy(), CacheStateJson::lifetimes))
                .append("purges", purges(inspector, lag));
    }

    static BsonDocument of(String key, KeyReport state, long now) {
        return new BsonDocument("now", number(now))
                .append("key", new BsonString(key))
                .append("url", new BsonString(ApiRouter.BASE + key))
                .append("copy", nullable(state.copy(), CacheStateJson::copy))
                .append("tracked", BsonBoolean.valueOf(state.isTracked()))
                .append("heldUntil", time(state.cachedUntil()))
                .append("staleUntil", time(state.staleUntil()))
                .append("inFilter", BsonBoolean.valueOf(state.isInFilter()))
                .append("spellings", array(state.urlVariants(), BsonString::new));
    }

    private static BsonDocument reads(ReadSourceCounters reads) {
        BsonDocument bySource = new BsonDocument();
        for (ReadResult.ResponseSource source : ReadResult.ResponseSource.values()) {
            ReadSourceCounters.Counts counts = reads.of(source);
            bySource.append(
                    source.name().toLowerCase(Locale.ROOT),
                    new BsonDocument("full", number(counts.full().sum()))
                            .append("unchanged", number(counts.unchanged().sum())));
        }
        return bySource;
    }

    private static BsonDocument shared(SharedCacheStatistics target) {
        return new BsonDocument("name", new BsonString(target.name()))
                .append("canTell", BsonBoolean.valueOf(target.hasCounters()))
                .append("counts", nullable(target.counters(), CacheStateJson::counts));
    }

    private static BsonDocument counts(SharedCacheStatistics.ReadCounters counts) {
        return new BsonDocument("hits", number(counts.hits()))
                .append("misses", number(counts.misses()))
                .append("passed", number(counts.passed()))
                .append("sinceMs", millis(counts.since()));
    }

    private static BsonDocument memory(CacheInspector.ResponseCacheUsage memory) {
        return new BsonDocument("entries", number(memory.entries()))
                .append("bytes", number(memory.bytes()))
                .append("maxBytes", number(memory.maxBytes()));
    }

    private static BsonDocument busy(BusiestKeys.Usage usage, CacheInspector cacheInspector) {
        return new BsonDocument("key", new BsonString(usage.key()))
                .append("since", time(usage.sinceMillis()))
                .append("hits", number(usage.hits()))
                .append("misses", number(usage.misses()))
                .append("invalidations", number(usage.invalidations()))
                .append("copy", nullable(cacheInspector.copy(usage.key()).orElse(null), CacheStateJson::briefly));
    }

    private static BsonDocument briefly(CachedResponse copy) {
        return new BsonDocument("bytes", number(copy.body().length()))
                .append("public", BsonBoolean.valueOf(copy.isPublic()))
                .append("expires", time(copy.expiresMillis()));
    }

    private static BsonDocument filter(SketchReport state) {
        return new BsonDocument("stale", number(state.staleKeys()))
                .append("tracked", number(state.trackedKeys()))
                .append("capacity", number(state.capacity()))
                .append("bits", number(state.size().bits()))
                .append("hashes", number(state.size().hashes()))
                .append("fill", new BsonDouble(state.fill()))
                .append("falsePositives", new BsonDouble(state.falsePositiveRate()))
                .append("allStaleUntil", time(state.allStaleUntil()))
                .append("untrackedUntil", time(state.untrackedUntil()));
    }

    private static BsonDocument lifetimes(TtlAccuracy statistics) {
        return new BsonDocument("kind", new BsonString(statistics.kind()))
                .append("changed", number(statistics.changed()))
                .append("expired", number(statistics.expired()))
                .append("ratios", array(statistics.ratios(), CacheStateJson::bucket));
    }

    private static BsonDocument bucket(TtlAccuracy.TtlRatioBucket bucket) {
        return new BsonDocument(
                        "atMost", Double.isInfinite(bucket.atMost()) ? BsonNull.VALUE : new BsonDouble(bucket.atMost()))
                .append("count", number(bucket.count()));
    }

    /** Returns the shared caches and their lag, which is null if unknown. */
    public static BsonDocument purges(CacheInspector cacheInspector, @Nullable Duration lag) {
        return new BsonDocument("lagMs", nullable(lag, CacheStateJson::millis))
                .append("targets", array(cacheInspector.targets(), CacheStateJson::target));
    }

    private static BsonDocument target(PurgeTargetState target) {
        return new BsonDocument("name", new BsonString(target.name()))
                .append("late", BsonBoolean.valueOf(target.isLate()))
                .append("backlog", number(target.backlog()))
                .append("sent", number(target.sent()))
                .append("confirmed", number(target.confirmed()))
                .append("failed", number(target.failed()))
                .append("dead", number(target.givenUp()))
                .append("flushes", number(target.flushes()))
                .append("sinceConfirmedMs", nullable(target.sinceConfirmed(), CacheStateJson::millis))
                .append("medianMs", millis(target.latency().median()))
                .append("p99Ms", millis(target.latency().percentile99()));
    }

    private static BsonDocument copy(CachedResponse copy) {
        return new BsonDocument("etag", new BsonString(copy.headers().etag()))
                .append("cacheControl", new BsonString(copy.headers().cacheControl()))
                .append("public", BsonBoolean.valueOf(copy.isPublic()))
                .append("version", copy.version() == 0 ? BsonNull.VALUE : number(copy.version()))
                .append("bytes", number(copy.body().length()))
                .append("browserSeconds", number(copy.ttls().browserSeconds()))
                .append("sharedSeconds", number(copy.ttls().sharedSeconds()))
                .append("created", time(copy.createdMillis()))
                .append("expires", time(copy.expiresMillis()));
    }

    private static <T> BsonArray array(Collection<T> values, Function<T, BsonValue> form) {
        return new BsonArray(values.stream().map(form).toList());
    }

    private static <T> BsonValue nullable(@Nullable T value, Function<T, BsonValue> form) {
        return value == null ? BsonNull.VALUE : form.apply(value);
    }

    private static BsonValue time(long millis) {
        return millis == 0 ? BsonNull.VALUE : number(millis);
    }

    private static BsonInt64 number(long value) {
        return new BsonInt64(value);
    }

    private static BsonDouble millis(Duration time) {
        return new BsonDouble(time.toNanos() / 1e6);
    }
}

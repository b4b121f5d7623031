package io.orestes.caching.ttl;

import com.github.benmanes.caffeine.cache.Cache;
import io.orestes.caching.ttl.TtlOutcomeListener.TtlKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;

/**
 * An estimator of times to live from observed changes (Quaestor, VLDB 2017, section 4.2). If writes
 * of an object arrive as a Poisson process with rate λ, it stays unchanged for t with probability
 * {@code e^(-λt)}. With {@code t = -ln(1 - p) / λ} a copy becomes stale before it expires with
 * probability p. Estimates need not be right, as the sketch covers stale copies. Too long a time
 * costs an entry in the filter, too short a time a request.
 *
 * <p>Thread-safe, without locks for objects. It tracks the most used keys,
 * {@link TtlConfig#trackedKeys} of usual length: the writes of objects, the lifetimes of queries,
 * and the grants of both.
 */
public final class TtlEstimator {

    /**
     * Factor of the time to live for which a result is watched: a copy may leave the response cache
     * just before it expires.
     */
    private static final int WATCHED_TIMES = 2;

    private final TtlConfig config;
    private final InstantSource clock;
    private final double browserFactor;
    private final double sharedFactor;
    private final Cache<String, WriteRate> writes;
    private final Cache<String, QueryLifetime> queries;
    private final TtlAccuracyTracker ttlAccuracyTracker;

    public TtlEstimator(TtlConfig config, InstantSource clock, TtlOutcomeListener outcomes) {
        long bytes = (long) config.trackedKeys() * BoundedKeyCacheFactory.USUAL_BYTES;
        this.config = config;
        this.clock = clock;
        this.browserFactor = -Math.log1p(-config.browserWriteProbability());
        this.sharedFactor = -Math.log1p(-config.sharedWriteProbability());
        this.writes = BoundedKeyCacheFactory.ofBytes(bytes);
        this.queries = BoundedKeyCacheFactory.ofBytes(bytes);
        this.ttlAccuracyTracker = new TtlAccuracyTracker(bytes, outcomes);
    }

    /** Returns whether caches may store objects and results of this class. */
    public boolean mayKeep(String bucket) {
        return !config.rules().ofClass(bucket).equals(TtlRule.OFF);
    }

    /** Records a write of an object. */
    public void recordWrite(String key) {
        long now = clock.millis();
        long rested = ttlAccuracyTracker.changed(TtlKind.OBJECT, key, now);
        WriteRate known = writes.getIfPresent(key);
        if (known == null) {
            writes.put(key, new WriteRate(Math.max(config.assumedInterval().toMillis(), rested), now));
        } else {
            known.written(now);
        }
    }

    /**
     * Returns the time to live of an object. An estimate is the longest allowed one if no write of
     * it is recorded.
     */
    public Ttls objectTtl(String key) {
        return config.rules().of(key).choose(() -> estimate(key));
    }

    /**
     * Returns the time to live of a query result. The estimate is the mean of its lifetimes so far.
     * Before the first change it is the time until any member changes: the sum of their rates is
     * the rate of the first change of any. Browsers may not store query results, as they do not
     * check them against the filter (protocol, section 10.4).
     *
     * @param members the ids of the objects in the result
     */
    public Ttls queryTtl(String queryKey, Collection<String> members) {
        long now = clock.millis();
        QueryLifetime lifetime = queries.get(queryKey, key -> new QueryLifetime());
        return config.rules()
                .of(queryKey)
                .choose(() -> shared(lifetime.millis(sharedFactor / rate(members, now), now)))
                .sharedOnly();
    }

    /** Records that a state was sent with a granted time to live. */
    public void recordGrant(String key, Ttls granted) {
        long now = clock.millis();
        QueryLifetime query = queries.getIfPresent(key);
        if (query != null) {
            query.watched(now, now + WATCHED_TIMES * granted.longestMillis());
        }
        ttlAccuracyTracker.granted(query == null ? TtlKind.OBJECT : TtlKind.QUERY, key, granted.longestMillis(), now);
    }

    /** Records a change of a query result. */
    public void recordQueryChange(String queryKey) {
        long now = clock.millis();
        ttlAccuracyTracker.changed(TtlKind.QUERY, queryKey, now);
        QueryLifetime known = queries.getIfPresent(queryKey);
        if (known != null) {
            known.changed(now);
        }
    }

    /** Drops all observations. */
    public void clear() {
        writes.invalidateAll();
        queries.invalidateAll();
        ttlAccuracyTracker.clear();
    }

    private Ttls estimate(String key) {
        double rate = rate(key, clock.millis());
        return new Ttls(
                seconds(browserFactor / rate, config.browserMax()), seconds(sharedFactor / rate, config.sharedMax()));
    }

    private Ttls shared(double millis) {
        return new Ttls(0, seconds(millis, config.sharedMax()));
    }

    private double rate(Collection<String> keys, long now) {
        return keys.stream().mapToDouble(key -> rate(key, now)).sum();
    }

    private double rate(String key, long now) {
        WriteRate known = writes.getIfPresent(key);
        return known == null ? 0 : known.perMillisecond(now);
    }

    private int seconds(double millis, Duration max) {
        return (int) Math.max(config.min().toSeconds(), Math.min((long) (millis / 1000), max.toSeconds()));
    }
}

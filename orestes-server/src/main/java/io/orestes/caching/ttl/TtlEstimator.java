package io.orestes.caching.ttl;

import com.github.benmanes.caffeine.cache.Cache;
import io.orestes.caching.ttl.TtlOutcomeListener.TtlKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;

/**
 * An estimator of times to live from observed changes (Quaestor, VLDB 2017, section 4.2). If writes
 * of an object arrive as a Poisson process with rate λ, it stays unchanged for t with probability
 * {@code e^(-λt)}; so with {@code t = -ln(1 - p) / λ} a copy becomes stale before it expires with
 * probability p. Estimates need not be right, as the sketch covers stale copies: too long a time
 * costs a place in the filter, too short a time a request.
 *
 * <p>Thread-safe, without locks for objects. Remembers the most used keys,
 * {@link TtlConfig#trackedKeys} of usual length: the writes of objects, the lifetimes of queries,
 * and what was granted to both.
 */
public final class TtlEstimator {

    /**
     * A copy may leave the response cache just before that expires, and is watched for as long
     * again.
     */
    private static final int WATCHED_TIMES = 2;

    private final TtlConfig config;
    private final InstantSource clock;
    private final double browserFactor;
    private final double sharedFactor;
    private final Cache<String, WriteRate> writes;
    private final Cache<String, QueryLifetime> queries;
    private final TtlGrants ttlGrants;

    public TtlEstimator(TtlConfig config, InstantSource clock, TtlOutcomeListener outcomes) {
        long bytes = (long) config.trackedKeys() * BoundedKeyCache.USUAL_BYTES;
        this.config = config;
        this.clock = clock;
        this.browserFactor = -Math.log1p(-config.browserWriteProbability());
        this.sharedFactor = -Math.log1p(-config.sharedWriteProbability());
        this.writes = BoundedKeyCache.ofBytes(bytes);
        this.queries = BoundedKeyCache.ofBytes(bytes);
        this.ttlGrants = new TtlGrants(bytes, outcomes);
    }

    /** Whether anybody may keep objects and results of this class. */
    public boolean mayKeep(String bucket) {
        return !config.rules().ofClass(bucket).equals(TtlRule.OFF);
    }

    /** Notes that an object was written. */
    public void recordWrite(String key) {
        long now = clock.millis();
        long rested = ttlGrants.changed(TtlKind.OBJECT, key, now);
        WriteRate known = writes.getIfPresent(key);
        if (known == null) {
            writes.put(key, new WriteRate(Math.max(config.assumedInterval().toMillis(), rested), now));
        } else {
            known.written(now);
        }
    }

    /** For an object; by estimate, the longest allowed if no write of it is remembered. */
    public Ttls objectTtl(String key) {
        return config.rules().of(key).choose(() -> estimate(key));
    }

    /**
     * For a query result. The estimate is the mean of its lifetimes so far, or before the first
     * change the time until any member changes: the sum of their rates is the rate of the first
     * change of any. Browsers may not keep query results, as they do not look them up in the filter
     * (protocol, section 10.4).
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

    /** Notes that a state was handed out for so long, after a time to live was chosen for it. */
    public void recordGrant(String key, Ttls granted) {
        long now = clock.millis();
        QueryLifetime query = queries.getIfPresent(key);
        if (query != null) {
            query.watched(now, now + WATCHED_TIMES * granted.longestMillis());
        }
        ttlGrants.granted(query == null ? TtlKind.OBJECT : TtlKind.QUERY, key, granted.longestMillis(), now);
    }

    /** Notes that a query result changed. */
    public void recordQueryChange(String queryKey) {
        long now = clock.millis();
        ttlGrants.changed(TtlKind.QUERY, queryKey, now);
        QueryLifetime known = queries.getIfPresent(queryKey);
        if (known != null) {
            known.changed(now);
        }
    }

    /** Forgets all observations. */
    public void clear() {
        writes.invalidateAll();
        queries.invalidateAll();
        ttlGrants.clear();
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

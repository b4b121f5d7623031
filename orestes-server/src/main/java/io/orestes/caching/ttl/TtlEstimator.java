package io.orestes.caching.ttl;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;

/**
 * Chooses times to live from observed changes (Quaestor, VLDB 2017, section 4.2). If writes of an object arrive as a
 * Poisson process with rate λ, it stays unchanged for t with probability {@code e^(-λt)}; so with
 * {@code t = -ln(1 - p) / λ} a copy becomes stale before it expires with probability p. Estimates need not be right, as the
 * sketch covers stale copies: too long a time costs a place in the filter, too short a time a request.
 *
 * <p>Thread-safe, without locks for readers. Remembers the most used {@link TtlConfig#trackedKeys} objects and queries.
 */
public final class TtlEstimator {

    private final TtlConfig config;
    private final InstantSource clock;
    private final double browserFactor;
    private final double sharedFactor;
    private final Cache<String, WriteRate> writes;
    private final Cache<String, RunningMean> queryLifetimes;

    public TtlEstimator(TtlConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
        this.browserFactor = -Math.log1p(-config.browserWriteProbability());
        this.sharedFactor = -Math.log1p(-config.sharedWriteProbability());
        this.writes = Caffeine.newBuilder().maximumSize(config.trackedKeys()).build();
        this.queryLifetimes =
                Caffeine.newBuilder().maximumSize(config.trackedKeys()).build();
    }

    /** Notes that an object was written. */
    public void recordWrite(String key) {
        long now = clock.millis();
        WriteRate known = writes.getIfPresent(key);
        if (known == null) {
            writes.put(key, new WriteRate((double) config.assumedInterval().toMillis(), now));
        } else {
            known.written(now);
        }
    }

    /** For an object; the longest allowed if no write of it is remembered. */
    public Ttls objectTtl(String key) {
        double rate = rate(key, clock.millis());
        return new Ttls(
                seconds(browserFactor / rate, config.browserMax()), seconds(sharedFactor / rate, config.sharedMax()));
    }

    /**
     * For a query result: the mean of its lifetimes so far, or before the first change the estimate for a change of any
     * member. Browsers may not keep query results, as they do not look them up in the filter (protocol, section 10.4).
     *
     * @param members the ids of the objects in the result
     */
    public Ttls queryTtl(String queryKey, Collection<String> members) {
        RunningMean lifetime = queryLifetimes.getIfPresent(queryKey);
        double millis = lifetime != null ? lifetime.value() : sharedFactor / rate(members, clock.millis());
        return new Ttls(0, seconds(millis, config.sharedMax()));
    }

    /** Notes that a query result changed after {@code lifetime}. */
    public void recordQueryInvalidation(String queryKey, Duration lifetime) {
        RunningMean known = queryLifetimes.getIfPresent(queryKey);
        if (known == null) {
            queryLifetimes.put(queryKey, new RunningMean((double) lifetime.toMillis()));
        } else {
            known.add((double) lifetime.toMillis());
        }
    }

    /** Forgets all observations. */
    public void clear() {
        writes.invalidateAll();
        queryLifetimes.invalidateAll();
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

package io.orestes.bench.ttl;

import io.orestes.bench.harness.Samples;
import io.orestes.caching.sketch.SketchStatistics;
import io.orestes.caching.ttl.TtlConfig;

/** Counts of a simulation. Not thread-safe. */
final class TtlCounts {

    private static final long LONGEST = TtlConfig.DEFAULTS.browserMax().toMillis();

    private final Samples errors = new Samples();
    private long reads;
    private long hits;
    private long unguardedHits;
    private long unguardedStale;
    private long staleWithinBound;
    private long writes;
    private long invalidations;
    private long samples;
    private double staleKeys;
    private double fill;

    void read(boolean isHit, boolean isUnguardedHit, boolean isUnguardedStale) {
        reads++;
        hits += isHit ? 1 : 0;
        unguardedHits += isUnguardedHit ? 1 : 0;
        unguardedStale += isUnguardedStale ? 1 : 0;
    }

    void staleWithinBound() {
        staleWithinBound++;
    }

    void written(boolean isInvalidated) {
        writes++;
        invalidations += isInvalidated ? 1 : 0;
    }

    /**
     * Records a time to live chosen for a state that lived on for {@code livedMillis}; the correct
     * one is at most the maximum.
     */
    void granted(long ttlMillis, long livedMillis) {
        double lived = Math.max(1, Math.min(livedMillis, LONGEST));
        errors.add(Math.abs(ttlMillis - lived) / lived);
    }

    void sampled(SketchStatistics state) {
        samples++;
        staleKeys += state.staleKeys();
        fill += state.fill();
    }

    TtlRow row(String trace, String policy) {
        return new TtlRow(
                trace,
                policy,
                share(hits, reads),
                share(staleWithinBound, reads),
                share(unguardedHits, reads),
                share(unguardedStale, reads),
                invalidations,
                share(invalidations, writes),
                staleKeys / samples,
                fill / samples,
                errors.median());
    }

    private static double share(long part, long whole) {
        return part / (double) whole;
    }
}

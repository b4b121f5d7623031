package io.orestes.bench.ttl;

import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.sketch.StaleKeys;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Replays a trace against browsers that cache what they loaded as long as one policy says: once
 * with the filter of stale keys, by the rules of the protocol (section 13.3), and once without one.
 * Filter and estimator are the product's, on a simulated clock. The first part of the trace only
 * fills the caches.
 */
final class TtlSimulation {

    static final int BROWSERS = 20;
    static final long FILTER_AGE_MILLIS = 10_000;

    private final Trace trace;
    private final long measuredFrom;
    private final SimulatedClock clock = new SimulatedClock();
    private final TtlPolicy policy;
    private final StaleKeys sketch;
    private final List<String> keys;
    private final List<Browser> browsers;
    private final TtlCounts counts = new TtlCounts();
    private long nextSample;

    /** @param policy creates the policy for the simulation's clock */
    TtlSimulation(Trace trace, int objects, long measuredFrom, Function<SimulatedClock, TtlPolicy> policy) {
        this.trace = trace;
        this.measuredFrom = measuredFrom;
        this.policy = policy.apply(clock);
        this.sketch = new StaleKeys(SketchConfig.DEFAULTS, clock);
        this.keys = IntStream.range(0, objects).mapToObj(i -> "/db/Item/" + i).toList();
        this.browsers =
                IntStream.range(0, BROWSERS).mapToObj(i -> new Browser(objects)).toList();
    }

    TtlRow run(String traceName) {
        for (int i = 0; i < trace.length(); i++) {
            clock.set(trace.millis(i));
            sample(trace.millis(i));
            if (trace.isWrite(i)) {
                write(i);
            } else {
                browsers.get(i % BROWSERS).read(i);
            }
        }
        return counts.row(traceName, policy.name());
    }

    private void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + 1000;
            // reading the filter processes expiries
            var ignored = sketch.snapshot();
            if (isMeasured(now)) {
                counts.sampled(sketch.state());
            }
        }
    }

    private void write(int i) {
        String key = keys.get(trace.key(i));
        policy.written(key);
        boolean isHeld = sketch.invalidate(key);
        if (isMeasured(trace.millis(i))) {
            counts.written(isHeld);
        }
    }

    private boolean isMeasured(long now) {
        return now >= measuredFrom;
    }

    /** One browser in two variants: with the filter and without. */
    private final class Browser {
        private final BrowserCache guarded;
        private final BrowserCache unguarded;
        private final BitSet revalidated = new BitSet();
        private BloomFilter filter = sketch.snapshot().filter();
        private long filterLoaded;

        private Browser(int objects) {
            guarded = new BrowserCache(objects);
            unguarded = new BrowserCache(objects);
        }

        private void read(int i) {
            int object = trace.key(i);
            long now = trace.millis(i);
            boolean isHit = readGuarded(i, object, now);
            boolean isUnguardedHit = unguarded.isFresh(object, now);
            boolean isStale = isUnguardedHit && unguarded.outdatedFrom(object) < now;
            if (!isUnguardedHit) {
                unguarded.put(object, now + policy.ttl(trace, i, keys.get(object)), trace.nextWrite(i));
            }
            if (isMeasured(now)) {
                counts.read(isHit, isUnguardedHit, isStale);
            }
        }

        private boolean readGuarded(int i, int object, long now) {
            reloadFilter(now);
            boolean isMarked = !revalidated.get(object) && filter.contains(keys.get(object));
            if (guarded.isFresh(object, now) && !isMarked) {
                checkBound(object, now);
                return true;
            }
            long ttl = policy.ttl(trace, i, keys.get(object));
            policy.granted(keys.get(object), ttl);
            sketch.reportRead(keys.get(object), now + ttl);
            guarded.put(object, now + ttl, trace.nextWrite(i));
            revalidated.set(object);
            if (isMeasured(now)) {
                counts.granted(ttl, trace.nextWrite(i) - now);
            }
            return false;
        }

        private void reloadFilter(long now) {
            if (now - filterLoaded >= FILTER_AGE_MILLIS) {
                filter = sketch.snapshot().filter();
                filterLoaded = now;
                revalidated.clear();
            }
        }

        /** An object served from the cache was in its newest state when the filter was loaded. */
        private void checkBound(int object, long now) {
            long outdatedFrom = guarded.outdatedFrom(object);
            if (outdatedFrom < filterLoaded) {
                throw new IllegalStateException("A read at " + now + " is older than its filter of " + filterLoaded);
            }
            if (outdatedFrom < now && isMeasured(now)) {
                counts.staleWithinBound();
            }
        }
    }
}

package io.orestes.caching.sketch;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The expiring counting Bloom filter of Quaestor (VLDB 2017, section 3.3): keys that changed while
 * some cache that nobody can purge may still retain an older state. A key is in the filter from its
 * invalidation until the last such copy has expired, and up to a second longer.
 *
 * <p><b>No stale key is lost</b> if every reader calls {@link #reportRead} before it reads the
 * store and every writer calls {@link #invalidate} after its commit. Take a copy that a write made
 * stale: its reader reported (R), then read the old state (S); the writer committed (C), then
 * invalidated (I). S saw the old state, so S came before C and R before I. R left its time either
 * in the key's entry or, when there was no room for an entry, in {@code untrackedUntil}. Neither
 * decreases before that time has passed. An entry leaves the table only by
 * {@link TrackedKey#retire}. That fails if a report raised the time meanwhile, and makes later
 * reports start a new entry. So I finds the time.
 *
 * <p>A second safeguard covers readers that report too late. A report within
 * {@link SketchConfig#overlap} of the invalidation of a key in the filter prolongs the key's stay
 * there. Later reports do not, because they read the new state. Otherwise a key with permanent
 * reads would never leave the filter.
 *
 * <p><b>Memory is bounded</b>. When {@link SketchConfig#maxKeys} keys are tracked, reports of
 * others only raise one time common to all untracked keys. A write to any of them counts as stale
 * until then. When there is no room for stale keys either, the filter contains every key until that
 * time.
 *
 * <p><b>The filter's size follows the number of stale keys</b>, within {@link SketchSizeRange}. A
 * filter contains its size, so clients need no configuration, and their earlier filter stays valid.
 * A resize builds it anew from the keys, in the lock: about 0.1 ms for 1,000 keys, and on average
 * less than a microsecond for each key that is added or removed.
 *
 * <p>Thread-safe. Reports of tracked keys, invalidations of keys without copies, and snapshots
 * while nothing changes take no lock. The rest takes one for about a microsecond.
 */
public final class StaleKeys {

    private static final Logger log = LoggerFactory.getLogger(StaleKeys.class);

    private final SketchConfig options;
    private final InstantSource clock;
    private final ConcurrentHashMap<String, TrackedKey> tracked = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ExpiryWheel wheel;

    @GuardedBy("lock")
    private final StaleKeyFilter filter;

    /** Sum of the weights of the tracked keys. */
    @GuardedBy("lock")
    private int weight;

    @GuardedBy("lock")
    private long allStaleUntil;

    /** Capacity of the filter that was published last. */
    @GuardedBy("lock")
    private int announcedCapacity;

    /** Number of changes of the filter. */
    @GuardedBy("lock")
    private long changes;

    /** Time until which caches may retain keys without an entry. */
    private volatile long untrackedUntil;

    private final AtomicInteger staleCount = new AtomicInteger();

    /** Current snapshot; null when the filter changed since. */
    private volatile @Nullable SketchSnapshot current;

    /** Time from which an expiry may change the filter. */
    private volatile long currentUntil;

    public StaleKeys(SketchConfig options, InstantSource clock) {
        this.options = options;
        this.clock = clock;
        this.wheel = new ExpiryWheel(clock.millis());
        this.filter = new StaleKeyFilter(options.range());
        this.announcedCapacity = options.range().minKeys();
    }

    /**
     * Reports that some cache may retain the key until {@code untilMillis} (since 1970). Must be
     * called before the state for that cache is read.
     */
    public void reportRead(String key, long untilMillis) {
        TrackedKey known = tracked.get(key);
        if (known == null || !known.extendCachedUntil(untilMillis)) {
            track(key, untilMillis, true);
        } else {
            known.extendGrantedLocally(untilMillis);
            prolong(known, untilMillis);
        }
    }

    /** Reports that another server of the group has sent, or will send, a copy of the key. */
    public void reportRemoteRead(String key, long untilMillis) {
        TrackedKey known = tracked.get(key);
        if (known == null || !known.extendCachedUntil(untilMillis)) {
            track(key, untilMillis, false);
        } else {
            prolong(known, untilMillis);
        }
    }

    /** Marks that all others of the group know of copies of the key until then. */
    public void recordReplicated(String key, long untilMillis) {
        TrackedKey known = tracked.get(key);
        if (known != null) {
            known.extendReplicated(untilMillis);
        }
    }

    /** Returns the time until which all others know of copies; 0 if there is none. */
    public long replicatedUntil(String key) {
        TrackedKey known = tracked.get(key);
        return known == null ? 0 : known.replicatedUntil();
    }

    /**
     * Returns whether caches may retain copies of the key that this very server sent; true if the
     * key is not tracked.
     */
    public boolean mayBeGrantedLocally(String key) {
        TrackedKey known = tracked.get(key);
        return (known == null ? untrackedUntil : known.grantedLocallyUntil()) > clock.millis();
    }

    /**
     * Reports a newer state of the key. If any cache may retain an older one, the key is in every
     * snapshot from now on.
     *
     * @return whether any cache may
     */
    @CanIgnoreReturnValue
    public boolean invalidate(String key) {
        long now = clock.millis();
        TrackedKey known = tracked.get(key);
        boolean isHeld = (known == null ? untrackedUntil : known.cachedUntil()) > now;
        if (isHeld) {
            enter(key, now);
        }
        return isHeld;
    }

    /** Returns the reports of the key until now; see {@link ReadCount}. */
    public ReadCount reports(String key) {
        TrackedKey known = tracked.get(key);
        return new ReadCount(known, known == null ? 0 : known.reports());
    }

    /**
     * The number of reported reads of one key at some time. Shared caches need no second purge of a
     * key without further reads.
     *
     * @param known null if the key is not tracked
     */
    public record ReadCount(@Nullable TrackedKey known, int count) {}

    /**
     * Returns whether some cache may retain this very key. The time common to all untracked keys
     * does not count.
     */
    public boolean mayBeCached(String key) {
        TrackedKey known = tracked.get(key);
        return known != null && known.cachedUntil() > clock.millis();
    }

    /**
     * Returns whether the key may have been read since shared caches were requested to purge it;
     * true if it is not tracked.
     */
    public boolean mayBeShared(String key) {
        TrackedKey known = tracked.get(key);
        return known == null || known.mayBeShared();
    }

    /** Marks the copies of these reads as purged from shared caches. */
    public void recordPurged(ReadCount reports) {
        if (reports.known != null) {
            reports.known.recordPurged(reports.count);
        }
    }

    /**
     * Reports a newer state of every key with this prefix. Takes time linear in the tracked keys.
     * While caches may retain untracked keys, everything becomes stale.
     */
    public void invalidateAll(String prefix) {
        long until = untrackedUntil;
        if (until > clock.millis()) {
            assumeAllStale(until);
        }
        tracked.keySet().stream().filter(key -> key.startsWith(prefix)).forEach(this::invalidate);
    }

    /**
     * Marks everything as stale until {@code untilMillis}, for example after a restart without the
     * earlier contents. Must be called before the first report.
     */
    public void assumeAllStale(long untilMillis) {
        synchronized (lock) {
            untrackedUntil = Math.max(untrackedUntil, untilMillis);
            allStaleUntil = Math.max(allStaleUntil, untilMillis);
            changed();
        }
    }

    /**
     * Returns the current filter. Costs a copy of it when it changed since the last call, and next
     * to nothing otherwise.
     */
    public SketchSnapshot snapshot() {
        long now = clock.millis();
        SketchSnapshot known = current;
        return known != null && now < currentUntil ? known.at(now) : publish(now);
    }

    /**
     * Returns all stale keys with the time when they leave the filter. Takes time linear in the
     * tracked keys.
     */
    public Map<String, Instant> expirations() {
        Map<String, Instant> expirations = new TreeMap<>();
        long now = clock.millis();
        tracked.values().stream()
                .filter(key -> key.staleUntil() > now)
                .forEach(key -> expirations.put(key.name, Instant.ofEpochMilli(key.staleUntil())));
        return expirations;
    }

    /** Returns the whole contents for {@link #restore} and {@link #merge}; the keys in no order. */
    public SketchContents contents() {
        List<SketchContents.SketchEntry> keys =
                tracked.values().stream().map(StaleKeys::remembered).toList();
        synchronized (lock) {
            return new SketchContents(untrackedUntil, allStaleUntil, keys);
        }
    }

    private static SketchContents.SketchEntry remembered(TrackedKey key) {
        return new SketchContents.SketchEntry(key.name, key.cachedUntil(), key.staleUntil(), key.grantedLocallyUntil());
    }

    /** Returns the entry of this very key; empty if it is not tracked. */
    public Optional<SketchContents.SketchEntry> find(String key) {
        return Optional.ofNullable(tracked.get(key)).map(StaleKeys::remembered);
    }

    /** Returns until when caches may retain untracked keys; milliseconds since 1970. */
    public long untrackedUntil() {
        return untrackedUntil;
    }

    /** Returns until when everything counts as stale; milliseconds since 1970. */
    public long allStaleUntil() {
        synchronized (lock) {
            return allStaleUntil;
        }
    }

    /** Takes over the contents of another process; to be called before the first report. */
    void restore(SketchContents contents) {
        untrackedUntil = contents.untrackedUntilMillis();
        if (contents.allStaleUntilMillis() > clock.millis()) {
            assumeAllStale(contents.allStaleUntilMillis());
        }
        contents.keys().forEach(this::restore);
    }

    private void restore(SketchContents.SketchEntry key) {
        reportRead(key.name(), Math.max(key.cachedUntilMillis(), key.staleUntilMillis()));
        if (key.staleUntilMillis() > clock.millis()) {
            invalidate(key.name());
        }
    }

    /**
     * Merges the contents of another sketch. Every time is a register with the maximum as its
     * merge. So sketches that join each other's states, or parts of them, in any order and any
     * number of times, converge (a state-based replicated data type; Shapiro et al., SSS 2011).
     */
    public void merge(SketchContents contents) {
        synchronized (lock) {
            untrackedUntil = Math.max(untrackedUntil, contents.untrackedUntilMillis());
            allStaleUntil = Math.max(allStaleUntil, contents.allStaleUntilMillis());
            changed();
        }
        contents.keys().forEach(this::merge);
    }

    private void merge(SketchContents.SketchEntry key) {
        reportRemoteRead(key.name(), key.cachedUntilMillis());
        if (key.staleUntilMillis() > clock.millis()) {
            synchronized (lock) {
                mergeStale(key.name(), key.staleUntilMillis());
            }
        }
    }

    @GuardedBy("lock")
    private void mergeStale(String name, long until) {
        TrackedKey known = tracked.get(name);
        if (known != null) {
            stale(known, until);
        } else if (weight < 2L * options.maxKeys()) {
            stale(add(name, until), until);
        } else {
            allStaleUntil = Math.max(allStaleUntil, until);
            changed();
        }
    }

    /** Drops everything: stale keys and times of copies. */
    public void clear() {
        synchronized (lock) {
            wheel.clear();
            tracked.values().forEach(TrackedKey::discard);
            tracked.clear();
            filter.clear();
            weight = 0;
            allStaleUntil = 0;
            untrackedUntil = 0;
            staleCount.set(0);
            changed();
        }
    }

    /** Returns the number of keys with an entry, stale or not. */
    public int trackedCount() {
        return tracked.size();
    }

    /** Returns the number of keys in the filter. */
    public int staleCount() {
        return staleCount.get();
    }

    /** Returns the size and fill of the filter. */
    public SketchStatistics state() {
        synchronized (lock) {
            return filter.state();
        }
    }

    private void track(String key, long until, boolean fromHere) {
        synchronized (lock) {
            expire(clock.millis());
            TrackedKey known = tracked.get(key);
            if (known != null) {
                var ignored = known.extendCachedUntil(until);
            } else if (weight < options.maxKeys()) {
                known = add(key, Math.max(until, untrackedUntil));
            } else {
                untrackedUntil = Math.max(untrackedUntil, until);
            }
            if (known != null && fromHere) {
                known.extendGrantedLocally(until);
            }
        }
    }

    private void prolong(TrackedKey key, long until) {
        long now = clock.millis();
        if (key.lastInvalidation() == 0
                || now - key.lastInvalidation() > options.overlap().toMillis()) {
            return;
        }
        synchronized (lock) {
            if (key.staleUntil() > now) {
                key.staleUntil(until);
            }
        }
    }

    private void enter(String key, long now) {
        synchronized (lock) {
            expire(now);
            TrackedKey known = tracked.get(key);
            if (known != null) {
                enter(known, now);
            } else if (untrackedUntil > now && weight < 2L * options.maxKeys()) {
                enter(add(key, untrackedUntil), now);
            } else if (untrackedUntil > now) {
                allStaleUntil = Math.max(allStaleUntil, untrackedUntil);
                changed();
            }
        }
    }

    @GuardedBy("lock")
    private void enter(TrackedKey key, long now) {
        key.invalidatedAt(now);
        long until = key.cachedUntil();
        if (until > now) {
            stale(key, until);
        }
    }

    @GuardedBy("lock")
    private void stale(TrackedKey key, long until) {
        if (!key.isStale()) {
            count(filter.add(key), 1);
        }
        key.staleUntil(until);
    }

    @CanIgnoreReturnValue
    @GuardedBy("lock")
    private TrackedKey add(String name, long heldUntil) {
        TrackedKey key = new TrackedKey(name, heldUntil);
        wheel.add(key, heldUntil);
        tracked.put(name, key);
        weight += key.weight();
        return key;
    }

    @GuardedBy("lock")
    private void expire(long now) {
        for (TrackedKey key = wheel.poll(now); key != null; key = wheel.poll(now)) {
            due(key, now);
        }
        if (allStaleUntil != 0 && allStaleUntil <= now) {
            allStaleUntil = 0;
            changed();
        }
    }

    /**
     * Handles an entry that the wheel returned. The wheel is never late, because times of a waiting
     * entry only increase.
     */
    @GuardedBy("lock")
    private void due(TrackedKey key, long now) {
        if (key.isStale() && key.staleUntil() <= now) {
            key.clearStale();
            count(filter.remove(key), -1);
        }
        if (key.isStale()) {
            wheel.add(key, key.staleUntil());
        } else if (key.retire(now)) {
            tracked.remove(key.name, key);
            weight -= key.weight();
        } else {
            wheel.add(key, key.cachedUntil());
        }
    }

    @GuardedBy("lock")
    private void count(boolean filterChanged, int staleKeys) {
        staleCount.addAndGet(staleKeys);
        if (filterChanged) {
            changed();
        }
    }

    @GuardedBy("lock")
    private void changed() {
        changes++;
        current = null;
    }

    /** Encodes outside the lock, so that writers need not wait for it. */
    private SketchSnapshot publish(long now) {
        BloomFilter flat;
        long state;
        synchronized (lock) {
            expire(now);
            currentUntil = (Math.floorDiv(now, 1000L) + 1) * 1000;
            SketchSnapshot known = current;
            if (known != null) {
                return known.at(now);
            }
            flat = allStaleUntil > now ? BloomFilter.full(options.range().smallest()) : filter.flat();
            state = changes;
        }
        announceSize();
        SketchSnapshot encoded = SketchSnapshot.of(flat, now);
        synchronized (lock) {
            if (state == changes) {
                current = encoded;
            }
        }
        return encoded;
    }

    /** Logs outside the lock, and once for all resizes between two published filters. */
    private void announceSize() {
        SketchStatistics state;
        synchronized (lock) {
            state = filter.state();
            if (state.capacity() == announcedCapacity) {
                return;
            }
            announcedCapacity = state.capacity();
        }
        log.info(
                "The filter of stale keys was resized to {} bits, for {} keys at most; it contains {}",
                state.size().bits(),
                state.capacity(),
                state.staleKeys());
    }
}

package io.orestes.caching.sketch;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one tracked key: until when caches may retain it and until when it is stale. All
 * times are milliseconds since 1970. Any thread raises the time until which copies are retained,
 * without a lock. Everything else is written under the lock of {@link StaleKeys}.
 */
final class TrackedKey {

    /** Value of {@code cachedUntil} that no report can raise: the entry has left the table. */
    private static final long RETIRED = Long.MIN_VALUE;

    /** Usual number of characters of a key, which take as much memory as the rest of its entry. */
    private static final int USUAL_LENGTH = 200;

    private static final AtomicIntegerFieldUpdater<TrackedKey> REPORTS =
            AtomicIntegerFieldUpdater.newUpdater(TrackedKey.class, "reports");

    private static final AtomicLongFieldUpdater<TrackedKey> HERE =
            AtomicLongFieldUpdater.newUpdater(TrackedKey.class, "grantedLocallyUntil");
    private static final AtomicLongFieldUpdater<TrackedKey> KNOWN =
            AtomicLongFieldUpdater.newUpdater(TrackedKey.class, "replicatedUntil");

    final String name;
    private final AtomicLong cachedUntil;

    /**
     * Until when caches may retain copies that this very server sent, and until when the others of
     * its group know of them.
     */
    private volatile long grantedLocallyUntil;

    private volatile long replicatedUntil;
    private volatile long staleUntil;
    private volatile long lastInvalidation;

    /**
     * Number of reported reads, and number of those whose copies were purged from shared caches.
     */
    private volatile int reports;

    private volatile int purgedReports = -1;

    /**
     * Index of the key in the list of the {@link StaleKeyFilter}, and its hashes; none while it is
     * not in it. Both belong to that filter.
     */
    private int filterPosition;

    private List<BloomHash> hashes = List.of();

    /** Next key in the same bucket of the {@link ExpiryWheel}; belongs to the wheel. */
    @Nullable
    TrackedKey next;

    TrackedKey(String name, long heldUntil) {
        this.name = name;
        this.cachedUntil = new AtomicLong(heldUntil);
    }

    long cachedUntil() {
        return cachedUntil.get();
    }

    /**
     * Raises {@code cachedUntil} to at least {@code until}. Returns false without a change if this
     * entry has left the table.
     */
    boolean extendCachedUntil(long until) {
        REPORTS.incrementAndGet(this);
        long known = cachedUntil.get();
        while (known != RETIRED && known < until && !cachedUntil.compareAndSet(known, until)) {
            known = cachedUntil.get();
        }
        return known != RETIRED;
    }

    void extendGrantedLocally(long until) {
        var ignored = HERE.accumulateAndGet(this, until, Math::max);
    }

    long grantedLocallyUntil() {
        return grantedLocallyUntil;
    }

    void extendReplicated(long until) {
        var ignored = KNOWN.accumulateAndGet(this, until, Math::max);
    }

    long replicatedUntil() {
        return replicatedUntil;
    }

    /**
     * Closes the entry if no cache retains the key any more. After true no report can be lost in
     * it.
     */
    boolean retire(long now) {
        long known = cachedUntil.get();
        return known <= now && cachedUntil.compareAndSet(known, RETIRED);
    }

    /** Closes the entry whatever its times are. */
    void discard() {
        cachedUntil.set(RETIRED);
    }

    int reports() {
        return reports;
    }

    /** Returns whether there were reports after those of {@link #recordPurged(int)}. */
    boolean mayBeShared() {
        return reports - purgedReports > 0;
    }

    void recordPurged(int upTo) {
        purgedReports = upTo;
    }

    boolean isStale() {
        return staleUntil != 0;
    }

    long staleUntil() {
        return staleUntil;
    }

    void staleUntil(long until) {
        staleUntil = Math.max(staleUntil, until);
    }

    void clearStale() {
        staleUntil = 0;
    }

    long lastInvalidation() {
        return lastInvalidation;
    }

    void invalidatedAt(long now) {
        lastInvalidation = now;
    }

    void addToFilter(int at) {
        filterPosition = at;
        hashes = BloomHash.all(name);
    }

    void moveTo(int at) {
        filterPosition = at;
    }

    void removeFromFilter() {
        hashes = List.of();
    }

    int filterPosition() {
        return filterPosition;
    }

    List<BloomHash> hashes() {
        return hashes;
    }

    /** Returns how many keys of usual length it counts as. */
    int weight() {
        return 1 + name.length() / USUAL_LENGTH;
    }
}

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

    /** Value of {@code heldUntil} that no report can raise: the entry has left the table. */
    private static final long RETIRED = Long.MIN_VALUE;

    /** Usual number of characters of a key, which take as much memory as the rest of its entry. */
    private static final int USUAL_LENGTH = 200;

    private static final AtomicIntegerFieldUpdater<TrackedKey> REPORTS =
            AtomicIntegerFieldUpdater.newUpdater(TrackedKey.class, "reports");

    private static final AtomicLongFieldUpdater<TrackedKey> HERE =
            AtomicLongFieldUpdater.newUpdater(TrackedKey.class, "hereUntil");
    private static final AtomicLongFieldUpdater<TrackedKey> KNOWN =
            AtomicLongFieldUpdater.newUpdater(TrackedKey.class, "knownElsewhereUntil");

    final String name;
    private final AtomicLong heldUntil;

    /**
     * Until when caches may retain copies that this very server sent, and until when the others of
     * its group know of them.
     */
    private volatile long hereUntil;

    private volatile long knownElsewhereUntil;
    private volatile long staleUntil;
    private volatile long lastInvalidation;

    /**
     * Number of reported reads, and number of those whose copies were purged from shared caches.
     */
    private volatile int reports;

    private volatile int forgotten = -1;

    /**
     * Index of the key in the list of the {@link StaleKeyFilter}, and its hashes; none while it is
     * not in it. Both belong to that filter.
     */
    private int place;

    private List<BloomHash> hashes = List.of();

    /** Next key in the same bucket of the {@link ExpiryWheel}; belongs to the wheel. */
    @Nullable
    TrackedKey next;

    TrackedKey(String name, long heldUntil) {
        this.name = name;
        this.heldUntil = new AtomicLong(heldUntil);
    }

    long heldUntil() {
        return heldUntil.get();
    }

    /**
     * Raises {@code heldUntil} to at least {@code until}. Returns false without a change if this
     * entry has left the table.
     */
    boolean hold(long until) {
        REPORTS.incrementAndGet(this);
        long known = heldUntil.get();
        while (known != RETIRED && known < until && !heldUntil.compareAndSet(known, until)) {
            known = heldUntil.get();
        }
        return known != RETIRED;
    }

    void heldFromHere(long until) {
        var ignored = HERE.accumulateAndGet(this, until, Math::max);
    }

    long hereUntil() {
        return hereUntil;
    }

    void knownElsewhere(long until) {
        var ignored = KNOWN.accumulateAndGet(this, until, Math::max);
    }

    long knownElsewhereUntil() {
        return knownElsewhereUntil;
    }

    /**
     * Closes the entry if no cache retains the key any more. After true no report can be lost in
     * it.
     */
    boolean retire(long now) {
        long known = heldUntil.get();
        return known <= now && heldUntil.compareAndSet(known, RETIRED);
    }

    /** Closes the entry whatever its times are. */
    void forget() {
        heldUntil.set(RETIRED);
    }

    int reports() {
        return reports;
    }

    /** Returns whether there were reports after those of {@link #forgotten(int)}. */
    boolean mayBeShared() {
        return reports - forgotten > 0;
    }

    void forgotten(int upTo) {
        forgotten = upTo;
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

    void fresh() {
        staleUntil = 0;
    }

    long lastInvalidation() {
        return lastInvalidation;
    }

    void invalidatedAt(long now) {
        lastInvalidation = now;
    }

    void enter(int at) {
        place = at;
        hashes = BloomHash.all(name);
    }

    void moveTo(int at) {
        place = at;
    }

    void leave() {
        hashes = List.of();
    }

    int place() {
        return place;
    }

    List<BloomHash> hashes() {
        return hashes;
    }

    /** Returns how many keys of usual length it counts as. */
    int weight() {
        return 1 + name.length() / USUAL_LENGTH;
    }
}

package io.orestes.caching.response;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.model.Principal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cache of responses by key, bounded in bytes, with eviction by recency and frequency
 * (W-TinyLFU). Thread-safe; a hit takes no lock.
 *
 * <p><b>No old state is ever found after {@link #invalidate} has returned.</b> A reader takes a
 * ticket, reads the store, and puts the response. The ticket is the count of invalidations in the
 * key's slot of a fixed table. Two keys may share a slot; that only costs a fill. Comparing the
 * ticket and inserting is one atomic step of the map. So is removing, which comes after counting.
 * If the count came before the comparison, nothing is inserted. If it came after, the removal comes
 * after the insertion and removes the response.
 */
public final class ResponseCache {

    private static final int SLOTS = 1 << 16;

    private final long maxBytes;
    private final InstantSource clock;
    private final AtomicLongArray invalidations = new AtomicLongArray(SLOTS);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private volatile Cache<String, CachedResponse> responses;

    /**
     * Creates an empty cache.
     *
     * @param maxBytes sum of the bodies and a flat charge for each; at least 0
     */
    public ResponseCache(long maxBytes, InstantSource clock) {
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.responses = empty(maxBytes);
    }

    /**
     * Returns the response for {@code key}; empty if there is none for every caller or it has
     * expired. Counts as a hit or a miss.
     */
    public Optional<CachedResponse> get(String key) {
        return get(key, CachedResponse::isPublic);
    }

    /**
     * Returns the response for a caller who may load objects of the class, including guarded ones.
     */
    public Optional<CachedResponse> get(String key, Principal principal) {
        return get(key, found -> found.isReadableBy(principal));
    }

    private Optional<CachedResponse> get(String key, Predicate<CachedResponse> mayLeave) {
        CachedResponse found = responses.getIfPresent(key);
        if (found != null && found.expiresMillis() <= clock.millis()) {
            var ignored = responses.asMap().remove(key, found);
            found = null;
        }
        if (found == null || !mayLeave.test(found)) {
            misses.increment();
            return Optional.empty();
        }
        hits.increment();
        found.countHit();
        return Optional.of(found);
    }

    /** Returns the response for {@code key}, guarded or not, without counting the access. */
    public Optional<CachedResponse> peek(String key) {
        return Optional.ofNullable(responses.policy().getIfPresentQuietly(key))
                .filter(found -> found.expiresMillis() > clock.millis());
    }

    /** Returns whether {@code response} is the cached one for {@code key} now. */
    public boolean holds(String key, CachedResponse response) {
        return responses.getIfPresent(key) == response;
    }

    /** Returns a ticket for {@link #put}; to be called before the store is read. */
    public long issueTicket(String key) {
        return invalidations.get(slot(key));
    }

    /**
     * Returns whether nothing was invalidated under {@code key} since the ticket was taken. May be
     * false without a reason.
     */
    public boolean isCurrent(String key, long ticket) {
        return invalidations.get(slot(key)) == ticket;
    }

    /**
     * Caches a response of a state that was read after taking the ticket, unless the key was
     * invalidated since.
     */
    public void put(String key, long ticket, CachedResponse response) {
        responses.asMap().compute(key, (k, known) -> isCurrent(key, ticket) ? newer(known, response) : known);
    }

    /**
     * Removes the response and returns whether there was one. Fills that began earlier have no
     * effect.
     */
    @CanIgnoreReturnValue
    public boolean invalidate(String key) {
        invalidations.incrementAndGet(slot(key));
        return responses.asMap().remove(key) != null;
    }

    /** Removes all responses; fills under way have no effect. */
    public void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            invalidations.incrementAndGet(slot);
        }
        responses = empty(maxBytes);
    }

    public long maxBytes() {
        return maxBytes;
    }

    public long hitCount() {
        return hits.sum();
    }

    public long missCount() {
        return misses.sum();
    }

    /** Returns the number of cached responses. Does pending evictions first: not for hot paths. */
    public long entryCount() {
        responses.cleanUp();
        return responses.estimatedSize();
    }

    /**
     * Returns the bytes in use, at most the maximum. Does pending evictions first: not for hot
     * paths.
     */
    public long usedBytes() {
        responses.cleanUp();
        return responses.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    private static CachedResponse newer(@Nullable CachedResponse known, CachedResponse fetched) {
        return known == null || known.createdMillis() <= fetched.createdMillis() ? fetched : known;
    }

    private static Cache<String, CachedResponse> empty(long maxBytes) {
        return Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((String key, CachedResponse response) -> 2 * key.length() + response.heapBytes())
                .build();
    }

    private static int slot(String key) {
        int hash = key.hashCode() * 0x9e3779b9;
        return hash >>> 16;
    }
}

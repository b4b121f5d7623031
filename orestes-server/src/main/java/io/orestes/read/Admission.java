package io.orestes.read;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides which queries are worth a place in the cache. While half of the places are free all are; after that a query has
 * to be asked a second time. A Bloom filter remembers who asked once and is emptied now and then (Quaestor §4.3; the
 * "doorkeeper" of TinyLFU §3.4.2). Thread-safe; two concurrent first requests may both count as second.
 */
@SuppressWarnings("UnstableApiUsage")
final class Admission {

    private static final int REMEMBERED = 100_000;

    private final int places;
    private final AtomicInteger remembered = new AtomicInteger();
    private volatile BloomFilter<CharSequence> askedOnce = empty();

    Admission(int places) {
        this.places = places;
    }

    /** Whether the key may take a place, when so many are taken. */
    boolean admits(String key, int taken) {
        return taken < places && (taken < places / 2 || isSecondRequest(key));
    }

    private boolean isSecondRequest(String key) {
        if (remembered.incrementAndGet() > REMEMBERED) {
            remembered.set(0);
            askedOnce = empty();
        }
        return !askedOnce.put(key);
    }

    private static BloomFilter<CharSequence> empty() {
        return BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), REMEMBERED, 0.01);
    }
}

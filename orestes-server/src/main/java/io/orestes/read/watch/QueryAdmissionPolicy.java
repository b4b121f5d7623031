package io.orestes.read.watch;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The admission policy of the query cache: under pressure a query is admitted on its second
 * request. While half of the places are free, all queries are admitted. A Bloom filter records the
 * queries that were requested once, and is emptied periodically (Quaestor §4.3; the "doorkeeper" of
 * TinyLFU §3.4.2). Thread-safe; two concurrent first requests may both count as second.
 */
@SuppressWarnings("UnstableApiUsage")
public final class QueryAdmissionPolicy {

    /**
     * Number of queries in the filter for each place: the sample size of TinyLFU before it halves
     * its counts.
     */
    private static final int REMEMBERED_PER_PLACE = 10;

    private static final int MIN_REMEMBERED = 1_000;
    private static final int MAX_REMEMBERED = 1_000_000;

    private final int places;
    private final int most;
    private final Runnable onEmptied;
    private final AtomicInteger remembered = new AtomicInteger();
    private volatile BloomFilter<CharSequence> askedOnce;

    /** @param onEmptied called each time the filter is emptied */
    public QueryAdmissionPolicy(int places, Runnable onEmptied) {
        this.places = places;
        this.most = (int) Math.min(Math.max(MIN_REMEMBERED, (long) REMEMBERED_PER_PLACE * places), MAX_REMEMBERED);
        this.onEmptied = onEmptied;
        this.askedOnce = empty();
    }

    /** Returns whether the key may take a place, when {@code taken} are in use. */
    public boolean admits(String key, int taken) {
        return taken < places / 2 || isSecondRequest(key);
    }

    private boolean isSecondRequest(String key) {
        if (remembered.incrementAndGet() > most) {
            remembered.set(0);
            askedOnce = empty();
            onEmptied.run();
        }
        return !askedOnce.put(key);
    }

    private BloomFilter<CharSequence> empty() {
        return BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), most, 0.01);
    }
}

package io.orestes.auth.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A counter of failed and concurrent password guesses by key, with exponential back-off. It counts
 * failures in a row. As many guesses run concurrently as could fail before the next back-off, and
 * only one where each failure is followed by a back-off. Not for several threads concurrently.
 */
final class GuessCounter<K> {

    /** Bound on doublings: no configurable back-off is longer than one second doubled so often. */
    private static final int MAX_DOUBLINGS = 40;

    private static final int MAX_ENTRIES = 100_000;

    private final InstantSource clock;
    private final int free;
    private final Duration longestPause;
    private final Cache<K, Failures> failures;
    private final Map<K, Integer> running = new HashMap<>();

    /**
     * @param freeFailures number of failures in a row without back-off, except for the last of them
     * @param longestPause maximum back-off
     * @param expiry time without a failure after which earlier failures no longer count
     */
    GuessCounter(InstantSource clock, int freeFailures, Duration longestPause, Duration expiry) {
        this.clock = clock;
        this.free = freeFailures;
        this.longestPause = longestPause;
        this.failures = Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(expiry)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    private record Failures(int count, Instant closedUntil) {

        private static final Failures NONE = new Failures(0, Instant.MIN);
    }

    /** Returns the time for which guesses are refused from now on; zero if they are not. */
    Duration closedFor(K key) {
        Instant until = failed(key).closedUntil;
        Instant now = clock.instant();
        return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
    }

    /** Returns whether one more guess may run. */
    boolean mayStart(K key) {
        return running.getOrDefault(key, 0) < Math.max(1, free - failed(key).count);
    }

    void startGuess(K key) {
        running.merge(key, 1, Integer::sum);
    }

    void endGuess(K key) {
        running.computeIfPresent(key, (known, number) -> number > 1 ? number - 1 : null);
    }

    /** Counts a failure, and refuses guesses for the key for a while after too many failures. */
    void fail(K key) {
        int count = failed(key).count + 1;
        int excess = count - free;
        failures.put(
                key,
                new Failures(count, excess < 0 ? Instant.MIN : clock.instant().plus(pause(excess))));
    }

    private Duration pause(int excess) {
        Duration doubled = Duration.ofSeconds(1L << Math.min(excess, MAX_DOUBLINGS));
        return doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
    }

    void reset(K key) {
        failures.invalidate(key);
    }

    private Failures failed(K key) {
        Failures past = failures.getIfPresent(key);
        return past == null ? Failures.NONE : past;
    }
}

package io.orestes.coherence;

import io.orestes.system.BloomFilterReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The client's rules to stay within its bound (protocol, section 13.3): it revalidates what the
 * filter contains, what it wrote itself, and everything while it has no filter that is young
 * enough. Single-threaded.
 */
final class ClientGuard {

    /** Maximum age of a filter when it arrives, as Varnish caches it that long for all clients. */
    static final Duration FILTER_LAG = Duration.ofSeconds(1);

    /** Maximum delay of purges behind the filter at which copies of purged caches are used. */
    private static final Duration PURGE_LAG = Duration.ofSeconds(2);

    static final String NEWEST = "no-cache";
    static final String OR_PURGED = "no-cache, or-purged";

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(200);

    private final Duration refresh;
    private final GuardDefect trait;
    private final boolean isNearby;
    private final Duration filterLag;
    private final boolean isForwardOnly;
    private final Map<String, Long> writtenAt = new HashMap<>();
    private final Map<String, Long> revalidatedAt = new HashMap<>();
    private Optional<BloomFilterReader> filter = Optional.empty();
    private Optional<Duration> purgeLag = Optional.empty();
    private long askedAt = Long.MIN_VALUE;
    private long attemptedAt = Long.MIN_VALUE;

    /** Faults of a client. */
    enum GuardDefect {
        SOUND,
        NEVER_RELOADS,
        IGNORES_FILTER
    }

    /** @param isNearby whether copies of purged caches are allowed */
    ClientGuard(Duration refresh, GuardDefect trait, boolean isNearby) {
        this(refresh, trait, isNearby, FILTER_LAG, !isNearby);
    }

    private ClientGuard(
            Duration refresh, GuardDefect trait, boolean isNearby, Duration filterLag, boolean isForwardOnly) {
        this.refresh = refresh;
        this.trait = trait;
        this.isNearby = isNearby;
        this.filterLag = filterLag;
        this.isForwardOnly = isForwardOnly;
    }

    /**
     * Returns the guard of a client of several servers, without a shared cache that keeps filters.
     * During the replication of a write one server may already show it, and another one not yet.
     */
    static ClientGuard ofSeveralServers(Duration refresh) {
        return new ClientGuard(refresh, GuardDefect.SOUND, false, Duration.ZERO, false);
    }

    /** Returns whether a filter has to be loaded before the next read. */
    boolean isDue(long now) {
        return !isYoung(now) && (attemptedAt == Long.MIN_VALUE || now - attemptedAt > BETWEEN_ATTEMPTS.toNanos());
    }

    private boolean isYoung(long now) {
        return filter.isPresent() && (trait == GuardDefect.NEVER_RELOADS || now - askedAt <= refresh.toNanos());
    }

    /** Loads a filter; without one every read is a revalidation. */
    void load(HttpConnection wire) {
        long asked = System.nanoTime();
        attemptedAt = asked;
        filter = Optional.empty();
        try {
            Message answer = wire.send(Message.get("/v1/bloomfilter").with("cache-control", "no-cache"));
            if (answer.status() == 200) {
                take(new BloomFilterReader(BsonDocument.parse(answer.body())), asked);
                purgeLag =
                        seconds(answer, "orestes-purge-lag").filter(lag -> isNearby && lag.compareTo(PURGE_LAG) <= 0);
            }
        } catch (IOException unreachable) {
            // the next read tries again
        }
    }

    private void take(BloomFilterReader loaded, long asked) {
        filter = Optional.of(loaded);
        askedAt = asked;
        revalidatedAt.values().removeIf(began -> began < asked);
        writtenAt.values().removeIf(ended -> ended < asked - behind().toNanos());
    }

    /**
     * The time before the request of a filter from which on writes may be missing in it, and in
     * purged caches.
     */
    private Duration behind() {
        return isNearby ? filterLag.plus(PURGE_LAG) : filterLag;
    }

    private static Optional<Duration> seconds(Message answer, String header) {
        return answer.header(header)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    /** Ignores the purge lag in the filter's answer, which may be wrong. */
    void distrustPurges() {
        purgeLag = Optional.empty();
    }

    /** Returns whether a later read cannot be older than an earlier one. */
    boolean isForwardOnly() {
        return isForwardOnly;
    }

    /** Returns the demand of a read that begins now; empty if any copy is allowed. */
    Optional<String> demand(String key, String target, long now) {
        if (!mustRevalidate(key, target, now)) {
            return Optional.empty();
        }
        return Optional.of(purgeLag.isPresent() && !writtenAt.containsKey(key) ? OR_PURGED : NEWEST);
    }

    /**
     * A revalidation counts for its URL only: another spelling of a query has a copy of its own in
     * Varnish.
     */
    private boolean mustRevalidate(String key, String target, long now) {
        long revalidated = revalidatedAt.getOrDefault(target, Long.MIN_VALUE);
        long written = writtenAt.getOrDefault(key, Long.MIN_VALUE);
        return !isYoung(now)
                || written > revalidated
                || (revalidated == Long.MIN_VALUE
                        && trait != GuardDefect.IGNORES_FILTER
                        && filter.filter(known -> known.contains(key)).isPresent());
    }

    /** Records a revalidation by the time when it began. */
    void revalidated(String target, long began) {
        revalidatedAt.merge(target, began, Math::max);
    }

    /**
     * Returns whether the answer to a write says that it changed no query result that this client
     * may have a copy of.
     */
    boolean hasKeptResults(Message answer) {
        long needed = System.nanoTime() - askedAt + behind().toNanos();
        return filter.isPresent()
                && seconds(answer, "orestes-results-kept")
                        .filter(watched -> watched.toNanos() > needed)
                        .isPresent();
    }

    /** Records an answered write. */
    void wrote(String key) {
        writtenAt.put(key, System.nanoTime());
    }

    /**
     * Returns the time before which all answered writes are seen by a plain read that begins now.
     */
    long coveredFrom(long now) {
        long promised = now - refresh.toNanos();
        long lag = filterLag.plus(purgeLag.orElse(Duration.ZERO)).toNanos();
        return (filter.isPresent() ? Math.max(askedAt, promised) : promised) - lag;
    }

    String describe(String key) {
        return filter.map(known -> "a filter that " + (known.contains(key) ? "contains" : "does not contain") + " it")
                .orElse("no filter");
    }
}

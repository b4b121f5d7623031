package io.orestes.bench.caching;

import io.orestes.bench.client.Site;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchSize;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A page with the SDK in a browser: a cache by {@code max-age} and {@code Age} (RFC 9111 §4.2), and
 * the SDK's guard with its filter, with the rules of {@code js-sdk/src/caching/staleness.ts}. Used
 * by one event loop alone.
 */
final class Browser {

    /**
     * Slack of the SDK in ms: rounding of {@code Date}, twice, and the second for which shared
     * caches may cache the filter.
     */
    private static final long SLACK_MILLIS = 3000;

    /**
     * Constants of the SDK: maximum age of a filter when it arrives, maximum purge lag, and the
     * time when the next filter is loaded.
     */
    private static final long LAG = TimeUnit.SECONDS.toNanos(1);

    private static final long PURGE_LAG = TimeUnit.SECONDS.toNanos(2);
    private static final long AHEAD = PURGE_LAG + TimeUnit.SECONDS.toNanos(1);

    private final Site site;
    private final Map<String, Copy> copies = new HashMap<>();
    private final Map<String, Long> writtenAt = new HashMap<>();
    private final Map<String, Long> revalidatedAt = new HashMap<>();
    private Duration bound;
    private @Nullable Loaded loaded;
    private @Nullable Future<Void> reload;
    private boolean isAhead;

    /** Creates a browser with an empty cache and no filter. */
    Browser(Site site, Duration bound) {
        this.site = site;
        this.bound = bound;
    }

    /** The filter, when its request was sent, and the server's time and purge lag in its answer. */
    private record Loaded(BloomFilter filter, long askedAt, long dateMillis, long purgeLagSeconds) {}

    /**
     * A cached answer.
     *
     * @param expiresAt end of its freshness in nanoseconds
     * @param sharedSeconds time to live in other caches, by the server
     */
    private record Copy(String etag, Buffer body, long expiresAt, long dateMillis, long sharedSeconds) {}

    /** The component that answered a read. */
    enum Source {
        BROWSER,
        VARNISH,
        SERVER
    }

    /** The reason for which a read used caches or not. */
    enum Reason {
        /** No rule forbids a copy. */
        PLAIN,
        /** This page wrote the object, or something of the query's class. */
        WRITTEN,
        /** The filter contains the key. */
        IN_FILTER,
        /** No filter is young enough: one is being loaded. */
        NO_FILTER
    }

    /** An answer. */
    record Read(Buffer body, Source source, Reason reason) {

        /** Returns whether the browser's cache or the shared one had it. */
        boolean isHit() {
            return source != Source.SERVER;
        }
    }

    /** Sets the maximum age of the filter from now on. */
    void bound(Duration staleness) {
        bound = staleness;
    }

    /** Reads an object by its id, or a query by its canonical key. */
    Future<Read> read(String key) {
        long now = System.nanoTime();
        if (isDue(now) && reload == null) {
            isAhead = isWithinBound(now);
            var ignored = load();
        }
        @Nullable Copy copy = copies.get(key);
        Reason reason = reason(key, now);
        return copy != null && reason == Reason.PLAIN && isUsable(key, copy, now)
                ? Future.succeededFuture(new Read(copy.body, Source.BROWSER, reason))
                : fetch(key, copy, reason, now);
    }

    /** Replaces an object; succeeds with the server's answer. */
    Future<Buffer> write(String id, Buffer body) {
        return site.send(HttpMethod.PUT, id, Map.of("Content-Type", "application/json"), body)
                .map(answer -> {
                    copies.remove(id);
                    wrote(id, answer, System.nanoTime());
                    return answer.body();
                });
    }

    private void wrote(String id, Site.Answer answer, long now) {
        writtenAt.put(id, now);
        boolean hasKeptResults =
                loaded != null && answer.resultsKeptSeconds() * 1_000_000_000L > now - loaded.askedAt + LAG + PURGE_LAG;
        if (!hasKeptResults) {
            writtenAt.put(queriesOf(id), now);
        }
    }

    /** Loads the filter, or joins a reload that is under way. */
    Future<Void> reload() {
        isAhead = false;
        return load();
    }

    private Future<Void> load() {
        if (reload == null) {
            long askedAt = System.nanoTime();
            reload = site.send(HttpMethod.GET, "/bloomfilter", Map.of("Cache-Control", "no-cache"), Buffer.buffer())
                    .onSuccess(answer -> accept(answer, askedAt))
                    .onComplete(done -> {
                        reload = null;
                        isAhead = false;
                    })
                    .mapEmpty();
        }
        return reload;
    }

    private void accept(Site.Answer answer, long askedAt) {
        JsonObject message = answer.body().toJsonObject();
        SketchSize size = new SketchSize(message.getInteger("m"), message.getInteger("h"));
        loaded = new Loaded(
                BloomFilter.fromBase64(size, message.getString("b")),
                askedAt,
                answer.dateMillis(),
                answer.purgeLagSeconds());
        writtenAt.values().removeIf(at -> at < askedAt - LAG - PURGE_LAG);
        revalidatedAt.values().removeIf(at -> at < askedAt);
    }

    private boolean isDue(long now) {
        return loaded == null || now - loaded.askedAt > bound.toNanos() - Math.min(AHEAD, bound.toNanos() / 2);
    }

    private boolean isWithinBound(long now) {
        return loaded != null && now - loaded.askedAt <= bound.toNanos();
    }

    private Reason reason(String key, long now) {
        long revalidated = revalidatedAt.getOrDefault(key, Long.MIN_VALUE);
        if (writtenAt.getOrDefault(isQuery(key) ? queriesOf(key) : key, Long.MIN_VALUE) > revalidated) {
            return Reason.WRITTEN;
        }
        if ((reload != null && !isAhead) || loaded == null || !isWithinBound(now)) {
            return Reason.NO_FILTER;
        }
        return revalidated == Long.MIN_VALUE && loaded.filter.contains(key) ? Reason.IN_FILTER : Reason.PLAIN;
    }

    /**
     * Demands a copy of a cache that is purged in time, or one fetched since the filter was
     * requested and this page wrote it.
     */
    private String demand(String key, long now) {
        Long written = writtenAt.get(isQuery(key) ? queriesOf(key) : key);
        if (written == null && isPurged(now)) {
            return "no-cache, or-purged";
        }
        long nanos = loaded == null ? 0 : Math.min(now - loaded.askedAt, bound.toNanos());
        long seconds = Math.min(nanos, written == null ? nanos : now - written) / 1_000_000_000L;
        return seconds < 1 ? "max-age=0" : "max-age=" + seconds;
    }

    private boolean isPurged(long now) {
        if (loaded == null || loaded.purgeLagSeconds < 0) {
            return false;
        }
        long lag = TimeUnit.SECONDS.toNanos(loaded.purgeLagSeconds);
        return lag <= PURGE_LAG && now - loaded.askedAt + lag <= bound.toNanos();
    }

    /**
     * Objects live as long as the server says to browsers, queries as long as it says to other
     * caches.
     */
    private boolean isUsable(String key, Copy copy, long now) {
        if (!isQuery(key) || loaded == null) {
            return now < copy.expiresAt;
        }
        long latest = loaded.dateMillis + SLACK_MILLIS + (now - loaded.askedAt) / 1_000_000;
        return latest - copy.dateMillis <= copy.sharedSeconds * 1000;
    }

    private Future<Read> fetch(String key, @Nullable Copy copy, Reason reason, long now) {
        String cacheControl = reason == Reason.PLAIN ? "" : demand(key, now);
        Map<String, String> headers = new HashMap<>();
        if (copy != null) {
            headers.put("If-None-Match", copy.etag);
        }
        if (!cacheControl.isEmpty()) {
            headers.put("Cache-Control", cacheControl);
        }
        return site.send(HttpMethod.GET, key, headers, Buffer.buffer()).map(answer -> {
            Buffer body = answer.status() == 304 && copy != null ? copy.body : answer.body();
            copies.put(key, copy(answer, body, now));
            if (!cacheControl.isEmpty()) {
                revalidatedAt.put(key, now);
            }
            return new Read(body, answer.isHit() ? Source.VARNISH : Source.SERVER, reason);
        });
    }

    private static Copy copy(Site.Answer answer, Buffer body, long askedAt) {
        long lifetime = answer.seconds("max-age") - answer.ageSeconds();
        return new Copy(
                answer.etag(),
                body,
                askedAt + Math.max(0, lifetime) * 1_000_000_000L,
                answer.dateMillis(),
                answer.seconds("s-maxage"));
    }

    private static boolean isQuery(String key) {
        return key.contains("/query?");
    }

    private static String queriesOf(String key) {
        return key.substring(0, key.indexOf('/', "/db/".length()));
    }
}

package io.orestes.bench;

import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchSize;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page with the SDK in a browser: a cache that goes by {@code max-age} and {@code Age} (RFC 9111 §4.2), and the SDK's guard with
 * its filter, whose rules are those of {@code js-sdk/src/caching/staleness.ts}. Used by one event loop alone.
 */
final class Browser {

    /**
     * As in the SDK: {@code Date} is cut to seconds and made once a second, and for another second shared caches may keep the filter.
     */
    private static final long SLACK_MILLIS = 3000;

    private final Site site;
    private final Map<String, Copy> copies = new HashMap<>();
    private final Map<String, Long> writtenAt = new HashMap<>();
    private final Map<String, Long> revalidatedAt = new HashMap<>();
    private Duration bound;
    private @Nullable Loaded loaded;
    private @Nullable Future<Void> reload;

    /** With an empty cache and no filter. */
    Browser(Site site, Duration bound) {
        this.site = site;
        this.bound = bound;
    }

    /** The filter, when its request was sent, and the server's time in its answer. */
    private record Loaded(BloomFilter filter, long askedAt, long dateMillis) {}

    /**
     * What the browser keeps of an answer.
     *
     * @param expiresAt until when it may be used without asking, as nanoseconds
     * @param sharedSeconds for how long the server lets other caches hold it
     */
    private record Copy(String etag, Buffer body, long expiresAt, long dateMillis, long sharedSeconds) {}

    /**
     * An answer.
     *
     * @param isHit whether a cache had it: the browser's or the shared one
     * @param isOwn whether the browser's had it
     */
    record Read(Buffer body, boolean isHit, boolean isOwn) {}

    /** How old the filter may be from now on. */
    void bound(Duration staleness) {
        bound = staleness;
    }

    /** Reads an object by its id, or a query by its canonical key. */
    Future<Read> read(String key) {
        long now = System.nanoTime();
        if (!isWithinBound(now) && reload == null) {
            var ignored = reload();
        }
        @Nullable Copy copy = copies.get(key);
        boolean mustRevalidate = mustRevalidate(key, now);
        return copy != null && !mustRevalidate && isUsable(key, copy, now)
                ? Future.succeededFuture(new Read(copy.body, true, true))
                : fetch(key, copy, mustRevalidate ? demand(key, now) : "", now);
    }

    /** Replaces an object; succeeds with the server's answer. */
    Future<Buffer> write(String id, Buffer body) {
        return site.send(HttpMethod.PUT, id, Map.of("Content-Type", "application/json"), body)
                .map(answer -> {
                    copies.remove(id);
                    writtenAt.put(id, System.nanoTime());
                    writtenAt.put(queriesOf(id), System.nanoTime());
                    return answer.body();
                });
    }

    /** Loads the filter, or joins a reload that is under way. */
    Future<Void> reload() {
        if (reload == null) {
            long askedAt = System.nanoTime();
            reload = site.send(HttpMethod.GET, "/bloomfilter", Map.of("Cache-Control", "no-cache"), Buffer.buffer())
                    .onSuccess(answer -> accept(answer, askedAt))
                    .onComplete(done -> reload = null)
                    .mapEmpty();
        }
        return reload;
    }

    private void accept(Site.Answer answer, long askedAt) {
        JsonObject message = answer.body().toJsonObject();
        SketchSize size = new SketchSize(message.getInteger("m"), message.getInteger("h"));
        loaded = new Loaded(BloomFilter.fromBase64(size, message.getString("b")), askedAt, answer.dateMillis());
        writtenAt.values().removeIf(at -> at < askedAt);
        revalidatedAt.values().removeIf(at -> at < askedAt);
    }

    private boolean isWithinBound(long now) {
        return loaded != null && now - loaded.askedAt <= bound.toNanos();
    }

    private boolean mustRevalidate(String key, long now) {
        if (reload != null || loaded == null || !isWithinBound(now)) {
            return true;
        }
        long revalidated = revalidatedAt.getOrDefault(key, Long.MIN_VALUE);
        long written = writtenAt.getOrDefault(isQuery(key) ? queriesOf(key) : key, Long.MIN_VALUE);
        return written > revalidated || (revalidated == Long.MIN_VALUE && loaded.filter.contains(key));
    }

    /** A copy fetched since the filter was asked for will do, but for what this page wrote; the SDK's {@code nearby}. */
    private String demand(String key, long now) {
        long nanos = loaded == null ? 0 : Math.min(now - loaded.askedAt, bound.toNanos());
        boolean isOwn = writtenAt.containsKey(isQuery(key) ? queriesOf(key) : key);
        return isOwn || nanos < 1_000_000_000L ? "max-age=0" : "max-age=" + nanos / 1_000_000_000L;
    }

    /** Objects live as long as the server says to browsers, queries as long as it says to other caches. */
    private boolean isUsable(String key, Copy copy, long now) {
        if (!isQuery(key) || loaded == null) {
            return now < copy.expiresAt;
        }
        long latest = loaded.dateMillis + SLACK_MILLIS + (now - loaded.askedAt) / 1_000_000;
        return latest - copy.dateMillis <= copy.sharedSeconds * 1000;
    }

    private Future<Read> fetch(String key, @Nullable Copy copy, String cacheControl, long now) {
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
            return new Read(body, answer.isHit(), false);
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

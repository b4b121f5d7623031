package io.orestes.coherence;

import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP cache of one browser (RFC 9111), shared by its tabs, on a clock that may be wrong.
 * Requests for one URL wait for each other, as in Chromium. Thread-safe.
 */
final class BrowserHttpCache {

    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[ ,])max-age=(\\d+)");
    private static final Pattern FORBIDDEN = Pattern.compile("no-store|no-cache");

    private final Duration skew;
    private final CacheDefect trait;
    private final Map<String, Slot> slots = new ConcurrentHashMap<>();

    /** Faults of a browser. */
    enum CacheDefect {
        SOUND,
        IGNORES_AGE
    }

    /** @param skew difference of its clock from the real time */
    BrowserHttpCache(Duration skew, CacheDefect trait) {
        this.skew = skew;
        this.trait = trait;
    }

    /** The entry of one URL; its lock is taken during a request. */
    private static final class Slot {
        private @Nullable Copy copy;
    }

    /** A stored response; times in milliseconds of the browser's clock. */
    private record Copy(String etag, String body, long receivedAt, long initialAge, long lifetime) {

        boolean isFresh(long now) {
            return lifetime > initialAge + now - receivedAt;
        }
    }

    /** The response to a page. */
    record Loaded(int status, String body, boolean isFromNetwork) {}

    /**
     * Loads a URL; a demand is sent as {@code Cache-Control} and bypasses this cache, like
     * {@code no-cache} of pages.
     */
    Loaded load(String target, Optional<String> demand, HttpConnection wire) throws IOException {
        Slot slot = slots.computeIfAbsent(target, unknown -> new Slot());
        synchronized (slot) {
            Copy copy = slot.copy;
            return copy != null && demand.isEmpty() && copy.isFresh(now())
                    ? new Loaded(200, copy.body, false)
                    : request(slot, target, demand, wire);
        }
    }

    private Loaded request(Slot slot, String target, Optional<String> demand, HttpConnection wire) throws IOException {
        Copy known = slot.copy;
        Message plain = Message.get(target);
        Message request = demand.map(text -> plain.with("cache-control", text)).orElse(plain);
        long sentAt = now();
        Message response = wire.send(known == null ? request : request.with("if-none-match", known.etag));
        String body = response.status() == 304 && known != null ? known.body : response.body();
        int status = response.status() == 304 ? 200 : response.status();
        if (status == 200) {
            slot.copy = copy(response, known, body, sentAt).orElse(null);
        } else if (status < 500) {
            slot.copy = null;
        }
        return new Loaded(status, body, true);
    }

    /** Removes a URL that was written through this browser (RFC 9111 section 4.4). */
    void invalidate(String target) {
        Slot slot = slots.computeIfAbsent(target, unknown -> new Slot());
        synchronized (slot) {
            slot.copy = null;
        }
    }

    private Optional<Copy> copy(Message response, @Nullable Copy known, String body, long sentAt) {
        String control = response.header("cache-control").orElse("");
        Optional<String> etag =
                response.header("etag").or(() -> Optional.ofNullable(known).map(Copy::etag));
        if (control.contains("no-store") || etag.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Copy(etag.get(), body, now(), initialAge(response, sentAt), lifetime(control)));
    }

    /** RFC 9111 section 4.2.3. */
    private long initialAge(Message response, long sentAt) {
        long now = now();
        long apparent = response.header("date")
                .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
                        .toInstant()
                        .toEpochMilli())
                .map(date -> Math.max(0, now - date))
                .orElse(0L);
        long age = trait == CacheDefect.IGNORES_AGE
                ? 0
                : 1000 * response.header("age").map(Long::parseLong).orElse(0L);
        return Math.max(apparent, age + now - sentAt);
    }

    private static long lifetime(String control) {
        Matcher maxAge = MAX_AGE.matcher(control);
        return maxAge.find() && !FORBIDDEN.matcher(control).find() ? 1000 * Long.parseLong(maxAge.group(1)) : 0;
    }

    private long now() {
        return System.currentTimeMillis() + skew.toMillis();
    }
}

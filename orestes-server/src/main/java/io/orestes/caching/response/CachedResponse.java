package io.orestes.caching.response;

import io.orestes.caching.ttl.Ttls;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A response of the response cache, immutable except for the time until which the sketch covers its
 * copies. Times are milliseconds since 1970.
 */
public final class CachedResponse {

    /** Rough heap size of everything but body and texts, in bytes. */
    private static final int OVERHEAD = 256;

    /** The same of an id that a permission names. */
    private static final int ID_BYTES = 96;

    /** How long one that is not for everybody is served, for safety's sake only. */
    private static final long GUARDED_MILLIS = 60_000;

    /**
     * Header values, ready to be sent.
     *
     * @param etag with its quotes
     * @param contentType with its charset
     * @param cacheControl as chosen from the response's times to live
     * @param surrogateKeys separated by blanks; empty for an answer that nobody is told to forget
     */
    public record Headers(String etag, String contentType, String cacheControl, String surrogateKeys) {

        /** Without surrogate keys. */
        public Headers(String etag, String contentType, String cacheControl) {
            this(etag, contentType, cacheControl, "");
        }
    }

    private final Headers headers;
    private final Buffer body;
    private final long version;
    private final Ttls ttls;
    private final long createdMillis;
    private final String boundSeconds;
    private final @Nullable LongAdder hits;
    private final @Nullable Permission readers;
    private volatile long reportedUntilMillis;
    private final AtomicBoolean isBeingReported = new AtomicBoolean();

    /**
     * A response made from a state that was current at {@code createdMillis}.
     *
     * @param version the object's version; for a query result whatever tells two results apart
     */
    public CachedResponse(Headers headers, Buffer body, long version, Ttls ttls, long createdMillis) {
        this(headers, body, version, ttls, createdMillis, null, null);
    }

    private CachedResponse(
            Headers headers,
            Buffer body,
            long version,
            Ttls ttls,
            long createdMillis,
            @Nullable LongAdder hits,
            @Nullable Permission readers) {
        this.headers = headers;
        this.body = body;
        this.version = version;
        this.ttls = ttls;
        this.createdMillis = createdMillis;
        this.hits = hits;
        this.readers = readers;
        this.boundSeconds = Long.toString(ttls.longestMillis() / 1000);
    }

    /** The same, each hit of which is to be counted. */
    public CachedResponse countedIn(LongAdder hits) {
        return new CachedResponse(headers, body, version, ttls, createdMillis, hits, readers);
    }

    /**
     * The same for some only: nobody keeps it but this server, which asks each time whether the
     * caller is one of them.
     */
    public CachedResponse guardedBy(Permission readers) {
        return new CachedResponse(headers, body, version, Ttls.NONE, createdMillis, hits, readers);
    }

    /** Whether it may be sent without asking for whom. */
    public boolean isForEverybody() {
        return readers == null;
    }

    /** Whether it may be sent to somebody who may load objects of the class. */
    boolean isFor(Principal principal) {
        return readers == null || readers.permits(principal);
    }

    void noteHit() {
        if (hits != null) {
            hits.increment();
        }
    }

    public Headers headers() {
        return headers;
    }

    /** Shared by all requests; never to be written to. */
    public Buffer body() {
        return body;
    }

    public long version() {
        return version;
    }

    /** How long caches may keep a copy from when it leaves the server. */
    public Ttls ttls() {
        return ttls;
    }

    public long createdMillis() {
        return createdMillis;
    }

    /** How many seconds after it left the server a copy is used at most, as a header says it. */
    public String boundSeconds() {
        return boundSeconds;
    }

    /** From then on it is not served any more, for safety's sake only: changes drop it at once. */
    public long expiresMillis() {
        return createdMillis + (readers == null ? ttls.longestMillis() : GUARDED_MILLIS);
    }

    /** Until when a copy that leaves the server now may be used. */
    public long usableUntilMillis(long now) {
        return now + ttls.longestMillis();
    }

    /** Until when the sketch knows that caches may hold this response. */
    public long reportedUntilMillis() {
        return reportedUntilMillis;
    }

    /**
     * To be called after the report to the sketch. Of concurrent calls any may win: too low only
     * costs a report.
     */
    public void reportedUntilMillis(long until) {
        reportedUntilMillis = until;
    }

    /**
     * Whether nobody else is telling other servers of further copies; who is has to say so when
     * that has ended.
     */
    public boolean beginReport() {
        return isBeingReported.compareAndSet(false, true);
    }

    public void endReport() {
        isBeingReported.set(false);
    }

    int weight() {
        int texts = headers.etag().length()
                + headers.contentType().length()
                + headers.cacheControl().length()
                + headers.surrogateKeys().length();
        int ids = readers == null
                ? 0
                : readers.allowed().size() + readers.denied().size();
        return OVERHEAD + body.length() + texts + ID_BYTES * ids;
    }
}

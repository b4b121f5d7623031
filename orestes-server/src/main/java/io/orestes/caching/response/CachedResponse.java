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

    /** Rough heap size of an id that a permission names, in bytes. */
    private static final int ID_BYTES = 96;

    /** Time in ms for which a guarded response is served; only a safety limit. */
    private static final long GUARDED_MILLIS = 60_000;

    /**
     * Header values, ready to be sent.
     *
     * @param etag with its quotes
     * @param contentType with its charset
     * @param cacheControl as chosen from the response's times to live
     * @param surrogateKeys separated by blanks; empty for a response that is never purged
     */
    public record Headers(String etag, String contentType, String cacheControl, String surrogateKeys) {

        /** Creates headers without surrogate keys. */
        public Headers(String etag, String contentType, String cacheControl) {
            this(etag, contentType, cacheControl, "");
        }
    }

    private final Headers headers;
    private final Buffer body;
    private final long version;
    private final Ttls ttls;
    private final long createdMillis;
    private final String maxUseSeconds;
    private final @Nullable LongAdder hits;
    private final @Nullable Permission readers;
    private volatile long reportedUntilMillis;
    private final AtomicBoolean isBeingReported = new AtomicBoolean();

    /**
     * Creates a response from a state that was current at {@code createdMillis}.
     *
     * @param version the object's version; for a query result any number that differs between
     *     results
     */
    public CachedResponse(Headers headers, Buffer body, long version, Ttls ttls, long createdMillis) {
        this.headers = headers;
        this.body = body;
        this.version = version;
        this.ttls = ttls;
        this.createdMillis = createdMillis;
        this.hits = null;
        this.readers = null;
        this.maxUseSeconds = Long.toString(ttls.longestMillis() / 1000);
    }

    /** Creates a copy that no cache has reported yet. */
    private CachedResponse(CachedResponse source, Ttls ttls, @Nullable LongAdder hits, @Nullable Permission readers) {
        this.headers = source.headers;
        this.body = source.body;
        this.version = source.version;
        this.ttls = ttls;
        this.createdMillis = source.createdMillis;
        this.hits = hits;
        this.readers = readers;
        this.maxUseSeconds = Long.toString(ttls.longestMillis() / 1000);
    }

    /** Returns a copy whose hits are counted in {@code hits}. */
    public CachedResponse withHitCounter(LongAdder hits) {
        return new CachedResponse(this, ttls, hits, readers);
    }

    /**
     * Returns a copy for some callers only. Only this server stores it, and checks the permission
     * of each caller.
     */
    public CachedResponse withReaders(Permission readers) {
        return new CachedResponse(this, Ttls.NONE, hits, readers);
    }

    /** Returns whether it may be sent to any caller. */
    public boolean isPublic() {
        return readers == null;
    }

    /** Returns whether it may be sent to a caller who may load objects of the class. */
    boolean isReadableBy(Principal principal) {
        return readers == null || readers.permits(principal);
    }

    void countHit() {
        if (hits != null) {
            hits.increment();
        }
    }

    public Headers headers() {
        return headers;
    }

    /** Returns the body, which all requests share and nobody may change. */
    public Buffer body() {
        return body;
    }

    public long version() {
        return version;
    }

    /** Returns how long caches may retain a copy from when it leaves the server. */
    public Ttls ttls() {
        return ttls;
    }

    public long createdMillis() {
        return createdMillis;
    }

    /**
     * Returns how many seconds after it left the server a copy is used at most, as a header value.
     */
    public String maxUseSeconds() {
        return maxUseSeconds;
    }

    /**
     * Returns the time from which it is not served any more. It is only a safety limit, because
     * changes evict it at once.
     */
    public long expiresMillis() {
        return createdMillis + (readers == null ? ttls.longestMillis() : GUARDED_MILLIS);
    }

    /** Returns until when a copy that leaves the server now may be used. */
    public long usableUntilMillis(long now) {
        return now + ttls.longestMillis();
    }

    /** Returns the time until which the sketch covers copies of this response. */
    public long reportedUntilMillis() {
        return reportedUntilMillis;
    }

    /**
     * Sets the covered time; to be called after the report to the sketch. Of concurrent calls any
     * may win: too low a time only costs a report.
     */
    public void setReportedUntilMillis(long until) {
        reportedUntilMillis = until;
    }

    /**
     * Returns whether the caller may report further copies to other servers. False until
     * {@link #endReport} while another report is under way. After true the caller must end its own.
     */
    public boolean tryBeginReport() {
        return isBeingReported.compareAndSet(false, true);
    }

    public void endReport() {
        isBeingReported.set(false);
    }

    int heapBytes() {
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

package io.orestes.caching.sketch;

import com.google.common.base.Suppliers;
import com.google.common.hash.Hashing;
import io.orestes.wire.Gzip;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * A snapshot of the Bloom filter of stale keys in the wire form that clients load. Filter, tag and
 * body are shared by all requests until the filter changes.
 *
 * @param filter the stale keys
 * @param etag differs when the filter differs, also between two runs of the server; without
 *     quotes
 * @param body the wire form, JSON; must not be changed
 * @param zipped the wire form in gzip, made on first use: with few stale keys it is mostly
 *     zeros
 * @param takenAtMillis every invalidation that ended before this time, milliseconds since 1970,
 *     is in the filter
 */
public record SketchSnapshot(
        BloomFilter filter, String etag, Buffer body, Supplier<Buffer> zipped, long takenAtMillis) {

    static SketchSnapshot of(BloomFilter filter, long now) {
        byte[] json = filter.toJson().getBytes(StandardCharsets.US_ASCII);
        String etag = Hashing.murmur3_128().hashBytes(json).toString();
        Buffer body = Buffer.buffer(json);
        return new SketchSnapshot(filter, etag, body, Suppliers.memoize(() -> Gzip.compress(body)), now);
    }

    /** Returns a snapshot of the same filter that is current at {@code now}. */
    SketchSnapshot at(long now) {
        return new SketchSnapshot(filter, etag, body, zipped, now);
    }
}

package io.invalidb.matching.cell;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.value.HeapSize;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A write with its number in the write stream, or a note of a write without its content. A retained
 * write is itself a link of {@link RetainedWriteList}, which needs no further objects.
 * Single-threaded.
 */
final class RetainedWrite {

    /** Heap of a note and its entries in the tables, in bytes. */
    private static final long STUB_BYTES = 192;

    /** Heap of a write without its after-image, in bytes. */
    private static final long WRITE_BYTES = 256;

    private final RetainedWrites.Bucket bucket;
    private final long sequence;
    private final String id;
    private final VersionStamp versionStamp;
    private final @Nullable WriteEvent write;
    private final long bytes;
    private final long arrivedMillis;
    private long highestSequence;
    private @Nullable RetainedWrite elder;
    private @Nullable RetainedWrite younger;

    private RetainedWrite(
            RetainedWrites.Bucket bucket,
            Arrival arrival,
            String id,
            VersionStamp versionStamp,
            @Nullable WriteEvent write) {
        this.bucket = bucket;
        this.sequence = arrival.sequence();
        this.id = id;
        this.versionStamp = versionStamp;
        this.write = write;
        this.bytes = write == null ? STUB_BYTES : bytes(write);
        this.arrivedMillis = arrival.time().toEpochMilli();
    }

    private static long bytes(WriteEvent write) {
        return WRITE_BYTES
                + write.upsert().map(upsert -> HeapSize.of(upsert.afterImage())).orElse(0L);
    }

    static RetainedWrite whole(RetainedWrites.Bucket bucket, Arrival arrival, WriteEvent write) {
        return new RetainedWrite(bucket, arrival, write.id(), write.stamp(), write);
    }

    static RetainedWrite stub(RetainedWrites.Bucket bucket, Arrival arrival, String id, VersionStamp versionStamp) {
        return new RetainedWrite(bucket, arrival, id, versionStamp, null);
    }

    RetainedWrites.Bucket bucket() {
        return bucket;
    }

    long sequence() {
        return sequence;
    }

    /** Returns the maximum sequence number of this write and all that arrived before it. */
    long highestSequence() {
        return highestSequence;
    }

    void highestSequence(long highest) {
        highestSequence = highest;
    }

    String id() {
        return id;
    }

    VersionStamp stamp() {
        return versionStamp;
    }

    /** Returns the write; empty for a note. */
    Optional<WriteEvent> write() {
        return Optional.ofNullable(write);
    }

    /** Returns the estimated heap in bytes. */
    long bytes() {
        return bytes;
    }

    /** Returns the time of arrival in milliseconds since 1970. */
    long arrivedMillis() {
        return arrivedMillis;
    }

    @Nullable
    RetainedWrite elder() {
        return elder;
    }

    @Nullable
    RetainedWrite younger() {
        return younger;
    }

    void elder(@Nullable RetainedWrite before) {
        elder = before;
    }

    void younger(@Nullable RetainedWrite after) {
        younger = after;
    }
}

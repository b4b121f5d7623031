package io.invalidb.matching.cell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An intrusive doubly linked list of the retained writes of all buckets, in order of arrival. The
 * writes themselves contain the links. Single-threaded.
 */
final class RetainedWriteList {

    private @Nullable RetainedWrite eldest;
    private @Nullable RetainedWrite youngest;
    private int writes;
    private long bytes;

    void append(RetainedWrite write) {
        write.elder(youngest);
        write.highestSequence(write.sequence());
        if (youngest == null) {
            eldest = write;
        } else {
            youngest.younger(write);
            write.highestSequence(Math.max(write.sequence(), youngest.highestSequence()));
        }
        youngest = write;
        writes++;
        bytes += write.bytes();
    }

    void remove(RetainedWrite write) {
        RetainedWrite elder = write.elder();
        RetainedWrite younger = write.younger();
        if (elder == null) {
            eldest = younger;
        } else {
            elder.younger(younger);
        }
        if (younger == null) {
            youngest = elder;
        } else {
            younger.elder(elder);
        }
        writes--;
        bytes -= write.bytes();
    }

    /**
     * Returns the writes with larger sequence numbers, in order; takes time for these, not for all
     * retained writes.
     */
    List<RetainedWrite> since(long sequence) {
        List<RetainedWrite> since = new ArrayList<>();
        for (RetainedWrite write = youngest;
                write != null && write.highestSequence() > sequence;
                write = write.elder()) {
            if (write.sequence() > sequence) {
                since.add(write);
            }
        }
        Collections.reverse(since);
        return since;
    }

    /** Returns whether the number or the bytes exceed the limits. */
    boolean exceeds(RetentionLimits retention) {
        return writes > retention.writes() || (bytes > retention.maxBytes() && writes > 1);
    }

    /** Returns whether the oldest write arrived before that time, in milliseconds since 1970. */
    boolean beginsBefore(long millis) {
        return eldest != null && eldest.arrivedMillis() < millis;
    }

    /** Returns the write that arrived first; there must be one. */
    RetainedWrite eldest() {
        if (eldest == null) {
            throw new IllegalStateException("Nothing is retained");
        }
        return eldest;
    }
}

package io.invalidb.matching;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An intrusive doubly linked list of the retained writes of all buckets, in order of arrival. The
 * writes themselves hold the links. Single-threaded.
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
     * The writes with larger sequence numbers than that, in order; takes time for what came since,
     * not for all that is kept.
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

    /** Whether there are more writes, or more bytes, than may be kept. */
    boolean exceeds(Retention retention) {
        return writes > retention.writes() || (bytes > retention.maxBytes() && writes > 1);
    }

    /** Whether the eldest came before that time, in milliseconds since 1970. */
    boolean beginsBefore(long millis) {
        return eldest != null && eldest.arrivedMillis() < millis;
    }

    /** The write that came first; there must be one. */
    RetainedWrite eldest() {
        if (eldest == null) {
            throw new IllegalStateException("Nothing is retained");
        }
        return eldest;
    }
}

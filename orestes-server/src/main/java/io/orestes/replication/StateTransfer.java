package io.orestes.replication;

import io.orestes.caching.sketch.SketchContents;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A state transfer: an iterator that cuts the contents of a sketch into messages of moderate size.
 * Each message is made when it is asked for. Used by one thread.
 */
final class StateTransfer implements Iterator<PeerMessage> {

    /** Of a part, but for its last key. */
    private static final int MOST_BYTES = 256 << 10;

    /** What a key takes beside its name: three times, and where it is in the array. */
    private static final int BYTES_BESIDE_NAME = 64;

    /** Names are told in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    private final SketchContents memory;
    private final boolean isComplete;
    private int next;
    private boolean isOver;

    /** @param isComplete whether the teller knows all that the group ever handed out */
    StateTransfer(SketchContents memory, boolean isComplete) {
        this.memory = memory;
        this.isComplete = isComplete;
    }

    @Override
    public boolean hasNext() {
        return !isOver;
    }

    /** There is at least one, also of a sketch that knows nothing. */
    @Override
    public PeerMessage next() {
        if (isOver) {
            throw new NoSuchElementException("All parts were told");
        }
        List<SketchContents.SketchEntry> keys = memory.keys();
        int from = next;
        long bytes = 0;
        while (next < keys.size() && bytes < MOST_BYTES) {
            bytes += bytes(keys.get(next));
            next++;
        }
        isOver = next == keys.size();
        SketchContents part = new SketchContents(
                memory.untrackedUntilMillis(), memory.allStaleUntilMillis(), keys.subList(from, next));
        return new PeerMessage.StateChunk(part, isOver, isComplete);
    }

    private static long bytes(SketchContents.SketchEntry key) {
        return BYTES_BESIDE_NAME + (long) BYTES_PER_CHARACTER * key.name().length();
    }
}

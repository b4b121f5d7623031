package io.orestes.replication;

import io.orestes.caching.sketch.SketchContents;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The iterator of a state transfer, which cuts the contents of a sketch into messages of moderate
 * size. Each message is made on demand. Used by one thread.
 */
final class SketchChunker implements Iterator<PeerMessage> {

    /** Maximum size of a chunk in bytes, without its last key. */
    private static final int MAX_CHUNK_BYTES = 256 << 10;

    /** Bytes of a key beside its name: three times and its index in the array. */
    private static final int BYTES_BESIDE_NAME = 64;

    /** Maximum bytes of a character in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    private final SketchContents memory;
    private final boolean isComplete;
    private int next;
    private boolean isFinished;

    /** @param isComplete whether the sender's sketch covers all copies that the group ever sent */
    SketchChunker(SketchContents contents, boolean isComplete) {
        this.memory = contents;
        this.isComplete = isComplete;
    }

    @Override
    public boolean hasNext() {
        return !isFinished;
    }

    /** Returns the next chunk. There is at least one, also of an empty sketch. */
    @Override
    public PeerMessage next() {
        if (isFinished) {
            throw new NoSuchElementException("All chunks were sent");
        }
        List<SketchContents.SketchEntry> keys = memory.keys();
        int from = next;
        long bytes = 0;
        while (next < keys.size() && bytes < MAX_CHUNK_BYTES) {
            bytes += bytes(keys.get(next));
            next++;
        }
        isFinished = next == keys.size();
        SketchContents part = new SketchContents(
                memory.untrackedUntilMillis(), memory.allStaleUntilMillis(), keys.subList(from, next));
        return new PeerMessage.StateChunk(part, isFinished, isComplete);
    }

    private static long bytes(SketchContents.SketchEntry key) {
        return BYTES_BESIDE_NAME + (long) BYTES_PER_CHARACTER * key.name().length();
    }
}

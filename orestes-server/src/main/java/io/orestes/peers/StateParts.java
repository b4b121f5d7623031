package io.orestes.peers;

import io.orestes.caching.sketch.SketchMemory;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Cuts what a sketch knows into messages of moderate size, each of which is made when it is asked for. Used by one thread. */
final class StateParts implements Iterator<Message> {

    /** Of a part, but for its last key. */
    private static final int MOST_BYTES = 256 << 10;

    /** What a key takes beside its name: three times, and where it is in the array. */
    private static final int BYTES_BESIDE_NAME = 64;

    /** Names are told in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    private final SketchMemory memory;
    private final boolean isComplete;
    private int next;
    private boolean isOver;

    /** @param isComplete whether the teller knows all that the group ever handed out */
    StateParts(SketchMemory memory, boolean isComplete) {
        this.memory = memory;
        this.isComplete = isComplete;
    }

    @Override
    public boolean hasNext() {
        return !isOver;
    }

    /** There is at least one, also of a sketch that knows nothing. */
    @Override
    public Message next() {
        if (isOver) {
            throw new NoSuchElementException("All parts were told");
        }
        List<SketchMemory.Key> keys = memory.keys();
        int from = next;
        long bytes = 0;
        while (next < keys.size() && bytes < MOST_BYTES) {
            bytes += bytes(keys.get(next));
            next++;
        }
        isOver = next == keys.size();
        SketchMemory part =
                new SketchMemory(memory.untrackedUntilMillis(), memory.allStaleUntilMillis(), keys.subList(from, next));
        return new Message.State(part, isOver, isComplete);
    }

    private static long bytes(SketchMemory.Key key) {
        return BYTES_BESIDE_NAME + (long) BYTES_PER_CHARACTER * key.name().length();
    }
}

package io.invalidb.matching;

import io.invalidb.model.WriteEvent;

/**
 * A write with its place in the stream.
 *
 * @param bytes what it occupies on the heap, about
 */
record RetainedWrite(long sequence, WriteEvent write, long bytes) {

    RetainedWrite(long sequence, WriteEvent write) {
        this(sequence, write, HeapSize.of(write));
    }
}

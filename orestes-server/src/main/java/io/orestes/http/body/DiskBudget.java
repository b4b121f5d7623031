package io.orestes.http.body;

import io.vertx.core.file.FileSystemProps;
import java.util.function.ToLongFunction;

/**
 * The disk budget of all request bodies that are stored in files: half of the disk space that would
 * be free without them. The other half is for the imported objects, which need as much again. The
 * free space is measured whenever a body begins. The announced length of a body is reserved at its
 * beginning, so that of several large bodies the last is refused before it is sent. Shared by all
 * event loops.
 */
public final class DiskBudget {

    private final ToLongFunction<FileSystemProps> usable;
    private long maxBytes = Long.MAX_VALUE;
    private long reserved;
    private long written;

    public DiskBudget() {
        this(FileSystemProps::usableSpace);
    }

    /** @param usable returns the free bytes of a disk */
    DiskBudget(ToLongFunction<FileSystemProps> usable) {
        this.usable = usable;
    }

    /** Returns the number of reserved bytes. */
    synchronized long takenBytes() {
        return reserved;
    }

    /** Creates the reservation of a body that is about to begin, of 0 bytes. */
    Reservation newReservation() {
        return new Reservation();
    }

    /** The reservation of one request body in the disk budget. Used by one event loop. */
    final class Reservation {

        private long mine;
        private long come;

        private Reservation() {}

        /** Reserves the announced length, by the current free space of the disk; 0 without one. */
        boolean reserveAnnounced(FileSystemProps disk, long announced) {
            synchronized (DiskBudget.this) {
                maxBytes = (usable.applyAsLong(disk) + written) / 2;
                return grow(announced);
            }
        }

        /** Reserves space for the received part of the body, in bytes. */
        boolean reserve(long size) {
            synchronized (DiskBudget.this) {
                boolean isThere = grow(size);
                if (isThere) {
                    written += size - come;
                    come = size;
                }
                return isThere;
            }
        }

        private boolean grow(long size) {
            long more = Math.max(0, size - mine);
            boolean isThere = reserved + more <= maxBytes;
            if (isThere) {
                reserved += more;
                mine += more;
            }
            return isThere;
        }

        /** Releases the whole reservation; idempotent. */
        void release() {
            synchronized (DiskBudget.this) {
                reserved -= mine;
                written -= come;
                mine = 0;
                come = 0;
            }
        }
    }
}

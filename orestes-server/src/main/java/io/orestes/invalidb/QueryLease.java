package io.orestes.invalidb;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reference-counted lease that keeps one query active in InvaliDB until it is released. A second
 * release has no effect. Thread-safe.
 */
public final class QueryLease {

    private final Runnable onRelease;
    private final AtomicBoolean released = new AtomicBoolean();

    QueryLease(Runnable onRelease) {
        this.onRelease = onRelease;
    }

    /** Releases the query; the release of the last lease deactivates it. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            onRelease.run();
        }
    }
}

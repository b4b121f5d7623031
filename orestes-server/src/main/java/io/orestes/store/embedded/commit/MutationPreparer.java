package io.orestes.store.embedded.commit;

import com.google.common.util.concurrent.MoreExecutors;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.embedded.database.RocksDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A background worker that computes expensive updates ahead, so that they do not block the
 * committer. It has a thread of its own. Only one update at a time is prepared or waits for the
 * committer afterwards. So these updates do not fail each other, and only one takes memory. Used by
 * the committer's thread alone.
 */
final class MutationPreparer {

    private static final int MAX_QUEUED = 1_000;
    private static final Duration MAX_STOP_WAIT = Duration.ofMinutes(1);

    private final RocksDatabase rocksDatabase;
    private final InstantSource clock;
    private final CommitterQueue prepared;
    private final Queue<Mutation<?>> waiting = new ArrayDeque<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(MutationPreparer::named);
    private @Nullable Mutation<?> current;

    /** @param prepared queue for prepared mutations */
    MutationPreparer(RocksDatabase rocksDatabase, InstantSource clock, CommitterQueue prepared) {
        this.rocksDatabase = rocksDatabase;
        this.clock = clock;
        this.prepared = prepared;
    }

    private static Thread named(Runnable work) {
        Thread thread = new Thread(work, "orestes-store-preparer");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Removes the current mutation if the committer has evaluated it, adds those that have to be
     * prepared, and starts the next one.
     */
    void schedule(List<Mutation<?>> met, List<Mutation<?>> unprepared, CompletionBatch completionBatch) {
        if (current != null && met.contains(current)) {
            current = null;
        }
        unprepared.forEach(mutation -> add(mutation, completionBatch));
        if (current == null && !waiting.isEmpty()) {
            begin(waiting.remove());
        }
    }

    private void add(Mutation<?> mutation, CompletionBatch completionBatch) {
        if (waiting.size() < MAX_QUEUED) {
            waiting.add(mutation);
        } else {
            mutation.abort(
                    new ApiException(ErrorCode.UNAVAILABLE, "Too many updates of large objects are waiting"),
                    completionBatch);
        }
    }

    private void begin(Mutation<?> mutation) {
        current = mutation;
        thread.execute(() -> {
            try {
                mutation.prepare(rocksDatabase, clock);
            } finally {
                prepared.requeue(mutation);
            }
        });
    }

    /**
     * Ends the thread, which first adds its current mutation to the queue; returns the mutations
     * that will not be prepared.
     */
    List<CommitterTask> stop() {
        boolean unused = MoreExecutors.shutdownAndAwaitTermination(thread, MAX_STOP_WAIT);
        return new ArrayList<>(waiting);
    }
}

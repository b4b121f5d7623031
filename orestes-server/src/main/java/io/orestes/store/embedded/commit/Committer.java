package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.embedded.database.RocksDatabase;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The single writer thread of the store, which makes groups of mutations durable by one synced
 * write (group commit). It takes all waiting mutations, evaluates them in order of arrival, and
 * completes their futures only after the write to the log. Incremental tasks run between groups,
 * one step at a time. Another thread first prepares mutations that would take long to evaluate.
 */
public final class Committer {

    private static final int MAX_QUEUED = 100_000;
    private static final int MAX_GROUP_SIZE = 1_000;

    private final RocksDatabase rocksDatabase;
    private final EmbeddedIndexCatalog catalog;
    private final InstantSource clock;
    private final CommitterQueue queue = new CommitterQueue(MAX_QUEUED);
    private final Queue<IncrementalTask> chores = new ArrayDeque<>();
    private final MutationPreparer mutationPreparer;
    private final Thread thread = new Thread(this::run, "orestes-store-committer");

    public Committer(RocksDatabase rocksDatabase, EmbeddedIndexCatalog catalog, InstantSource clock) {
        this.rocksDatabase = rocksDatabase;
        this.catalog = catalog;
        this.clock = clock;
        this.mutationPreparer = new MutationPreparer(rocksDatabase, clock, queue);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /**
     * Enqueues a task; fails with {@code UNAVAILABLE} if the queue is full or the store is closed.
     */
    public void submit(CommitterTask committerTask) {
        queue.add(committerTask);
    }

    /**
     * Accepts no more tasks, completes all mutations in the queue, aborts incremental tasks and
     * unprepared mutations, and stops. Blocks until then.
     */
    public void stop() throws InterruptedException {
        queue.close();
        thread.join();
    }

    private void run() {
        try {
            List<CommitterTask> taken = next();
            while (!taken.isEmpty() || !queue.isClosed()) {
                process(taken);
                taken = next();
            }
        } finally {
            queue.close();
            abandon(mutationPreparer.stop());
            abandon(queue.poll(Integer.MAX_VALUE));
            abandon(chores);
        }
    }

    private List<CommitterTask> next() {
        return chores.isEmpty() ? queue.take(MAX_GROUP_SIZE) : queue.poll(MAX_GROUP_SIZE);
    }

    private void process(List<CommitterTask> taken) {
        List<Mutation<?>> mutations = new ArrayList<>(taken.size());
        taken.forEach(committerTask -> committerTask.addTo(mutations, chores));
        commit(mutations);
        advanceChores();
    }

    private void commit(List<Mutation<?>> mutations) {
        CompletionBatch completionBatch = new CompletionBatch();
        List<Mutation<?>> evaluated = new ArrayList<>(mutations.size());
        List<Mutation<?>> unprepared = new ArrayList<>();
        try (CommitGroup commitGroup = new CommitGroup(rocksDatabase, catalog, clock)) {
            mutations.forEach(mutation -> (mutation.evaluate(commitGroup) ? evaluated : unprepared).add(mutation));
            commitGroup.commit();
            evaluated.forEach(mutation -> mutation.addCompletion(completionBatch));
        } catch (RuntimeException e) {
            unprepared.clear();
            mutations.forEach(mutation -> mutation.abort(ApiException.of(e), completionBatch));
        }
        mutationPreparer.schedule(mutations, unprepared, completionBatch);
        completionBatch.deliver();
    }

    private void advanceChores() {
        IncrementalTask incrementalTask = chores.poll();
        if (incrementalTask != null && advance(incrementalTask)) {
            chores.add(incrementalTask);
        }
    }

    private static boolean advance(IncrementalTask incrementalTask) {
        CompletionBatch completionBatch = new CompletionBatch();
        boolean hasMore = false;
        try {
            hasMore = incrementalTask.step(completionBatch);
        } catch (RuntimeException e) {
            incrementalTask.abort(ApiException.of(e), completionBatch);
        }
        completionBatch.deliver();
        return hasMore;
    }

    private static void abandon(Iterable<? extends CommitterTask> rest) {
        CompletionBatch completionBatch = new CompletionBatch();
        rest.forEach(committerTask ->
                committerTask.abort(new ApiException(ErrorCode.UNAVAILABLE, "The store is closed"), completionBatch));
        completionBatch.deliver();
    }
}

package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The one thread that writes. It takes whatever mutations wait, evaluates them in order of arrival, makes them durable by
 * one synced write to the log (group commit), and only then answers. Chores run between groups, a step at a time. What would take long to
 * evaluate has another thread prepare it first.
 */
final class Committer {

    private static final int MOST_WAITING = 100_000;
    private static final int MOST_IN_GROUP = 1_000;

    private final Database database;
    private final IndexCatalog catalog;
    private final InstantSource clock;
    private final WorkQueue queue = new WorkQueue(MOST_WAITING);
    private final Queue<Chore> chores = new ArrayDeque<>();
    private final Preparer preparer;
    private final Thread thread = new Thread(this::run, "orestes-store-committer");

    Committer(Database database, IndexCatalog catalog, InstantSource clock) {
        this.database = database;
        this.catalog = catalog;
        this.clock = clock;
        this.preparer = new Preparer(database, clock, queue);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Adds work to do; fails with {@code UNAVAILABLE} if there is too much of it already or the store is closed. */
    void submit(Work work) {
        queue.add(work);
    }

    /**
     * Takes no more work, finishes all mutations that wait here, gives up chores and what still has to be prepared, and stops. Blocks until
     * then.
     */
    void stop() throws InterruptedException {
        queue.close();
        thread.join();
    }

    private void run() {
        try {
            List<Work> taken = next();
            while (!taken.isEmpty() || !queue.isClosed()) {
                process(taken);
                taken = next();
            }
        } finally {
            queue.close();
            abandon(preparer.stop());
            abandon(queue.poll(Integer.MAX_VALUE));
            abandon(chores);
        }
    }

    private List<Work> next() {
        return chores.isEmpty() ? queue.take(MOST_IN_GROUP) : queue.poll(MOST_IN_GROUP);
    }

    private void process(List<Work> taken) {
        List<Mutation<?>> group = new ArrayList<>(taken.size());
        for (Work work : taken) {
            if (work instanceof Mutation<?> mutation) {
                group.add(mutation);
            } else if (work instanceof Chore chore) {
                chores.add(chore);
            }
        }
        commit(group);
        advanceChores();
    }

    private void commit(List<Mutation<?>> mutations) {
        Replies replies = new Replies();
        List<Mutation<?>> evaluated = new ArrayList<>(mutations.size());
        List<Mutation<?>> unprepared = new ArrayList<>();
        try (Group group = new Group(database, catalog, clock)) {
            mutations.forEach(mutation -> (mutation.evaluate(group) ? evaluated : unprepared).add(mutation));
            group.commit();
            evaluated.forEach(mutation -> mutation.answer(replies));
        } catch (RuntimeException e) {
            unprepared.clear();
            mutations.forEach(mutation -> mutation.abort(ApiException.of(e), replies));
        }
        preparer.goOn(mutations, unprepared, replies);
        replies.deliver();
    }

    private void advanceChores() {
        Chore chore = chores.poll();
        if (chore != null && advance(chore)) {
            chores.add(chore);
        }
    }

    private static boolean advance(Chore chore) {
        Replies replies = new Replies();
        boolean hasMore = false;
        try {
            hasMore = chore.step(replies);
        } catch (RuntimeException e) {
            chore.abort(ApiException.of(e), replies);
        }
        replies.deliver();
        return hasMore;
    }

    private static void abandon(Iterable<? extends Work> rest) {
        Replies replies = new Replies();
        rest.forEach(work -> work.abort(new ApiException(ErrorCode.UNAVAILABLE, "The store is closed"), replies));
        replies.deliver();
    }
}

package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The bounded queue of tasks that wait for the committer. Any thread adds, the committer takes. */
final class CommitterQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<CommitterTask> waiting = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    /** Creates a queue with a capacity of {@code capacity} tasks. */
    CommitterQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a task; fails with {@code UNAVAILABLE} when the queue is full or closed. */
    void add(CommitterTask committerTask) {
        lock.lock();
        try {
            requireRoom();
            waiting.add(committerTask);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a task that was taken before; it is never refused. */
    void requeue(CommitterTask committerTask) {
        lock.lock();
        try {
            waiting.add(committerTask);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further tasks. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to {@code maxTasks} tasks without waiting. */
    List<CommitterTask> poll(int maxTasks) {
        lock.lock();
        try {
            return removeUpTo(maxTasks);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for tasks and takes up to {@code maxTasks} of them; none only when the queue is closed
     * and empty.
     */
    List<CommitterTask> take(int maxTasks) {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            return removeUpTo(maxTasks);
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private List<CommitterTask> removeUpTo(int most) {
        List<CommitterTask> taken = new ArrayList<>();
        while (!waiting.isEmpty() && taken.size() < most) {
            taken.add(waiting.remove());
        }
        return taken;
    }

    private void requireRoom() {
        if (closed) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "The store is closed");
        }
        if (waiting.size() >= capacity) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "Too many writes are waiting");
        }
    }
}

package io.invalidb.grid;

import io.invalidb.matching.FilterCell;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The only thread that touches a cell: takes tasks from its inbox in order and sleeps when there are none. The inbox is not
 * bounded; it stays short because who writes waits for the answer.
 */
final class CellThread {

    /** Waking a thread costs more than most tasks do; those that nobody waits for are saved up. */
    private static final int MOST_LEFT = 64;

    private final FilterCell cell;
    private final Thread thread;
    private final Queue<CellTask> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger left = new AtomicInteger();
    private volatile boolean open = true;
    private volatile boolean idle = false;
    private volatile boolean stopped = false;

    CellThread(String name, FilterCell cell) {
        this.cell = cell;
        this.thread = new Thread(this::work, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Hands over a task, from any thread. It runs after those handed over before it, or fails if the cell has stopped. */
    void hand(CellTask task) {
        leave(task);
        wake();
    }

    /** As {@link #hand}, but a sleeping cell may sleep on until {@link #wake} or until more is left for it. */
    void leave(CellTask task) {
        inbox.add(task);
        if (left.incrementAndGet() % MOST_LEFT == 0) {
            wake();
        }
        if (stopped) {
            failRest();
        }
    }

    /** Makes the cell run what was left for it. */
    void wake() {
        if (idle) {
            LockSupport.unpark(thread);
        }
    }

    private void work() {
        while (open || !inbox.isEmpty()) {
            CellTask task = inbox.poll();
            if (task == null) {
                sleep();
            } else {
                run(task);
            }
        }
        stopped = true;
        failRest();
    }

    /** Announces the sleep before it looks again: either this thread sees a new task, or its sender sees the sleeper. */
    private void sleep() {
        idle = true;
        if (inbox.isEmpty() && open) {
            LockSupport.park(this);
            clearInterrupt();
        }
        idle = false;
    }

    /** With the flag set, which a listener may have left, the thread would never sleep again. */
    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Whatever a task throws, the cell goes on for the others. */
    private void run(CellTask task) {
        try {
            task.run(cell);
        } catch (Throwable cause) {
            task.fail(cause);
        }
    }

    /** Also on senders' threads: a task may be added after this thread has looked for the last time. */
    private void failRest() {
        for (CellTask task = inbox.poll(); task != null; task = inbox.poll()) {
            task.fail(new IllegalStateException("The grid is closed"));
        }
    }

    /** Ends the thread once its inbox is empty; returns at once. */
    void stop() {
        open = false;
        LockSupport.unpark(thread);
    }

    /** Waits for the end; returns at once on the thread itself. */
    void awaitStop() throws InterruptedException {
        if (Thread.currentThread() != thread) {
            thread.join();
        }
    }
}

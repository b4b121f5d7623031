package io.invalidb.grid;

import io.invalidb.matching.cell.FilterCell;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that owns one cell and runs the tasks of its inbox in order. No other thread touches
 * the cell. The thread sleeps while the inbox is empty. The inbox is not bounded; it stays short
 * because each writer waits for the response.
 */
final class CellThread implements CellExecutor {

    /**
     * Number of lazy tasks that wake up the thread. Waking it costs more than most tasks; tasks
     * without a waiting caller are collected.
     */
    private static final int LAZY_TASKS_PER_WAKE_UP = 64;

    private final String name;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private final AtomicReference<@Nullable CellTask> running = new AtomicReference<>();
    private final Queue<CellTask> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger left = new AtomicInteger();
    private volatile boolean open = true;
    private volatile boolean idle = false;
    private volatile boolean abandoned = false;
    private volatile boolean stopped = false;

    CellThread(String name) {
        this.name = name;
    }

    @Override
    public void start(FilterCell cell) {
        Thread starting = new Thread(() -> work(cell), name);
        starting.setDaemon(true);
        thread.set(starting);
        starting.start();
    }

    @Override
    public void submit(CellTask task) {
        submitLazily(task);
        wakeUp();
    }

    @Override
    public void submitLazily(CellTask task) {
        inbox.add(task);
        if (left.incrementAndGet() % LAZY_TASKS_PER_WAKE_UP == 0) {
            wakeUp();
        }
        if (abandoned) {
            abandonRest();
        } else if (stopped) {
            failRest();
        }
    }

    @Override
    public void wakeUp() {
        if (idle) {
            LockSupport.unpark(thread.get());
        }
    }

    private void work(FilterCell cell) {
        while (!abandoned && (open || !inbox.isEmpty())) {
            CellTask task = inbox.poll();
            if (task == null) {
                sleep();
            } else {
                run(task, cell);
            }
        }
        stopped = true;
        if (!abandoned) {
            failRest();
        }
    }

    /**
     * Sleeps. It announces the sleep before it checks the inbox again: either this thread sees a
     * new task, or its sender sees the sleeper.
     */
    private void sleep() {
        idle = true;
        if (inbox.isEmpty() && open && !abandoned) {
            LockSupport.park(this);
            clearInterrupt();
        }
        idle = false;
    }

    /**
     * Clears the interrupt flag, which a listener may have left: with it the thread would never
     * sleep again.
     */
    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /**
     * Runs a task. It announces the task before it checks the flag again: either this thread sees
     * that the cell is abandoned, or the abandoning thread sees the task.
     */
    private void run(CellTask task, FilterCell cell) {
        running.set(task);
        if (abandoned) {
            task.abandon();
        } else {
            attempt(task, cell);
        }
        running.setRelease(null);
    }

    /** Runs a task and catches what it throws, so that the cell continues for other queries. */
    private static void attempt(CellTask task, FilterCell cell) {
        try {
            task.run(cell);
        } catch (Throwable cause) {
            task.fail(cause);
        }
    }

    private void failRest() {
        rest(task -> task.fail(new IllegalStateException("The grid is closed")));
    }

    private void abandonRest() {
        rest(CellTask::abandon);
    }

    /**
     * Ends the remaining tasks, also on senders' threads: a task may be added after the last check
     * of this thread.
     */
    private void rest(Consumer<CellTask> end) {
        for (CellTask task = inbox.poll(); task != null; task = inbox.poll()) {
            end.accept(task);
        }
    }

    /** Abandons the cell; the thread ends with its task, if that returns. */
    @Override
    public void abandon() {
        abandoned = true;
        LockSupport.unpark(thread.get());
        CellTask stuck = running.get();
        if (stuck != null) {
            stuck.abandon();
        }
        abandonRest();
    }

    @Override
    public void stop() {
        open = false;
        LockSupport.unpark(thread.get());
    }

    /** Waits until the thread has ended; returns immediately on the thread itself. */
    @Override
    public void awaitStop() throws InterruptedException {
        Thread working = thread.get();
        if (working != null && Thread.currentThread() != working) {
            working.join();
        }
    }
}

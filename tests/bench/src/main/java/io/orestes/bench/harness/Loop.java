package io.orestes.bench.harness;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Calls a step repeatedly in this thread, first to warm up, then to measure. */
public final class Loop {

    private static final long WARM_UP_NANOS = 2_000_000_000L;
    private static final long NANOS = 2_000_000_000L;
    private static final int BATCH = 100;

    /** Reading the processor time enters the kernel. */
    private static final int LARGE_BATCH = 10_000;

    private static final int ROUNDS = 3;

    private final int batch;
    private final LongSupplier nanoTime;
    private long number;
    private long sink;

    private Loop(int batch, LongSupplier nanoTime) {
        this.batch = batch;
        this.nanoTime = nanoTime;
    }

    /** The measured step; its result is used, so that no compiler removes the work. */
    public interface Step {
        long run(long number);
    }

    /** Returns the median of the calls per second in several rounds. */
    public static double perSecond(Step step) {
        return new Loop(BATCH, System::nanoTime).measure(step);
    }

    /**
     * Returns calls per second of steps so long that reading the clock after each does not matter.
     */
    public static double slowPerSecond(Step step) {
        return new Loop(1, System::nanoTime).measure(step);
    }

    /** Returns calls per second of processor time. */
    public static double perProcessorSecond(Step step) {
        return new Loop(LARGE_BATCH, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime).measure(step);
    }

    private double measure(Step step) {
        Samples samples = new Samples();
        double ignored = round(step, WARM_UP_NANOS);
        for (int round = 0; round < ROUNDS; round++) {
            samples.add(round(step, NANOS));
        }
        return sink == Long.MIN_VALUE ? 0 : samples.median();
    }

    private double round(Step step, long nanos) {
        long first = number;
        long begin = nanoTime.getAsLong();
        long now = begin;
        while (now - begin < nanos) {
            for (int i = 0; i < batch; i++) {
                sink += step.run(number++);
            }
            now = nanoTime.getAsLong();
        }
        return (number - first) / ((now - begin) / 1e9);
    }
}

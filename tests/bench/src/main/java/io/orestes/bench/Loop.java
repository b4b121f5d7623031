package io.orestes.bench;

/** Calls something over and over in this thread, first to warm up, then to measure. */
final class Loop {

    private static final long WARM_UP_NANOS = 2_000_000_000L;
    private static final long NANOS = 2_000_000_000L;
    private static final int BATCH = 100;
    private static final int ROUNDS = 3;

    private final int batch;
    private long number;
    private long sink;

    private Loop(int batch) {
        this.batch = batch;
    }

    /** What is called; the result is used, so that no compiler leaves the work out. */
    interface Step {
        long run(long number);
    }

    /** Median of the calls per second in several rounds. */
    static double perSecond(Step step) {
        return new Loop(BATCH).measure(step);
    }

    /** The same for calls that take so long that reading the clock after each does not matter. */
    static double slowPerSecond(Step step) {
        return new Loop(1).measure(step);
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
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < nanos) {
            for (int i = 0; i < batch; i++) {
                sink += step.run(number++);
            }
            now = System.nanoTime();
        }
        return (number - first) / ((now - begin) / 1e9);
    }
}

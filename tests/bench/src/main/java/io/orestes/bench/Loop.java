package io.orestes.bench;

/** Calls something over and over in this thread, first to warm up, then to measure. */
final class Loop {

    private static final long WARM_UP_NANOS = 2_000_000_000L;
    private static final long NANOS = 2_000_000_000L;
    private static final int BATCH = 100;
    private static final int ROUNDS = 3;

    private long number;
    private long sink;

    private Loop() {}

    /** What is called; the result is used, so that no compiler leaves the work out. */
    interface Step {
        long run(long number);
    }

    /** Median of the calls per second in several rounds. */
    static double perSecond(Step step) {
        Loop loop = new Loop();
        Samples samples = new Samples();
        double ignored = loop.round(step, WARM_UP_NANOS);
        for (int round = 0; round < ROUNDS; round++) {
            samples.add(loop.round(step, NANOS));
        }
        return loop.sink == Long.MIN_VALUE ? 0 : samples.median();
    }

    private double round(Step step, long nanos) {
        long first = number;
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < nanos) {
            for (int i = 0; i < BATCH; i++) {
                sink += step.run(number++);
            }
            now = System.nanoTime();
        }
        return (number - first) / ((now - begin) / 1e9);
    }
}

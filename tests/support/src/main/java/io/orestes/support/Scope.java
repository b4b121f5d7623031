package io.orestes.support;

import java.util.stream.LongStream;

/**
 * The part of the tests that a run includes: all, or those of {@code ./orestes test} without
 * {@code --full}.
 */
public final class Scope {

    private static final int SHARE = 10;
    private static final boolean IS_SHORT = "short".equals(System.getenv("ORESTES_TEST_SCOPE"));

    private Scope() {}

    /** True in a run without the long part. */
    public static boolean isShort() {
        return IS_SHORT;
    }

    /**
     * Returns the number of rounds of a test that has {@code all} rounds in a run with the long
     * part; at least 1.
     */
    public static int rounds(int all) {
        return IS_SHORT ? Math.max(1, all / SHARE) : all;
    }

    /** Returns the seeds of a property test, from 0: {@link #rounds} of them. */
    public static LongStream seeds(int all) {
        return LongStream.range(0, rounds(all));
    }
}

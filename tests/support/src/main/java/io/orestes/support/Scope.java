package io.orestes.support;

import java.util.stream.LongStream;

/**
 * The part of the tests that a run takes: all, or what {@code ./orestes test} takes without {@code
 * --full}.
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
     * How often something is repeated that takes {@code all} rounds in a run with the long part; at
     * least once.
     */
    public static int rounds(int all) {
        return IS_SHORT ? Math.max(1, all / SHARE) : all;
    }

    /** The seeds of a property test, from 0: as many as {@link #rounds} says. */
    public static LongStream seeds(int all) {
        return LongStream.range(0, rounds(all));
    }
}

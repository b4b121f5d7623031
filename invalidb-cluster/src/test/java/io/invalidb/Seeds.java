package io.invalidb;

import java.util.stream.LongStream;

/** The seeds of property tests. A run without the long part takes a quarter of them. */
public final class Seeds {

    private static final int SHARE = 4;
    private static final boolean IS_SHORT = "short".equals(System.getenv("ORESTES_TEST_SCOPE"));

    private Seeds() {}

    /** The numbers from 0, as many as the long part takes. */
    public static LongStream first(int count) {
        return LongStream.range(0, IS_SHORT ? count / SHARE : count);
    }
}

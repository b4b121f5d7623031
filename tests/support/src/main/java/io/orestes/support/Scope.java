package io.orestes.support;

/** The part of the tests that a run takes: all, or what {@code ./orestes test} takes without {@code --full}. */
public final class Scope {

    private static final int SHARE = 5;
    private static final boolean IS_SHORT = "short".equals(System.getenv("ORESTES_TEST_SCOPE"));

    private Scope() {}

    /** True in a run without the long part. */
    public static boolean isShort() {
        return IS_SHORT;
    }

    /** How often something is repeated that takes {@code all} rounds in a run with the long part. */
    public static int rounds(int all) {
        return IS_SHORT ? all / SHARE : all;
    }
}

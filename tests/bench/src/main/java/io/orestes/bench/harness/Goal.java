package io.orestes.bench.harness;

import java.util.Locale;

/** The bound of a figure, if any. */
public record Goal(Direction direction, double bound) {

    public enum Direction {
        AT_LEAST,
        AT_MOST,
        NONE
    }

    /** For figures without a bound. */
    public static final Goal NONE = new Goal(Direction.NONE, 0);

    public static Goal atLeast(double bound) {
        return new Goal(Direction.AT_LEAST, bound);
    }

    public static Goal atMost(double bound) {
        return new Goal(Direction.AT_MOST, bound);
    }

    String verdict(double value) {
        return switch (direction) {
            case AT_LEAST -> value >= bound ? "reached" : "MISSED";
            case AT_MOST -> value <= bound ? "reached" : "MISSED";
            case NONE -> "";
        };
    }

    @Override
    public String toString() {
        return switch (direction) {
            case AT_LEAST -> "≥ " + plain();
            case AT_MOST -> "≤ " + plain();
            case NONE -> "";
        };
    }

    private String plain() {
        return bound == Math.rint(bound) ? String.format(Locale.ROOT, "%,.0f", bound) : Double.toString(bound);
    }
}

package io.invalidb.matching.cell;

import java.time.Duration;

/**
 * The limits on age, number and bytes of the writes that a cell retains. All three limits apply
 * together.
 *
 * @param age maximum time for which a write is retained after its arrival
 * @param writes maximum number of retained writes, at least 1
 * @param maxBytes maximum heap of the retained writes, by estimate, at least 1; the last write is
 *     retained even if larger
 */
public record RetentionLimits(Duration age, int writes, long maxBytes) {

    /** Default limit on bytes: 16 MB. */
    public static final long DEFAULT_BYTES = 16L << 20;

    public RetentionLimits {
        if (age.isNegative() || writes < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("A cell retains at least one write for a time that is not negative");
        }
    }

    public RetentionLimits(Duration age, int writes) {
        this(age, writes, DEFAULT_BYTES);
    }
}

package io.orestes.caching.sketch;

/**
 * The dimensions of a Bloom filter: its number of bits and its number of hash positions.
 *
 * @param bits bits, at least 1; {@code m} on the wire
 * @param hashes positions per key, at least 1; {@code h} on the wire
 */
public record SketchSize(int bits, int hashes) {

    public SketchSize {
        if (bits < 1 || hashes < 1) {
            throw new IllegalArgumentException("A filter needs at least one bit and one hash: " + bits + ", " + hashes);
        }
    }

    /**
     * Returns the smallest filter that contains {@code keys} keys at the given rate of false
     * positives: {@code m = ceil(-n ln p / (ln 2)^2)}, {@code h = (m/n) ln 2} (Bloom, CACM 13(7),
     * 1970).
     *
     * @param falsePositiveRate between 0 and 1, both excluded
     */
    public static SketchSize of(int keys, double falsePositiveRate) {
        if (keys < 1 || !(falsePositiveRate > 0 && falsePositiveRate < 1)) {
            throw new IllegalArgumentException("No filter holds " + keys + " keys at rate " + falsePositiveRate);
        }
        double ln2 = Math.log(2);
        int bits = Math.toIntExact((long) Math.ceil(-keys * Math.log(falsePositiveRate) / (ln2 * ln2)));
        return new SketchSize(bits, (int) Math.max(1, Math.round((double) bits / keys * ln2)));
    }
}

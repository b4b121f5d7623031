package io.invalidb.matching;

import java.util.List;
import java.util.stream.IntStream;

/** Different texts with one value of {@code String.hashCode}. */
public final class HostileTexts {

    private static final int PAIRS = 16;

    private HostileTexts() {}

    /**
     * Returns so many, at most 65,536: the two pairs of letters have equal hashes, so each of their
     * sequences has, too.
     */
    public static List<String> some(int number) {
        return IntStream.range(0, number).mapToObj(HostileTexts::text).toList();
    }

    private static String text(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < PAIRS; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }
}

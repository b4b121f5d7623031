package io.orestes.caching.sketch;

import java.util.List;
import java.util.Optional;

/**
 * The longest lifetimes of copies that processes on one data directory granted, stored for their
 * successor. Copies outlive a process that crashes, and the times of its successor may be shorter.
 *
 * @param longestMillis the longest time to live that the latest process grants
 * @param othersUntilMillis when the last copy of earlier processes has expired, in milliseconds
 *     since 1970
 */
record PersistedLifetimeBounds(long longestMillis, long othersUntilMillis) {

    /** Returns the lifetimes of the first process. */
    static PersistedLifetimeBounds first(long longestMillis) {
        return new PersistedLifetimeBounds(longestMillis, 0);
    }

    /** Returns when the last copy has expired, if the process has ended by {@code now}. */
    long endMillis(long now) {
        return Math.max(othersUntilMillis, now + longestMillis);
    }

    /** Returns the lifetimes of the next process. */
    PersistedLifetimeBounds next(long longestMillis, long now) {
        return new PersistedLifetimeBounds(longestMillis, endMillis(now));
    }

    String line() {
        return longestMillis + " " + othersUntilMillis + "\n";
    }

    static Optional<PersistedLifetimeBounds> parse(String text) {
        try {
            List<Long> numbers = text.strip()
                    .lines()
                    .flatMap(line -> List.of(line.split(" ", -1)).stream())
                    .map(Long::valueOf)
                    .toList();
            return numbers.size() == 2 && text.endsWith("\n")
                    ? Optional.of(new PersistedLifetimeBounds(numbers.get(0), numbers.get(1)))
                    : Optional.empty();
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }
}

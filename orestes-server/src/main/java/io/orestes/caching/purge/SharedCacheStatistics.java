package io.orestes.caching.purge;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one shared cache: the read counters that it reports, if its kind has any.
 *
 * @param name name without secret parts
 * @param hasCounters whether its kind has such counters
 * @param counters null if the cache has no counters or does not respond with them
 */
public record SharedCacheStatistics(String name, boolean hasCounters, @Nullable ReadCounters counters) {

    /**
     * Counters of hits, misses and passed requests since a shared cache was started. All requests
     * count, whether for objects, queries or anything else.
     *
     * @param hits requests answered from a copy
     * @param misses requests looked up and fetched
     * @param passed requests passed to the server without a look-up
     * @param since time since the start of the cache
     */
    public record ReadCounters(long hits, long misses, long passed, Duration since) {

        private static final Pattern TEXT =
                Pattern.compile("hits=(\\d{1,18}) misses=(\\d{1,18}) passed=(\\d{1,18}) seconds=(\\d{1,12})(?: .*)?");

        /**
         * Parses the header of our VCL and ignores text after the counts; empty for anything else.
         */
        static Optional<ReadCounters> parse(String text) {
            Matcher found = TEXT.matcher(text);
            return found.matches()
                    ? Optional.of(new ReadCounters(
                            number(found, 1), number(found, 2), number(found, 3), Duration.ofSeconds(number(found, 4))))
                    : Optional.empty();
        }

        private static long number(Matcher found, int group) {
            return Long.parseLong(found.group(group));
        }
    }
}

package io.orestes.wire;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** The typed parser for query parameters of a request. */
public final class QueryParameters {

    private QueryParameters() {}

    /** Returns the last value given, unescaped. */
    public static Optional<String> text(RoutingContext ctx, String name) {
        List<String> values = ctx.queryParam(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }

    /**
     * Returns an integer of at least {@code least}; fails with {@code BAD_REQUEST} for anything
     * else.
     */
    public static int number(RoutingContext ctx, String name, int fallback, int least) {
        return text(ctx, name)
                .filter(value -> !value.isEmpty())
                .map(value -> parse(name, value, least))
                .orElse(fallback);
    }

    /** Returns {@code true} or {@code false}; fails with {@code BAD_REQUEST} for anything else. */
    public static boolean flag(RoutingContext ctx, String name, boolean fallback) {
        return text(ctx, name)
                .filter(value -> !value.isEmpty())
                .map(value -> truth(name, value))
                .orElse(fallback);
    }

    /** Returns words separated by commas, possibly none. */
    public static List<String> words(RoutingContext ctx, String name) {
        return text(ctx, name).stream()
                .flatMap(value -> List.of(value.split(",", 16)).stream())
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static int parse(String name, String value, int least) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below, as for a number out of range
        }
        throw new ApiException(ErrorCode.BAD_REQUEST, name + " has to be a whole number from " + least + ": " + value);
    }

    private static boolean truth(String name, String value) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw new ApiException(ErrorCode.BAD_REQUEST, name + " has to be true or false: " + value);
    }
}

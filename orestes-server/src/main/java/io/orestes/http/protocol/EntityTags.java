package io.orestes.http.protocol;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lists of entity tags as sent by clients: over several lines, weak or strong, quoted or bare
 * (protocol §1.3).
 */
public final class EntityTags {

    private EntityTags() {}

    /** Returns the members of all lines of a header (RFC 9110 §5.3); none if it is absent. */
    public static List<String> in(HttpServerRequest request, CharSequence header) {
        return request.headers().getAll(header).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(String::trim)
                .toList();
    }

    /**
     * Returns the tag without weakness and quotes: {@code W/"a"} is {@code a}. An unpaired quote
     * stays.
     */
    public static String opaque(String tag) {
        String strong = tag.startsWith("W/") ? tag.substring(2) : tag;
        boolean isQuoted = strong.length() > 1 && strong.startsWith("\"") && strong.endsWith("\"");
        return isQuoted ? strong.substring(1, strong.length() - 1) : strong;
    }
}

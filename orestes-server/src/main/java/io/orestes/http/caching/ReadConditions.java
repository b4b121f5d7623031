package io.orestes.http.caching;

import io.orestes.http.protocol.EntityTags;
import io.orestes.model.ObjectETagCodec;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The conditions of reads: {@code If-None-Match} and {@code Cache-Control} (RFC 9110 §13, RFC 9111
 * §5.2, protocol §1.3).
 */
public final class ReadConditions {

    /**
     * Suffix that compressing layers append to a tag (protocol §1.4). A repeated group would take a
     * stack frame for each suffix.
     */
    private static final Pattern ENCODINGS = Pattern.compile("(?:--[0-9A-Za-z-]+)?");

    private static final Predicate<String> FRESH = Pattern.compile(
                    "(?:^|[,\\s])(?:no-cache|no-store|max-age=\"?0+\"?)(?:$|[,;=\\s])", Pattern.CASE_INSENSITIVE)
            .asPredicate();

    private ReadConditions() {}

    /**
     * Returns whether the caller's copy, by its {@code If-None-Match}, is the current one. Tags are
     * compared weakly. Caches have whole tags. A version alone comes from a client that has no more
     * than the version of an object, and checks for a newer one (protocol §8.3).
     */
    public static boolean isUnchanged(HttpServerRequest request, String etag) {
        String first = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        if (first == null) {
            return false;
        }
        return first.equals(etag)
                || hasMatch(EntityTags.in(request, HttpHeaders.IF_NONE_MATCH), EntityTags.opaque(etag));
    }

    /** Returns whether the caller demands the newest state and no cached one. */
    public static boolean wantsFresh(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.CACHE_CONTROL)
                && request.headers().getAll(HttpHeaders.CACHE_CONTROL).stream().anyMatch(FRESH);
    }

    private static boolean hasMatch(List<String> tags, String current) {
        return tags.stream().anyMatch(tag -> tag.equals("*") || isSame(EntityTags.opaque(tag), current));
    }

    private static boolean isSame(String tag, String current) {
        boolean isWhole = tag.startsWith(current)
                && ENCODINGS.matcher(tag.substring(current.length())).matches();
        return isWhole || ObjectETagCodec.isVersionIn(tag, current);
    }
}

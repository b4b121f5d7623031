package io.orestes.http;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectTag;
import io.orestes.model.Precondition;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;

/** Conditional requests: {@code If-Match} on writes and {@code If-None-Match} on reads (RFC 9110 §13, protocol §1.3). */
final class Conditions {

    /** Tags that no object ever has: the empty one and version 0. */
    private static final Pattern NEVER = Pattern.compile("|0+(?:--.*)?");

    /** What compressing layers append to a tag (protocol §1.4). */
    private static final Pattern ENCODINGS = Pattern.compile("(?:--[0-9A-Za-z]+)*");

    private Conditions() {}

    /** What {@code If-Match} asks for; no condition if it is absent. */
    static Precondition ifMatch(HttpServerRequest request) {
        String condition = request.getHeader(HttpHeaders.IF_MATCH);
        if (condition == null) {
            return wantsNew(request) ? new Precondition.NoObject() : Precondition.none();
        }
        if (condition.trim().equals("*")) {
            return new Precondition.AnyVersion();
        }
        String tag = opaque(condition.trim());
        if (NEVER.matcher(tag).matches()) {
            throw new ApiException(
                    ErrorCode.OBJECT_OUT_OF_DATE,
                    "No object ever has the version " + condition + ", which is out of date");
        }
        return ObjectTag.expected(tag)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST, "If-Match is neither * nor an entity tag nor a version: " + condition));
    }

    /**
     * Whether the caller's copy, by its {@code If-None-Match}, is the one that would be sent. Tags are compared weakly, and
     * whole: a version alone says too little about an object to confirm a copy of it.
     */
    static boolean isUnchanged(HttpServerRequest request, String etag) {
        String condition = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        if (condition == null) {
            return false;
        }
        return condition.equals(etag) || matchesOne(condition, opaque(etag));
    }

    /** Whether the caller wants the newest state and no cached one. */
    static boolean wantsFresh(HttpServerRequest request) {
        String control = request.getHeader(HttpHeaders.CACHE_CONTROL);
        return control != null && (control.contains("no-cache") || control.contains("no-store") || hasZeroAge(control));
    }

    /** {@code If-None-Match: *}: the write is meant to create the object. */
    private static boolean wantsNew(HttpServerRequest request) {
        String condition = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        return HttpMethod.PUT.equals(request.method())
                && condition != null
                && condition.trim().equals("*");
    }

    private static boolean hasZeroAge(String control) {
        return control.contains("max-age=0");
    }

    private static boolean matchesOne(String condition, String current) {
        for (String candidate : condition.split(",", 64)) {
            String stripped = candidate.trim();
            if (stripped.equals("*") || isSame(opaque(stripped), current)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(String tag, String current) {
        return tag.startsWith(current)
                && ENCODINGS.matcher(tag.substring(current.length())).matches();
    }

    /** The tag without weakness and quotes: {@code W/"a"} is {@code a}. A quote without its partner stays. */
    private static String opaque(String tag) {
        String strong = tag.startsWith("W/") ? tag.substring(2) : tag;
        boolean isQuoted = strong.length() > 1 && strong.startsWith("\"") && strong.endsWith("\"");
        return isQuoted ? strong.substring(1, strong.length() - 1) : strong;
    }
}

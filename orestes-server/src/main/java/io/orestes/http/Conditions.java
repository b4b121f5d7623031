package io.orestes.http;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Precondition;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Conditional requests: {@code If-Match} on writes and {@code If-None-Match} on reads (RFC 9110 §13, protocol §1.3). */
final class Conditions {

    /** A version, quoted or bare, weak or not, with the suffix that compressing layers append. */
    private static final Pattern VERSION = Pattern.compile("(?:W/)?\"?(\\d{1,18})(?:--\\w+)?\"?");

    /** Tags that no object ever has: the empty one and version 0. */
    private static final Pattern NEVER = Pattern.compile("\\s*(?:W/)?\"?0*\"?\\s*");

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
        if (NEVER.matcher(condition).matches()) {
            throw new ApiException(
                    ErrorCode.OBJECT_OUT_OF_DATE,
                    "No object ever has the version " + condition + ", which is out of date");
        }
        return version(condition)
                .<Precondition>map(Precondition.ExactVersion::new)
                .orElseThrow(() ->
                        new ApiException(ErrorCode.BAD_REQUEST, "If-Match is neither * nor a version: " + condition));
    }

    /** Whether the caller's copy, by its {@code If-None-Match}, is the one that would be sent. */
    static boolean isUnchanged(HttpServerRequest request, String etag) {
        String condition = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        if (condition == null) {
            return false;
        }
        return condition.equals(etag) || matchesOne(condition, etag);
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

    private static boolean matchesOne(String condition, String etag) {
        for (String candidate : condition.split(",", 64)) {
            String stripped = candidate.trim();
            if (strip(stripped).equals(strip(etag)) || stripped.equals("*")) {
                return true;
            }
        }
        return false;
    }

    /** The tag without weakness and suffix: {@code W/"3--gzip"} is {@code "3"}. */
    private static String strip(String etag) {
        String strong = etag.startsWith("W/") ? etag.substring(2) : etag;
        int suffix = strong.indexOf("--");
        return suffix < 0 ? strong : strong.substring(0, suffix) + "\"";
    }

    private static Optional<Long> version(String condition) {
        Matcher version = VERSION.matcher(condition.trim());
        return version.matches() ? Optional.of(Long.parseLong(version.group(1))) : Optional.empty();
    }
}

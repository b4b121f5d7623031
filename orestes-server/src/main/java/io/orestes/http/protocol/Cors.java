package io.orestes.http.protocol;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Cross-origin access (protocol §1.6, Fetch standard §3.2): every origin may call, with
 * credentials, and read the headers that clients need.
 */
public final class Cors {

    private static final String METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
    private static final String ALLOWED = "authorization, content-type, accept, cache-control, if-match, if-none-match,"
            + " if-unmodified-since, last-event-id, orestes-consistency, baqend-acl, baqend-custom-headers";
    private static final String EXPOSED = "baqend-authorization-token, content-type, etag, last-modified, baqend-size,"
            + " baqend-acl, baqend-created-at, baqend-custom-headers, baqend-mfa-auth-token, location, orestes-cache,"
            + " orestes-bound, orestes-purge-lag, orestes-results-kept, age, date, retry-after";
    private static final String MAX_AGE = "86400";

    /**
     * Header by which pages detect whether a response came from the browser's cache (Resource
     * Timing, section 4.5.1).
     */
    private static final CharSequence TIMING_ALLOW_ORIGIN = HttpHeaders.createOptimized("Timing-Allow-Origin");

    private Cors() {}

    /** Adds the headers that a browser needs for a cross-origin read. */
    public static void apply(HttpServerRequest request, HttpServerResponse response) {
        response.putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null) {
            response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, "true")
                    .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)
                    .putHeader(TIMING_ALLOW_ORIGIN, "*");
        }
    }

    /**
     * Replaces these headers on a response that is equal for all callers: one copy of it serves the
     * pages of all origins.
     */
    public static void openToAll(HttpServerResponse response) {
        response.headers()
                .remove(HttpHeaders.VARY)
                .remove(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS)
                .remove(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS)
                .set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    }

    public static boolean isPreflight(HttpServerRequest request) {
        return HttpMethod.OPTIONS.equals(request.method());
    }

    /** Answers a preflight for any path. */
    public static void respondToPreflight(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        apply(request, response);
        response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, allowed(request))
                .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE)
                .putHeader(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS)
                .setStatusCode(204)
                .end();
    }

    /**
     * Returns the known header names and the requested ones, so that proxies and new clients need
     * no change here.
     */
    private static String allowed(HttpServerRequest request) {
        @Nullable String asked = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
        return asked == null ? ALLOWED : ALLOWED + ", " + asked;
    }
}

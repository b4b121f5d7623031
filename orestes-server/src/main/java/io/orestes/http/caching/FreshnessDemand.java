package io.orestes.http.caching;

import io.orestes.auth.token.SignedUrl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ReadLevel;
import io.orestes.read.response.Consistency;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The freshness that a read demands of its response, by header or URL (protocol §1.7). The sources
 * are {@code Orestes-Consistency}, {@code Cache-Control}, {@code BCB} in the URL, and a token in
 * the URL, which forbids copies. The strictest demand applies.
 *
 * @param stated the value of {@code Orestes-Consistency}, if present
 * @param isFresh true if only the newest committed state is acceptable
 * @param hasCacheBuster true if the URL demands it
 */
public record FreshnessDemand(@Nullable Consistency stated, boolean isFresh, boolean hasCacheBuster) {

    public static final CharSequence HEADER = HttpHeaders.createOptimized("orestes-consistency");

    /** Reads the demand of a request. Fails with {@code BAD_REQUEST} if it is malformed. */
    public static FreshnessDemand of(HttpServerRequest request) {
        Consistency stated = stated(request);
        boolean isBusted = hasCacheBuster(request.uri());
        boolean isFresh = isBusted || ReadConditions.wantsFresh(request) || (stated != null && stated.isFresh());
        return new FreshnessDemand(stated, isFresh, isBusted);
    }

    /**
     * Returns whether the response is too fresh, or too strictly limited, for reuse by another
     * request.
     */
    boolean isForThisReadOnly() {
        return stated != null && stated.isLimited();
    }

    /** Returns the level of a store read that satisfies the demand. */
    public ReadLevel level() {
        return ReadLevel.of(isFresh);
    }

    private static @Nullable Consistency stated(HttpServerRequest request) {
        List<String> lines = request.headers().getAll(HEADER);
        return lines.isEmpty() ? null : parse(String.join(",", lines));
    }

    private static Consistency parse(String text) {
        return Consistency.parse(text)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "Orestes-Consistency is any, bounded, bounded; max-age=<seconds> or fresh, not: " + text));
    }

    /** Returns whether a request target forbids copies, both as an answer and for storage. */
    public static boolean hasCacheBuster(String uri) {
        return SignedUrl.isSigned(uri)
                || uri.endsWith("?BCB")
                || uri.endsWith("&BCB")
                || uri.contains("?BCB&")
                || uri.contains("&BCB&");
    }
}

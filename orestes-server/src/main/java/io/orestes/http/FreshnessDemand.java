package io.orestes.http;

import io.orestes.auth.SignedUrl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ReadLevel;
import io.orestes.read.Consistency;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * The freshness that a read demands of its response, by header or URL (protocol §1.7). The sources
 * are {@code Orestes-Consistency}, {@code Cache-Control}, {@code BCB} in the URL, and a token in
 * the URL, with which no copy may be kept. The strictest demand holds.
 *
 * @param stated the value of {@code Orestes-Consistency}, if present
 * @param isFresh whether only the newest committed state is acceptable
 * @param isBusted whether the URL demands it
 */
record FreshnessDemand(Optional<Consistency> stated, boolean isFresh, boolean isBusted) {

    static final CharSequence HEADER = HttpHeaders.createOptimized("orestes-consistency");

    /** Fails with {@code BAD_REQUEST} if it says what it is not able to say. */
    static FreshnessDemand of(HttpServerRequest request) {
        Optional<Consistency> stated = stated(request);
        boolean isBusted = isBusted(request.uri());
        boolean isFresh = isBusted
                || ReadConditions.wantsFresh(request)
                || stated.filter(Consistency::isFresh).isPresent();
        return new FreshnessDemand(stated, isFresh, isBusted);
    }

    /**
     * Whether the answer is too new, or too strictly limited, to be handed on to somebody else as
     * it is.
     */
    boolean isForThisReadOnly() {
        return stated.filter(Consistency::isLimited).isPresent();
    }

    /** The level of a read of the store that answers it. */
    ReadLevel level() {
        return ReadLevel.of(isFresh);
    }

    private static Optional<Consistency> stated(HttpServerRequest request) {
        List<String> lines = request.headers().getAll(HEADER);
        return lines.isEmpty() ? Optional.empty() : Optional.of(parse(String.join(",", lines)));
    }

    private static Consistency parse(String text) {
        return Consistency.parse(text)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "Orestes-Consistency is any, bounded, bounded; max-age=<seconds> or fresh, not: " + text));
    }

    /** Whether a target says that no copy will do and none may be kept. */
    static boolean isBusted(String uri) {
        return SignedUrl.isSigned(uri)
                || uri.endsWith("?BCB")
                || uri.endsWith("&BCB")
                || uri.contains("?BCB&")
                || uri.contains("&BCB&");
    }
}

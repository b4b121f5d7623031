package io.orestes.auth;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * A request that carries its own token (protocol §5.9).
 *
 * @param token value of the parameter {@code BAT}
 * @param path path of the request as it came, base path included
 */
public record SignedUrl(String token, String path) {

    private static final String PARAMETER = "BAT";

    /** Absent if it carries none, and for requests that no URL can be signed for: those that are no GET and no HEAD. */
    public static Optional<SignedUrl> of(HttpServerRequest request) {
        boolean isRead = HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
        return isRead && isSigned(request.uri())
                ? Optional.ofNullable(request.getParam(PARAMETER)).map(token -> new SignedUrl(token, request.path()))
                : Optional.empty();
    }

    /** Whether a URL carries a token. */
    public static boolean isSigned(String uri) {
        return uri.contains("?BAT=") || uri.contains("&BAT=");
    }
}

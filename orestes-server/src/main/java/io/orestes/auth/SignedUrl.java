package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * A URL that carries a token signed for its path (protocol §5.9).
 *
 * @param token value of the parameter {@code BAT}
 * @param path path of the request as the client sent it, base path included
 */
public record SignedUrl(String token, String path) {

    private static final String PARAMETER = "BAT";

    /**
     * Absent if it carries none, if a header says who sends it, and for requests that no URL can be
     * signed for: those that are no GET and no HEAD.
     */
    public static Optional<SignedUrl> of(HttpServerRequest request) {
        boolean isRead = HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
        return isRead && isSigned(request.uri()) && !request.headers().contains(HttpHeaders.AUTHORIZATION)
                ? Optional.ofNullable(request.getParam(PARAMETER)).map(token -> new SignedUrl(token, request.path()))
                : Optional.empty();
    }

    /**
     * Fails with {@code PERMISSION_DENIED} if it is the URL that lets the request in: what is to be
     * answered is more than is found under its path, and whoever has the link could have added
     * that.
     */
    public static void refuseMoreThanThePath(HttpServerRequest request) {
        if (of(request).isPresent()) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED, "A signed URL opens its path only, not what is referred to there");
        }
    }

    /** Whether a URL carries a token. */
    public static boolean isSigned(String uri) {
        return uri.contains("?BAT=") || uri.contains("&BAT=");
    }
}

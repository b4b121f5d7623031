package io.orestes.auth.token;

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
 * @param path path of the request as sent by the client, base path included
 */
public record SignedUrl(String token, String path) {

    private static final String PARAMETER = "BAT";

    /**
     * Returns the signed URL of a request. Empty if it carries no token, if a header names the
     * sender, and for requests other than GET and HEAD, whose URLs cannot be signed.
     */
    public static Optional<SignedUrl> of(HttpServerRequest request) {
        boolean isRead = HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
        return isRead && isSigned(request.uri()) && !request.headers().contains(HttpHeaders.AUTHORIZATION)
                ? Optional.ofNullable(request.getParam(PARAMETER)).map(token -> new SignedUrl(token, request.path()))
                : Optional.empty();
    }

    /**
     * Fails with {@code PERMISSION_DENIED} if a signed URL authorises the request, whose answer
     * would exceed the content of its path. Any client with the link could have added the
     * parameters.
     */
    public static void refuseMoreThanThePath(HttpServerRequest request) {
        if (of(request).isPresent()) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED, "A signed URL opens its path only, not what is referred to there");
        }
    }

    /** Returns whether a URL carries a token. */
    public static boolean isSigned(String uri) {
        return uri.contains("?BAT=") || uri.contains("&BAT=");
    }
}

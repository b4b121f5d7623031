package io.orestes.http;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.stream.Stream;

/** How request bodies may be coded (RFC 9110 §8.4): not at all. */
final class ContentCodings {

    /** The coding that changes nothing. */
    static final String IDENTITY = "identity";

    private ContentCodings() {}

    /** Whether the body is something else than what it stands for. */
    static boolean isCoded(HttpServerRequest request) {
        return request.headers().getAll(HttpHeaders.CONTENT_ENCODING).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(String::trim)
                .anyMatch(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase(IDENTITY));
    }

    /** The refusal, which goes with {@code Accept-Encoding} (RFC 9110 §12.5.3). */
    static ApiException unsupported() {
        return new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have no Content-Encoding");
    }
}

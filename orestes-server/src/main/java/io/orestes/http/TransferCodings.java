package io.orestes.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * The transfer codings of request bodies (RFC 9112 §6.1): chunked, or none with a length. With
 * another transfer coding nobody knows where the body ends (§6.3), and what one reader takes for it
 * the next takes for a request.
 */
final class TransferCodings {

    private static final String CHUNKED = "chunked";

    private TransferCodings() {}

    /** Whether the end of the body can be found. */
    static boolean areKnown(HttpServerRequest request) {
        return !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                || isChunked(request.headers().getAll(HttpHeaders.TRANSFER_ENCODING));
    }

    private static boolean isChunked(List<String> codings) {
        return codings.size() == 1 && codings.get(0).equalsIgnoreCase(CHUNKED);
    }
}

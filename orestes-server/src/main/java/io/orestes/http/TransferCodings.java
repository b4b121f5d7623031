package io.orestes.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * The transfer codings of request bodies (RFC 9112 §6.1): chunked, or none with a length. With
 * another transfer coding the end of the body is unknown (§6.3). One reader may then take for a
 * request what another takes for the body.
 */
final class TransferCodings {

    private static final String CHUNKED = "chunked";

    private TransferCodings() {}

    /** Returns whether the end of the body can be found. */
    static boolean areKnown(HttpServerRequest request) {
        return !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                || isChunked(request.headers().getAll(HttpHeaders.TRANSFER_ENCODING));
    }

    private static boolean isChunked(List<String> codings) {
        return codings.size() == 1 && codings.get(0).equalsIgnoreCase(CHUNKED);
    }
}

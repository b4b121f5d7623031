package io.orestes.http.data;

import io.orestes.http.protocol.ApiResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Function;

/**
 * A response that streams a JSON array element by element, with back-pressure from the client. Used
 * by one event loop. A write begins when the previous one has ended.
 */
final class JsonArrayStream {

    private final HttpServerResponse response;
    private boolean isEmpty = true;

    private JsonArrayStream(HttpServerResponse response) {
        this.response = response;
    }

    /**
     * Writes the beginning, after which no other response is possible, the elements that {@code
     * writer} appends, and the end.
     */
    static Future<Void> write(HttpServerResponse response, Function<JsonArrayStream, Future<Void>> writer) {
        putHeaders(response).setChunked(true);
        return response.write("[")
                .compose(begun -> writer.apply(new JsonArrayStream(response)))
                .compose(all -> response.end("]"));
    }

    /** Answers a HEAD request. */
    static Future<Void> head(HttpServerResponse response) {
        return putHeaders(response).end();
    }

    private static HttpServerResponse putHeaders(HttpServerResponse response) {
        return response.putHeader(HttpHeaders.CONTENT_TYPE, ApiResponse.JSON)
                .putHeader(HttpHeaders.CACHE_CONTROL, ApiResponse.NO_STORE)
                .putHeader(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS);
    }

    /**
     * Appends the elements of another array, given as text without surrounding space; completes
     * when they are written.
     */
    Future<Void> append(Buffer array) {
        Buffer elements = array.slice(1, array.length() - 1);
        if (elements.length() == 0) {
            return Future.succeededFuture();
        }
        Buffer piece = isEmpty ? elements : Buffer.buffer(",").appendBuffer(elements);
        isEmpty = false;
        return response.write(piece);
    }

    /** Writes space, so that intermediaries do not close an idle connection. */
    Future<Void> keepAlive() {
        return response.write("\n");
    }
}

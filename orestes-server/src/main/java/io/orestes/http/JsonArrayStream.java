package io.orestes.http;

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
     * Writes the beginning, after which nothing else can be answered, what {@code writer} appends,
     * and the end.
     */
    static Future<Void> write(HttpServerResponse response, Function<JsonArrayStream, Future<Void>> writer) {
        putHeaders(response).setChunked(true);
        return response.write("[")
                .compose(begun -> writer.apply(new JsonArrayStream(response)))
                .compose(all -> response.end("]"));
    }

    /** What is answered to those who do not want the elements. */
    static Future<Void> head(HttpServerResponse response) {
        return putHeaders(response).end();
    }

    private static HttpServerResponse putHeaders(HttpServerResponse response) {
        return response.putHeader(HttpHeaders.CONTENT_TYPE, ApiResponse.JSON)
                .putHeader(HttpHeaders.CACHE_CONTROL, ApiResponse.NO_STORE)
                .putHeader(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS);
    }

    /**
     * Appends the elements of another array, which comes as text without space around; completes
     * when they are on their way.
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

    /** Writes space, so that nobody between here and the client takes the connection for dead. */
    Future<Void> keepAlive() {
        return response.write("\n");
    }
}

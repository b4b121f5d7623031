package io.orestes.socket;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The opening handshake of a WebSocket client (RFC 6455 §4.2.1), validated before the upgrade. The
 * upgrade itself would report errors in another format.
 */
final class WebSocketHandshake {

    /** The only version; the response to any other one names it. */
    static final String VERSION = "13";

    static final String VERSION_HEADER = "Sec-WebSocket-Version";

    /** Pattern of 16 bytes in base64. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{21}[AQgw]==");

    private final HttpServerRequest request;

    WebSocketHandshake(HttpServerRequest request) {
        this.request = request;
    }

    /** Returns whether the client uses another version, or none. */
    boolean isOfAnotherVersion() {
        return !all(VERSION_HEADER).equals(List.of(VERSION));
    }

    /** Fails with {@code BAD_REQUEST} at the first error. */
    void require() {
        require(
                HttpMethod.GET.equals(request.method()) && request.version() == HttpVersion.HTTP_1_1,
                "A WebSocket is opened by GET and HTTP/1.1");
        require(isNamed("Upgrade", "websocket"), "Only WebSockets are served here: Upgrade has to be websocket");
        require(isNamed("Connection", "upgrade"), "To open a WebSocket, Connection has to be Upgrade");
        require(!isOfAnotherVersion(), VERSION_HEADER + " has to be " + VERSION);
        List<String> keys = all("Sec-WebSocket-Key");
        require(
                keys.size() == 1 && KEY.matcher(keys.get(0)).matches(),
                "Sec-WebSocket-Key has to be 16 bytes in base64");
    }

    private boolean isNamed(String header, String token) {
        return all(header).stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .anyMatch(named -> named.strip().equalsIgnoreCase(token));
    }

    private List<String> all(String header) {
        return request.headers().getAll(header);
    }

    private static void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new ApiException(ErrorCode.BAD_REQUEST, otherwise);
        }
    }
}

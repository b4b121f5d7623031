package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends bytes that no well-behaved client would, and reads only on demand. Each byte is one
 * character here.
 */
public final class RawHttp implements AutoCloseable {

    /** Opens a WebSocket for live queries. */
    public static final String WEB_SOCKET = String.join(
            "\r\n",
            "GET /v1/events HTTP/1.1",
            "Host: x",
            "Origin: https://elsewhere.example",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "",
            "");

    /** The end of the head of a request or answer. */
    public static final String END_OF_HEAD = "\r\n\r\n";

    /** An unsolicited pong, to which no answer is sent (RFC 6455 §5.5.3). */
    public static final String PONG = "\u008a\u0080\0\0\0\0";

    private static final int PATIENCE_MILLIS = 30_000;

    /** Small, so that a server soon detects that its client does not read. */
    private static final int RECEIVE_BUFFER_BYTES = 4096;

    private final Socket socket = new Socket();

    private RawHttp(URI base) throws IOException {
        socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
    }

    public static RawHttp connect(URI base) throws IOException {
        return new RawHttp(base);
    }

    /** Sends a text and returns all that the server sends until it closes the connection. */
    public static String exchange(URI base, String text) throws IOException {
        try (RawHttp connection = connect(base)) {
            connection.send(text);
            return connection.readToTheEnd();
        }
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends a text frame. */
    public void sendFrame(String text) throws IOException {
        send(frame(0x81, text));
    }

    /** Returns a frame that begins with this byte, masked with zeros (RFC 6455 §5.2). */
    public static String frame(int head, String payload) {
        return (char) head + maskedLength(payload.length()) + "\0\0\0\0" + payload;
    }

    private static String maskedLength(int length) {
        if (length < 126) {
            return String.valueOf((char) (0x80 | length));
        }
        String low = "" + (char) (length >> 8 & 0xff) + (char) (length & 0xff);
        return length < 1 << 16
                ? "\u00fe" + low
                : "\u00ff\0\0\0\0" + (char) (length >> 24 & 0xff) + (char) (length >> 16 & 0xff) + low;
    }

    /** Reads up to the end of the text, and no further. */
    public String readUntil(String text) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf(text) < 0) {
            int next = nextByte(answer);
            assertThat(next).as(answer.toString()).isNotNegative();
            answer.append((char) next);
        }
        return answer.toString();
    }

    private int nextByte(StringBuilder before) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("nothing more after: " + before, e);
        }
    }

    /** Reads the rest; a reset of the connection is an end, too. */
    public String readToTheEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[1 << 16];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException reset) {
            // the end
        }
        return text.toString();
    }

    /**
     * Waits, without reading, until the server has dropped the connection: sends meaningless bytes
     * until that fails.
     */
    public void awaitReset(String meaningless) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        try {
            while (System.nanoTime() < deadline) {
                send(meaningless);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        } catch (IOException reset) {
            return;
        }
        throw new AssertionError("still connected after " + PATIENCE_MILLIS + " ms");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.orestes.bench.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One keep-alive connection on which one request is under way at a time. Blocks, so that its own
 * share of the measured time is minimal. Supports answers with {@code Content-Length} only, like
 * all of JSON. Not thread-safe.
 */
final class Caller implements AutoCloseable {

    private static final int PATIENCE_MILLIS = (int) TimeUnit.SECONDS.toMillis(30);
    private static final String LENGTH = "content-length:";

    private final Socket socket;
    private final InputStream from;
    private final OutputStream to;

    Caller(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.from = new BufferedInputStream(socket.getInputStream());
        this.to = socket.getOutputStream();
    }

    /** Sends a JSON text and returns the body of the answer; fails if that has another status. */
    String send(int status, String method, String path, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " /v1" + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + content.length + "\r\n\r\n";
        byte[] request = new byte[head.length() + content.length];
        System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
        System.arraycopy(content, 0, request, head.length(), content.length);
        to.write(request);
        return answer(status, method + " " + path);
    }

    private String answer(int status, String request) throws IOException {
        String first = line();
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
        }
        String body = new String(from.readNBytes(length), StandardCharsets.UTF_8);
        if (!first.startsWith("HTTP/1.1 " + status)) {
            throw new IOException(request + " is answered with " + first + ": " + body);
        }
        return body;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = from.read(); next != '\n'; next = from.read()) {
            if (next < 0) {
                throw new IOException("The connection ended in the middle of an answer");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.orestes.bench.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A client that sends requests without waiting for answers, over a few connections, to measure the
 * capacity of a server.
 */
public final class Pipelined {

    private static final byte[] STATUS = "HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII);

    private Pipelined() {}

    /** Returns a request for the resource at a path. */
    public static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    /**
     * Sends all requests, a part over each connection, and returns when all answers have arrived.
     */
    public static void send(int port, int connections, List<String> requests) {
        CompletableFuture<?>[] parts = IntStream.range(0, connections)
                .mapToObj(part -> IntStream.range(0, requests.size())
                        .filter(i -> i % connections == part)
                        .mapToObj(requests::get)
                        .toList())
                .map(part -> CompletableFuture.runAsync(() -> send(port, part)))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(parts).join();
    }

    private static void send(int port, List<String> requests) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(socket, requests));
            readAnswers(socket.getInputStream(), requests.size());
            sent.join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Socket socket, List<String> requests) {
        try {
            socket.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void readAnswers(InputStream answers, int count) throws IOException {
        byte[] buffer = new byte[1 << 16];
        int left = count;
        int matched = 0;
        while (left > 0) {
            int length = answers.read(buffer);
            if (length < 0) {
                throw new IOException(left + " answers are missing");
            }
            for (int i = 0; i < length; i++) {
                matched = buffer[i] == STATUS[matched] ? matched + 1 : buffer[i] == STATUS[0] ? 1 : 0;
                if (matched == STATUS.length) {
                    left--;
                    matched = 0;
                }
            }
        }
    }
}

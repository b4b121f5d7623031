package io.orestes.coherence;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP/1.1 request or response whose body has a known length (RFC 9112). Immutable. Each byte is
 * one character here.
 *
 * @param start the request or status line
 * @param headers values by name in lower case; lines with one name are joined by commas
 * @param body empty if there is none
 */
record Message(String start, Map<String, String> headers, String body) {

    Message {
        headers = Map.copyOf(headers);
    }

    static Message get(String target) {
        return new Message("GET " + target + " HTTP/1.1", Map.of("host", "localhost"), "");
    }

    /** Returns a response without a body. */
    static Message empty(int status) {
        return new Message("HTTP/1.1 " + status + " ", Map.of("content-length", "0"), "");
    }

    Message with(String name, String value) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.put(name, value);
        return new Message(start, changed, body);
    }

    Message without(String name) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.remove(name);
        return new Message(start, changed, body);
    }

    Message withBody(String text) {
        return new Message(start, headers, text).with("content-length", String.valueOf(text.length()));
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    String method() {
        return start.substring(0, start.indexOf(' '));
    }

    /** Returns the target of a request. */
    String target() {
        int from = start.indexOf(' ') + 1;
        return start.substring(from, start.indexOf(' ', from));
    }

    int status() {
        return Integer.parseInt(start.substring(9, 12));
    }

    void write(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder(start).append("\r\n");
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        out.write(text.append("\r\n").append(body).toString().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    static Message read(InputStream in) throws IOException {
        String start = line(in);
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (one, other) -> one + ", " + other);
        }
        return new Message(start, headers, body(in, start, headers));
    }

    private static String body(InputStream in, String start, Map<String, String> headers) throws IOException {
        if (headers.containsKey("transfer-encoding")) {
            throw new ProtocolException("sent in chunks: " + start);
        }
        boolean isBare = start.startsWith("HTTP/1.1 304") || start.startsWith("HTTP/1.1 204");
        int length = isBare ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("cut off: " + start);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed");
            }
            line.append((char) next);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }
}

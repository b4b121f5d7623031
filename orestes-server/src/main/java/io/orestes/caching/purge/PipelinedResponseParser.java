package io.orestes.caching.purge;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * A parser that reads the statuses of pipelined HTTP/1.1 responses (RFC 9112) and skips everything
 * else. It supports bodies with {@code Content-Length} only, and rejects all other input with an
 * {@link IllegalArgumentException}. Single-threaded.
 */
final class PipelinedResponseParser implements Handler<Buffer> {

    private static final int LONGEST_LINE = 8192;

    private final IntConsumer onStatus;
    private final StringBuilder line = new StringBuilder();
    private int status;
    private int bodyLeft;
    private int announced;

    PipelinedResponseParser(IntConsumer onStatus) {
        this.onStatus = onStatus;
    }

    @Override
    public void handle(Buffer bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            if (bodyLeft > 0) {
                bodyLeft--;
            } else {
                read((char) (bytes.getByte(i) & 0xff));
            }
        }
    }

    private void read(char letter) {
        if (letter == '\n') {
            lineEnded(line.toString().stripTrailing());
            line.setLength(0);
        } else if (line.append(letter).length() > LONGEST_LINE) {
            throw new IllegalArgumentException("A line of the response is too long");
        }
    }

    private void lineEnded(String text) {
        if (status == 0) {
            status = status(text);
        } else if (text.isEmpty()) {
            headEnded();
        } else {
            header(text.toLowerCase(Locale.ROOT));
        }
    }

    private void headEnded() {
        int ended = status;
        bodyLeft = announced;
        status = 0;
        announced = 0;
        if (ended >= 200) {
            onStatus.accept(ended);
        }
    }

    private void header(String text) {
        if (text.startsWith("content-length:")) {
            announced = Integer.parseUnsignedInt(
                    text.substring("content-length:".length()).strip());
        } else if (text.startsWith("transfer-encoding:")) {
            throw new IllegalArgumentException("The response is sent in chunks");
        }
    }

    private static int status(String text) {
        if (!text.matches("HTTP/1\\.1 [1-5][0-9][0-9]( .*)?")) {
            throw new IllegalArgumentException("Not a status line");
        }
        return Integer.parseInt(text.substring(9, 12));
    }
}

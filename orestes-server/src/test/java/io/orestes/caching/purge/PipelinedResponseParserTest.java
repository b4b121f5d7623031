package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PipelinedResponseParserTest {

    private static final String PURGED = "HTTP/1.1 204 Purged\r\nDate: today\r\nVary: origin\r\n\r\n";
    private static final String REFUSED = "HTTP/1.1 403 Forbidden\r\ncontent-LENGTH:  12\r\n\r\nHTTP/1.1 204";

    private final List<Integer> statuses = new ArrayList<>();
    private final PipelinedResponseParser pipelinedResponseParser = new PipelinedResponseParser(statuses::add);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void handle_pipelinedInPieces_reportsEveryStatusInOrder(int pieceLength) {
        String all = PURGED + REFUSED + "HTTP/1.1 100 Continue\r\n\r\n" + PURGED;
        for (int i = 0; i < all.length(); i += pieceLength) {
            pipelinedResponseParser.handle(Buffer.buffer(all.substring(i, Math.min(all.length(), i + pieceLength))));
        }

        assertThat(statuses).containsExactly(204, 403, 204);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/1.0 204 Purged\r\n",
                "HTTP/1.1 2040\r\n",
                "\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"
            })
    void handle_notUnderstood_isRefused(String text) {
        assertThatThrownBy(() -> pipelinedResponseParser.handle(Buffer.buffer(text)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void handle_endlessLine_isRefused() {
        assertThatThrownBy(() -> pipelinedResponseParser.handle(Buffer.buffer("x".repeat(10_000))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

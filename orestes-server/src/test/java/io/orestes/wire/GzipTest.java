package io.orestes.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 100_000})
    void compress_bytesOfAnyNumber_comeBackUnchanged(int length) throws IOException {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);

        assertThat(decompress(Gzip.compress(Buffer.buffer(body)))).isEqualTo(body);
    }

    @Test
    void compress_repetitiveText_isMuchShorter() {
        Buffer body = Buffer.buffer("the same again ".repeat(1_000));

        assertThat(Gzip.compress(body).length()).isLessThan(body.length() / 50);
    }

    @Test
    void compress_sameBodyTwice_givesTheSameBytes() {
        Buffer body = Buffer.buffer("caches compare them");

        assertThat(Gzip.compress(body)).isEqualTo(Gzip.compress(body));
    }

    private static byte[] decompress(Buffer compressed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed.getBytes()))) {
            return in.readAllBytes();
        }
    }
}

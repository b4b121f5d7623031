package io.orestes.http;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Bodies as {@code Content-Encoding: gzip} (RFC 1952). */
final class Gzip {

    private Gzip() {}

    static Buffer compress(Buffer body) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body.getBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Buffer.buffer(compressed.toByteArray());
    }
}

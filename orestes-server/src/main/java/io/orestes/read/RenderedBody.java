package io.orestes.read;

import com.google.common.hash.Hashing;
import io.vertx.core.buffer.Buffer;

/**
 * A rendered JSON body with the entity tag that identifies it.
 *
 * @param etag names this body among all that its URL ever had; with its quotes
 * @param body JSON text
 */
public record RenderedBody(String etag, Buffer body) {

    /** 128 bits, of a hash for which nobody can make up two texts. */
    private static final int HEX_DIGITS = 32;

    /** A text without a version: its tag is a hash, in which every change shows. */
    static RenderedBody hashed(Buffer body) {
        String hash = Hashing.sha256().hashBytes(body.getBytes()).toString();
        return new RenderedBody("\"" + hash.substring(0, HEX_DIGITS) + "\"", body);
    }
}

package io.orestes.read.response;

import com.google.common.hash.Hashing;
import io.vertx.core.buffer.Buffer;

/**
 * A rendered JSON body with the entity tag that identifies it.
 *
 * @param etag identifies this body among all bodies of its URL; with its quotes
 * @param body JSON text
 */
public record RenderedBody(String etag, Buffer body) {

    /** Number of hex digits of the tag: 128 bits of a collision-resistant hash. */
    private static final int HEX_DIGITS = 32;

    /**
     * Creates the body of a text without a version: its tag is a hash, which differs after every
     * change.
     */
    public static RenderedBody hashed(Buffer body) {
        String hash = Hashing.sha256().hashBytes(body.getBytes()).toString();
        return new RenderedBody("\"" + hash.substring(0, HEX_DIGITS) + "\"", body);
    }
}

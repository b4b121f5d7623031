package io.orestes.read;

import com.google.common.hash.Hashing;
import io.vertx.core.buffer.Buffer;

/**
 * A state as it goes out.
 *
 * @param etag names this body among all that its URL ever had; with its quotes
 * @param body JSON text
 */
public record Rendered(String etag, Buffer body) {

    /** A text without a version: its tag is a hash, in which every change shows. */
    static Rendered hashed(Buffer body) {
        return new Rendered("\"" + Hashing.murmur3_128().hashBytes(body.getBytes()) + "\"", body);
    }
}

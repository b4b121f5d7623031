package io.orestes.read;

import io.vertx.core.buffer.Buffer;

/**
 * A state as it goes out.
 *
 * @param etag names this body among all that its URL ever had; with its quotes
 * @param body JSON text
 */
public record Rendered(String etag, Buffer body) {}

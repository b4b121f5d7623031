package io.orestes.wire;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The strict decoder of UTF-8, which refuses malformed text instead of replacing characters. */
public final class Utf8Decoder {

    private Utf8Decoder() {}

    /** Decodes a text; empty if it is not UTF-8, instead of a text with replacement characters. */
    public static Optional<String> decode(Buffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes()))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}

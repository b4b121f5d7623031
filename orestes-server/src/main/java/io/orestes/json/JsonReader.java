package io.orestes.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A strict parser of JSON texts (RFC 8259) into BSON values. It is stricter than the RFC, so that
 * an accepted text has one meaning only. It accepts no duplicate members, no unpaired surrogates,
 * no number outside of the range of 64-bit integers and doubles, and nothing after the text.
 * Integers are always int64. Any mistake fails with {@code BAD_REQUEST} and its position.
 */
public final class JsonReader {

    /** Maximum number of objects and arrays around a value, itself included. */
    public static final int MAX_DEPTH = 100;

    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            // Names come from untrusted clients: neither interned nor stored in a shared table.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH + 1)
                    .build())
            .build();

    private JsonReader() {}

    /** Reads one value from UTF-8 bytes. */
    public static BsonValue read(Buffer utf8) {
        return read(utf8.getBytes());
    }

    /** Reads one value from UTF-8 bytes. */
    public static BsonValue read(byte[] utf8) {
        // Then no character needs a check: none is cut off, and no escape can stand for half of a
        // pair.
        return JsonEscapeScanner.isAsciiWithoutEscapes(utf8)
                ? parse(new String(utf8, StandardCharsets.US_ASCII), false)
                : read(decode(utf8));
    }

    /** Reads one value from a text. */
    public static BsonValue read(String text) {
        return parse(text, true);
    }

    /** Reads an object; fails with {@code BAD_REQUEST} on any other value. */
    public static BsonDocument readObject(Buffer utf8) {
        BsonValue value = read(utf8);
        if (!value.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "A JSON object is expected");
        }
        return value.asDocument();
    }

    private static String decode(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The JSON text is not UTF-8");
        }
    }

    private static BsonValue parse(String text, boolean mayHoldSurrogates) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return new JsonValueBuilder(parser, mayHoldSurrogates).single();
        } catch (IOException e) {
            throw new UncheckedIOException("A string cannot fail to be read", e);
        }
    }
}

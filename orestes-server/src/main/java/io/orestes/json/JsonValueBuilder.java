package io.orestes.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A builder of BSON values from the tokens of one JSON text, with limits of depth and size. Single
 * use, single thread.
 */
final class JsonValueBuilder {

    /** Constant cost of a name or value in the limit of an element, beside its characters. */
    static final int WEIGHT = 16;

    private final JsonParser parser;
    private final boolean mayHoldSurrogates;
    private int depth;
    private long room = Long.MAX_VALUE;

    /** @param mayHoldSurrogates false if no string of the text can have characters beyond ASCII */
    JsonValueBuilder(JsonParser parser, boolean mayHoldSurrogates) {
        this.parser = parser;
        this.mayHoldSurrogates = mayHoldSurrogates;
    }

    /** Returns the text's only value. */
    BsonValue single() {
        try {
            BsonValue value = value(parser.nextToken());
            if (parser.nextToken() != null) {
                throw refused("there is something after the end of the JSON text");
            }
            return value;
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** Enters the text's only value, which has to be an array. */
    void enterArray() {
        try {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw refused("an array is expected");
            }
            descend();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /**
     * Returns the next element of that array; empty at its end, which has to be the end of the
     * text.
     *
     * @param limit maximum size of the element; a larger one fails with {@code PAYLOAD_TOO_LARGE}
     */
    Optional<BsonValue> element(int limit) {
        room = limit;
        try {
            JsonToken token = parser.nextToken();
            if (token != JsonToken.END_ARRAY) {
                return Optional.of(value(token));
            }
            if (parser.nextToken() != null) {
                throw refused("there is something after the end of the JSON text");
            }
            return Optional.empty();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    void close() throws IOException {
        parser.close();
    }

    /** Returns the number of characters read. */
    long position() {
        return parser.currentLocation().getCharOffset();
    }

    /**
     * Creates a syntax error for the client: with the position, and without details of the parser.
     */
    private ApiException malformed(IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return new ApiException(ErrorCode.BAD_REQUEST, "The JSON text is not UTF-8");
        }
        JsonLocation at = failure instanceof JsonProcessingException syntax ? syntax.getLocation() : null;
        String place = place(at == null ? parser.currentLocation() : at);
        return new ApiException(ErrorCode.BAD_REQUEST, "Malformed JSON" + place);
    }

    private BsonValue value(@Nullable JsonToken token) throws IOException {
        if (token == null) {
            throw refused("the text ends where a value is expected");
        }
        use(WEIGHT);
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> new BsonString(text("string"));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> BsonBoolean.TRUE;
            case VALUE_FALSE -> BsonBoolean.FALSE;
            case VALUE_NULL -> BsonNull.VALUE;
            default -> throw refused("a value is expected");
        };
    }

    private BsonDocument object() throws IOException {
        descend();
        BsonDocument document = new BsonDocument();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = name();
            if (document.put(name, value(parser.nextToken())) != null) {
                throw refused("duplicate member \"" + name.substring(0, Math.min(name.length(), 100)) + "\"");
            }
        }
        depth--;
        return document;
    }

    private BsonArray array() throws IOException {
        descend();
        BsonArray array = new BsonArray();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(token));
        }
        depth--;
        return array;
    }

    private void use(int size) {
        room -= size;
        if (room < 0) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "An element is too large" + place(parser.currentTokenLocation()));
        }
    }

    private void descend() {
        if (++depth > JsonReader.MAX_DEPTH) {
            throw refused("nested deeper than " + JsonReader.MAX_DEPTH + " levels");
        }
    }

    private String name() throws IOException {
        use(WEIGHT);
        String name = text("member name");
        if (name.indexOf('\0') >= 0) {
            throw refused("NUL in a member name");
        }
        return name;
    }

    private String text(String what) throws IOException {
        String text = parser.getText();
        use(text.length());
        if (mayHoldSurrogates) {
            requireWholeCharacters(text, what);
        }
        return text;
    }

    private void requireWholeCharacters(String text, String what) {
        int index = 0;
        while (index < text.length()) {
            int character = text.codePointAt(index);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw refused("unpaired surrogate in a " + what);
            }
            index += Character.charCount(character);
        }
    }

    private BsonValue number() throws IOException {
        String literal = parser.getText();
        use(literal.length());
        return JsonNumbers.parse(literal).orElseThrow(() -> refused("number beyond 64 bit: " + literal));
    }

    private ApiException refused(String reason) {
        return new ApiException(
                ErrorCode.BAD_REQUEST, "Malformed JSON" + place(parser.currentTokenLocation()) + ": " + reason);
    }

    private static String place(JsonLocation at) {
        return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }
}

package io.orestes.json;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A writer of BSON values as compact JSON in UTF-8, in the forms of protocol §1.5. Its only state
 * is a growing byte array: one instance writes one text on one thread.
 */
public final class JsonWriter {

    private static final byte[] TRUE = bytes("true");
    private static final byte[] FALSE = bytes("false");
    private static final byte[] NULL = bytes("null");

    private final Utf8Buffer out;

    public JsonWriter() {
        this(1024);
    }

    /** Creates a writer for a text of about {@code expectedBytes}. */
    public JsonWriter(int expectedBytes) {
        out = new Utf8Buffer(expectedBytes);
    }

    /** Returns the JSON text of one value. */
    public static Buffer write(BsonValue value) {
        return new JsonWriter().value(value).toBuffer();
    }

    /** Returns the JSON text of one value, for messages and logs. */
    public static String print(BsonValue value) {
        return write(value).toString(StandardCharsets.UTF_8);
    }

    /**
     * Appends bytes that are JSON already, for instance braces, commas or a rendered member name.
     */
    @CanIgnoreReturnValue
    public JsonWriter raw(byte[] json) {
        out.append(json);
        return this;
    }

    /** Appends ASCII text that is JSON already. */
    @CanIgnoreReturnValue
    public JsonWriter ascii(String json) {
        out.ascii(json);
        return this;
    }

    /** Appends one character of JSON syntax. */
    @CanIgnoreReturnValue
    public JsonWriter raw(char syntax) {
        out.append((byte) syntax);
        return this;
    }

    /** Appends a text as a JSON string. */
    @CanIgnoreReturnValue
    public JsonWriter string(String text) {
        out.quoted(text);
        return this;
    }

    /** Appends a number. */
    @CanIgnoreReturnValue
    public JsonWriter number(long value) {
        out.ascii(Long.toString(value));
        return this;
    }

    /** Appends a point in time, milliseconds since 1970, as a DateTime of protocol §1.5. */
    @CanIgnoreReturnValue
    public JsonWriter dateTime(long epochMillis) {
        out.append((byte) '"');
        out.ascii(WireDates.dateTime(epochMillis));
        out.append((byte) '"');
        return this;
    }

    /**
     * Appends any value.
     *
     * @throws IllegalArgumentException on BSON types that no JSON text yields
     */
    @CanIgnoreReturnValue
    public JsonWriter value(BsonValue value) {
        switch (value.getBsonType()) {
            case DOCUMENT -> object(value.asDocument());
            case ARRAY -> array(value.asArray());
            case STRING -> string(value.asString().getValue());
            case INT32 -> number(value.asInt32().getValue());
            case INT64 -> number(value.asInt64().getValue());
            case DOUBLE -> out.ascii(JsonNumbers.print(value.asDouble().getValue()));
            case BOOLEAN -> raw(value.asBoolean().getValue() ? TRUE : FALSE);
            case DATE_TIME -> dateTime(value.asDateTime().getValue());
            case NULL -> raw(NULL);
            default -> throw new IllegalArgumentException("No JSON form for " + value.getBsonType());
        }
        return this;
    }

    /** Returns the written text; the writer must not be used afterwards. */
    public Buffer toBuffer() {
        return out.toBuffer();
    }

    private void object(BsonDocument document) {
        char separator = '{';
        for (Map.Entry<String, BsonValue> member : document.entrySet()) {
            raw(separator).string(member.getKey()).raw(':').value(member.getValue());
            separator = ',';
        }
        closeAfter(separator, '{', '}');
    }

    private void array(List<BsonValue> elements) {
        char separator = '[';
        for (BsonValue element : elements) {
            raw(separator).value(element);
            separator = ',';
        }
        closeAfter(separator, '[', ']');
    }

    private void closeAfter(char separator, char opening, char closing) {
        if (separator == opening) {
            raw(opening);
        }
        raw(closing);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

package io.invalidb.query.value;

import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * An estimate of the heap bytes that a BSON value occupies, as if no two values shared memory. It
 * gives the order of magnitude: a number of a few bytes takes twenty times as much in the heap as
 * on the disk.
 */
public final class HeapSize {

    /** Size of an object with a reference or a number, in bytes. */
    private static final int VALUE = 24;

    /**
     * Size of a field name with its text, its table entry and the links to its neighbours, in
     * bytes.
     */
    private static final int FIELD = 104;

    private static final int TEXT = 64;
    private static final int MAP = 120;
    private static final int LIST = 64;
    private static final int REFERENCE = 8;

    private HeapSize() {}

    /** Returns the size in bytes, with all nested values. */
    public static long of(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOCUMENT -> ofDocument(value.asDocument());
            case ARRAY -> ofList(value.asArray());
            case STRING -> TEXT + ((BsonString) value).getValue().length();
            case BINARY -> TEXT + ((BsonBinary) value).getData().length;
            default -> VALUE;
        };
    }

    private static long ofDocument(BsonDocument document) {
        return document instanceof RawBsonDocument raw
                ? MAP + raw.getByteBuffer().remaining()
                : MAP + ofFields(document);
    }

    private static long ofFields(BsonDocument document) {
        long bytes = 0;
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            bytes += FIELD + field.getKey().length() + of(field.getValue());
        }
        return bytes;
    }

    private static long ofList(BsonArray elements) {
        long bytes = LIST;
        for (BsonValue element : elements) {
            bytes += REFERENCE + of(element);
        }
        return bytes;
    }
}

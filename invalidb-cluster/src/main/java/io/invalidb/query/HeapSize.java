package io.invalidb.query;

import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * An estimate of the heap bytes that a BSON value occupies, as if no two values shared memory. What
 * counts is the order of magnitude: numbers of a few bytes each take twenty times as much here as
 * on the disk.
 */
public final class HeapSize {

    /** An object with a reference or a number in it. */
    private static final int VALUE = 24;

    /** A name with its text, its place in the table and the links to its neighbours. */
    private static final int FIELD = 104;

    private static final int TEXT = 64;
    private static final int MAP = 120;
    private static final int LIST = 64;
    private static final int REFERENCE = 8;

    private HeapSize() {}

    /** In bytes, with all that is in it. */
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

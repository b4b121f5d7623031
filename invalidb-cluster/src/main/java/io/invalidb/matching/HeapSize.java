package io.invalidb.matching;

import io.invalidb.model.WriteEvent;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** What writes occupy on the heap, in bytes: an estimate that is rather too high, as if no two of them shared anything. */
public final class HeapSize {

    private static final long WRITE = 256;
    private static final long DOCUMENT = 160;
    private static final long FIELD = 48;
    private static final long ELEMENT = 8;
    private static final long TEXT = 56;
    private static final long SCALAR = 32;

    private HeapSize() {}

    /** A write with its after-image, and with what it takes to retain it. */
    static long of(WriteEvent write) {
        return write instanceof WriteEvent.Upsert upsert ? WRITE + of(upsert.afterImage()) : WRITE;
    }

    /** A value with all that is in it. */
    public static long of(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOCUMENT -> ofDocument(value.asDocument());
            case ARRAY -> ofArray(value.asArray());
            case STRING -> ofText(((BsonString) value).getValue());
            case BINARY -> SCALAR + ((BsonBinary) value).getData().length;
            default -> SCALAR;
        };
    }

    private static long ofDocument(BsonDocument document) {
        return document instanceof RawBsonDocument raw
                ? DOCUMENT + raw.getByteBuffer().remaining()
                : DOCUMENT + ofFields(document);
    }

    private static long ofFields(BsonDocument document) {
        long size = 0;
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            size += FIELD + ofText(field.getKey()) + of(field.getValue());
        }
        return size;
    }

    private static long ofArray(BsonArray array) {
        long size = DOCUMENT;
        for (BsonValue element : array) {
            size += ELEMENT + of(element);
        }
        return size;
    }

    private static long ofText(String text) {
        return TEXT + (long) Character.BYTES * text.length();
    }
}

package io.invalidb.query.value;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;

/**
 * MongoDB's order over all BSON values (manual, "Comparison/Sort Order"): first by type bracket,
 * within it by value. Numbers compare by exact value whatever their type, NaN being the smallest
 * and equal to itself; strings and symbols by code points, as their UTF-8 bytes would; documents
 * field by field, by type, name and value; binary data by length first. Undefined values come
 * between MinKey and null.
 */
public final class BsonOrder implements Comparator<BsonValue> {

    /** The only instance; it has no state. */
    public static final BsonOrder INSTANCE = new BsonOrder();

    static final int NULL_BRACKET = 5;
    static final int NUMBER_BRACKET = 10;
    static final int TEXT_BRACKET = 15;
    static final int DOCUMENT_BRACKET = 20;
    static final int ARRAY_BRACKET = 25;

    private BsonOrder() {}

    /**
     * Compares two values. One array may be compared a hundred thousand times, as the sort value of
     * each of its elements.
     */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public int compare(BsonValue one, BsonValue other) {
        if (one == other) {
            return 0;
        }
        int bracket = bracket(one);
        int byBracket = Integer.compare(bracket, bracket(other));
        return byBracket != 0 ? byBracket : compareWithin(bracket, one, other);
    }

    /**
     * Returns whether two values are in one bracket, e.g. all numbers; only those are comparable by
     * {@code $gt} and the like.
     */
    public static boolean sameBracket(BsonValue one, BsonValue other) {
        return bracket(one) == bracket(other);
    }

    public static int bracket(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY, END_OF_DOCUMENT -> 0;
            case UNDEFINED -> 1;
            case NULL -> NULL_BRACKET;
            case INT32, INT64, DOUBLE, DECIMAL128 -> NUMBER_BRACKET;
            case STRING, SYMBOL -> TEXT_BRACKET;
            case DOCUMENT -> DOCUMENT_BRACKET;
            case ARRAY -> ARRAY_BRACKET;
            case BINARY -> 30;
            case OBJECT_ID -> 35;
            case BOOLEAN -> 40;
            case DATE_TIME -> 45;
            case TIMESTAMP -> 47;
            case REGULAR_EXPRESSION -> 50;
            case DB_POINTER -> 55;
            case JAVASCRIPT -> 60;
            case JAVASCRIPT_WITH_SCOPE -> 65;
            case MAX_KEY -> 127;
        };
    }

    /**
     * Returns whether two values of that bracket are equal; texts of different length differ
     * without a comparison.
     */
    public boolean areEqualWithin(int bracket, BsonValue one, BsonValue other) {
        return bracket == TEXT_BRACKET ? text(one).equals(text(other)) : compareWithin(bracket, one, other) == 0;
    }

    /** Compares two values of that bracket. */
    public int compareWithin(int bracket, BsonValue one, BsonValue other) {
        return switch (bracket) {
            case NUMBER_BRACKET -> NumberOrder.compare(one.asNumber(), other.asNumber());
            case TEXT_BRACKET -> compareText(text(one), text(other));
            case DOCUMENT_BRACKET -> compareDocuments(one.asDocument(), other.asDocument());
            case ARRAY_BRACKET -> compareArrays(one.asArray(), other.asArray());
            default -> compareScalars(one, other);
        };
    }

    private int compareScalars(BsonValue one, BsonValue other) {
        return switch (one.getBsonType()) {
            case BINARY -> compareBinary(one.asBinary(), other.asBinary());
            case OBJECT_ID -> one.asObjectId().compareTo(other.asObjectId());
            case BOOLEAN -> one.asBoolean().compareTo(other.asBoolean());
            case DATE_TIME -> one.asDateTime().compareTo(other.asDateTime());
            case TIMESTAMP -> one.asTimestamp().compareTo(other.asTimestamp());
            case REGULAR_EXPRESSION -> compareRegexes(one.asRegularExpression(), other.asRegularExpression());
            default -> compareOddities(one, other);
        };
    }

    private int compareOddities(BsonValue one, BsonValue other) {
        return switch (one.getBsonType()) {
            case DB_POINTER -> comparePointers(one.asDBPointer(), other.asDBPointer());
            case JAVASCRIPT -> compareCode((BsonJavaScript) one, (BsonJavaScript) other);
            case JAVASCRIPT_WITH_SCOPE -> compareScopes(one.asJavaScriptWithScope(), other.asJavaScriptWithScope());
            default -> 0;
        };
    }

    /** Returns whether the value is text, a string or a symbol. */
    public static boolean isText(BsonValue value) {
        return value instanceof BsonString || value instanceof BsonSymbol;
    }

    public static String text(BsonValue value) {
        return value instanceof BsonSymbol symbol
                ? symbol.getSymbol()
                : value.asString().getValue();
    }

    /**
     * Compares by code points; differs from {@code String.compareTo} for characters beyond the
     * basic plane.
     */
    static int compareText(String one, String other) {
        int common = Math.min(one.length(), other.length());
        for (int i = 0; i < common; i++) {
            char c = one.charAt(i);
            char d = other.charAt(i);
            if (c != d) {
                return Integer.compare(weight(c), weight(d));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    /**
     * Returns the rank of a UTF-16 unit: surrogates rank above U+E000 to U+FFFF, like the code
     * points they stand for.
     */
    private static int weight(char c) {
        return Character.isSurrogate(c) ? c + 0x10000 : c;
    }

    private int compareDocuments(BsonDocument one, BsonDocument other) {
        Iterator<Map.Entry<String, BsonValue>> others = other.entrySet().iterator();
        for (Map.Entry<String, BsonValue> field : one.entrySet()) {
            if (!others.hasNext()) {
                return 1;
            }
            int byField = compareFields(field, others.next());
            if (byField != 0) {
                return byField;
            }
        }
        return others.hasNext() ? -1 : 0;
    }

    private int compareFields(Map.Entry<String, BsonValue> one, Map.Entry<String, BsonValue> other) {
        int bracket = bracket(one.getValue());
        int byBracket = Integer.compare(bracket, bracket(other.getValue()));
        if (byBracket != 0) {
            return byBracket;
        }
        int byName = compareText(one.getKey(), other.getKey());
        return byName != 0 ? byName : compareWithin(bracket, one.getValue(), other.getValue());
    }

    private int compareArrays(BsonArray one, BsonArray other) {
        int common = Math.min(one.size(), other.size());
        for (int i = 0; i < common; i++) {
            int byElement = compare(one.get(i), other.get(i));
            if (byElement != 0) {
                return byElement;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static int compareBinary(BsonBinary one, BsonBinary other) {
        int byLength = Integer.compare(one.getData().length, other.getData().length);
        if (byLength != 0) {
            return byLength;
        }
        int byKind = Integer.compare(one.getType() & 0xff, other.getType() & 0xff);
        return byKind != 0 ? byKind : Arrays.compareUnsigned(one.getData(), other.getData());
    }

    private static int compareRegexes(BsonRegularExpression one, BsonRegularExpression other) {
        int byPattern = compareText(one.getPattern(), other.getPattern());
        return byPattern != 0 ? byPattern : compareText(one.getOptions(), other.getOptions());
    }

    private static int comparePointers(BsonDbPointer one, BsonDbPointer other) {
        int byName = compareText(one.getNamespace(), other.getNamespace());
        return byName != 0 ? byName : one.getId().compareTo(other.getId());
    }

    private static int compareCode(BsonJavaScript one, BsonJavaScript other) {
        return compareText(one.getCode(), other.getCode());
    }

    private int compareScopes(BsonJavaScriptWithScope one, BsonJavaScriptWithScope other) {
        int byCode = compareText(one.getCode(), other.getCode());
        return byCode != 0 ? byCode : compareDocuments(one.getScope(), other.getScope());
    }
}

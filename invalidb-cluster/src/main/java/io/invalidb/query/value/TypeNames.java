package io.invalidb.query.value;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QuerySyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** The names and numbers of types in {@code $type}. */
public final class TypeNames {

    private static final Map<String, BsonType> BY_NAME = byName();

    private static final Set<BsonType> NUMBERS =
            EnumSet.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128);

    private TypeNames() {}

    private static Map<String, BsonType> byName() {
        Map<String, BsonType> names = new LinkedHashMap<>();
        names.put("double", BsonType.DOUBLE);
        names.put("string", BsonType.STRING);
        names.put("object", BsonType.DOCUMENT);
        names.put("array", BsonType.ARRAY);
        names.put("binData", BsonType.BINARY);
        names.put("undefined", BsonType.UNDEFINED);
        names.put("objectId", BsonType.OBJECT_ID);
        names.put("bool", BsonType.BOOLEAN);
        names.put("date", BsonType.DATE_TIME);
        names.put("null", BsonType.NULL);
        names.put("regex", BsonType.REGULAR_EXPRESSION);
        names.put("dbPointer", BsonType.DB_POINTER);
        names.put("javascript", BsonType.JAVASCRIPT);
        names.put("symbol", BsonType.SYMBOL);
        names.put("javascriptWithScope", BsonType.JAVASCRIPT_WITH_SCOPE);
        names.put("int", BsonType.INT32);
        names.put("timestamp", BsonType.TIMESTAMP);
        names.put("long", BsonType.INT64);
        names.put("decimal", BsonType.DECIMAL128);
        names.put("minKey", BsonType.MIN_KEY);
        names.put("maxKey", BsonType.MAX_KEY);
        return names;
    }

    /** Returns the types of a name, a number, or an array of these. */
    public static Set<BsonType> parse(BsonValue operand) {
        Collection<BsonValue> names = operand instanceof BsonArray array ? array : Set.of(operand);
        EnumSet<BsonType> types = EnumSet.noneOf(BsonType.class);
        names.forEach(name -> types.addAll(typesOf(name)));
        if (types.isEmpty()) {
            throw new QuerySyntaxException("$type names at least one type");
        }
        return types;
    }

    private static Set<BsonType> typesOf(BsonValue name) {
        if (name instanceof BsonString text) {
            return text.getValue().equals("number") ? NUMBERS : Set.of(byName(text.getValue()));
        }
        if (name instanceof BsonNumber number) {
            return Set.of(byNumber(LongConversion.exact(number).orElse(0)));
        }
        throw new QuerySyntaxException("$type takes names and numbers of types");
    }

    private static BsonType byName(String name) {
        BsonType type = BY_NAME.get(name);
        if (type == null) {
            throw new QuerySyntaxException("$type has no type '" + Excerpt.of(name) + "'");
        }
        return type;
    }

    private static BsonType byNumber(long number) {
        long unsigned = number == -1 ? BsonType.MIN_KEY.getValue() : number;
        for (BsonType type : BY_NAME.values()) {
            if (type.getValue() == unsigned) {
                return type;
            }
        }
        throw new QuerySyntaxException("$type has no type " + number);
    }

    public static String nameOf(BsonValue value) {
        return BY_NAME.entrySet().stream()
                .filter(entry -> entry.getValue() == value.getBsonType())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** Returns numbers of types, ascending. */
    public static BsonArray toBson(Set<BsonType> types) {
        BsonArray numbers = new BsonArray(types.size());
        types.stream().sorted().forEach(type -> numbers.add(new BsonInt32(number(type))));
        return numbers;
    }

    private static int number(BsonType type) {
        return type == BsonType.MIN_KEY ? -1 : type.getValue();
    }
}

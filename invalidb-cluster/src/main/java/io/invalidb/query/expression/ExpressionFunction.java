package io.invalidb.query.expression;

import com.google.errorprone.annotations.Immutable;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.TypeNames;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The functions of expressions whose arguments are plain values, by their MongoDB operators.
 * Functions whose results depend on the machine are omitted.
 */
enum ExpressionFunction {
    EQ("$eq", 2, args -> BsonBoolean.valueOf(compare(args) == 0)),
    NE("$ne", 2, args -> BsonBoolean.valueOf(compare(args) != 0)),
    GT("$gt", 2, args -> BsonBoolean.valueOf(compare(args) > 0)),
    GTE("$gte", 2, args -> BsonBoolean.valueOf(compare(args) >= 0)),
    LT("$lt", 2, args -> BsonBoolean.valueOf(compare(args) < 0)),
    LTE("$lte", 2, args -> BsonBoolean.valueOf(compare(args) <= 0)),
    CMP("$cmp", 2, args -> new BsonInt32(Integer.signum(compare(args)))),
    NOT("$not", 1, args -> BsonBoolean.valueOf(!Expression.isTrue(args[0]))),

    ADD("$add", ArithmeticFunctions::add),
    SUBTRACT("$subtract", 2, args -> ArithmeticFunctions.subtract(args[0], args[1])),
    MULTIPLY("$multiply", ArithmeticFunctions::multiply),
    DIVIDE("$divide", 2, args -> ArithmeticFunctions.divide(args[0], args[1])),
    MOD("$mod", 2, args -> ArithmeticFunctions.remainder(args[0], args[1])),
    ABS("$abs", 1, args -> ArithmeticFunctions.absolute(args[0])),
    CEIL("$ceil", 1, args -> ArithmeticFunctions.rounded(args[0], Math::ceil)),
    FLOOR("$floor", 1, args -> ArithmeticFunctions.rounded(args[0], Math::floor)),
    ROUND("$round", 1, args -> ArithmeticFunctions.rounded(args[0], Math::rint)),
    TRUNC("$trunc", 1, args -> ArithmeticFunctions.rounded(args[0], d -> d < 0 ? Math.ceil(d) : Math.floor(d))),
    SQRT("$sqrt", 1, args -> ArithmeticFunctions.root(args[0])),

    CONCAT("$concat", StringFunctions::concat),
    TO_LOWER("$toLower", 1, args -> StringFunctions.lower(args[0])),
    TO_UPPER("$toUpper", 1, args -> StringFunctions.upper(args[0])),
    STRCASECMP("$strcasecmp", 2, args -> StringFunctions.compareIgnoringCase(args[0], args[1])),
    SUBSTR_CP("$substrCP", 3, args -> StringFunctions.substring(args[0], args[1], args[2])),
    STR_LEN_CP("$strLenCP", 1, args -> StringFunctions.length(args[0])),
    STR_LEN_BYTES("$strLenBytes", 1, args -> StringFunctions.lengthInBytes(args[0])),
    INDEX_OF_CP("$indexOfCP", 2, args -> StringFunctions.indexOf(args[0], args[1])),
    SPLIT("$split", 2, args -> StringFunctions.split(args[0], args[1])),

    IN("$in", 2, args -> BsonBoolean.valueOf(contains(array(args[1]), args[0]))),
    SIZE("$size", 1, args -> new BsonInt32(array(args[0]).size())),
    IS_ARRAY("$isArray", 1, args -> BsonBoolean.valueOf(args[0].isArray())),
    ARRAY_ELEM_AT("$arrayElemAt", 2, args -> elementAt(args[0], args[1])),
    TYPE("$type", 1, args -> new BsonString(Expression.isMissing(args[0]) ? "missing" : TypeNames.nameOf(args[0])));

    private static final int VARIADIC = -1;

    private static final Map<String, ExpressionFunction> BY_OPERATOR =
            Arrays.stream(values()).collect(Collectors.toMap(ExpressionFunction::operator, function -> function));

    private final String operator;
    private final int arity;
    private final Body body;

    ExpressionFunction(String operator, int arity, Body body) {
        this.operator = operator;
        this.arity = arity;
        this.body = body;
    }

    /** Declares a function of any number of arguments. */
    ExpressionFunction(String operator, Body body) {
        this(operator, VARIADIC, body);
    }

    /** The computation of a value from others. */
    @Immutable
    private interface Body {
        BsonValue apply(BsonValue[] arguments);
    }

    static Optional<ExpressionFunction> of(String operator) {
        return Optional.ofNullable(BY_OPERATOR.get(operator));
    }

    String operator() {
        return operator;
    }

    boolean takes(int arguments) {
        return arity == VARIADIC || arguments == arity;
    }

    BsonValue apply(BsonValue[] arguments) {
        return body.apply(arguments);
    }

    private static int compare(BsonValue[] arguments) {
        return BsonOrder.INSTANCE.compare(arguments[0], arguments[1]);
    }

    private static BsonArray array(BsonValue value) {
        if (value instanceof BsonArray array) {
            return array;
        }
        throw new IncomputableException();
    }

    private static boolean contains(BsonArray array, BsonValue wanted) {
        return array.stream().anyMatch(element -> BsonOrder.INSTANCE.compare(element, wanted) == 0);
    }

    /** Returns an element; negative positions count from the end. */
    private static BsonValue elementAt(BsonValue array, BsonValue position) {
        if (Expression.isNullish(array) || Expression.isNullish(position)) {
            return BsonNull.VALUE;
        }
        BsonArray elements = array(array);
        long given = ArithmeticFunctions.integer(position);
        long at = given < 0 ? given + elements.size() : given;
        return at >= 0 && at < elements.size() ? elements.get((int) at) : Expression.MISSING;
    }
}

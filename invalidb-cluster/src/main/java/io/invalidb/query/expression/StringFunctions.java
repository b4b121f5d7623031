package io.invalidb.query.expression;

import io.invalidb.query.value.BsonOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The string functions of expressions, in which only ASCII letters have case and positions count
 * characters.
 */
final class StringFunctions {

    private StringFunctions() {}

    static BsonValue concat(BsonValue[] parts) {
        StringBuilder whole = new StringBuilder();
        for (BsonValue part : parts) {
            if (Expression.isNullish(part)) {
                return BsonNull.VALUE;
            }
            whole.append(text(part));
        }
        return new BsonString(whole.toString());
    }

    static BsonValue lower(BsonValue value) {
        return mapped(textOrEmpty(value), c -> c >= 'A' && c <= 'Z' ? c + 32 : c);
    }

    static BsonValue upper(BsonValue value) {
        return mapped(textOrEmpty(value), StringFunctions::upperCase);
    }

    private static int upperCase(int c) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }

    private static BsonString mapped(String text, IntUnaryOperator change) {
        StringBuilder mapped = new StringBuilder(text.length());
        text.codePoints().map(change).forEach(mapped::appendCodePoint);
        return new BsonString(mapped.toString());
    }

    static BsonValue compareIgnoringCase(BsonValue one, BsonValue other) {
        BsonString left = mapped(textOrEmpty(one), StringFunctions::upperCase);
        BsonString right = mapped(textOrEmpty(other), StringFunctions::upperCase);
        return new BsonInt32(Integer.signum(BsonOrder.INSTANCE.compare(left, right)));
    }

    static BsonValue substring(BsonValue value, BsonValue start, BsonValue length) {
        String text = textOrEmpty(value);
        int from = ArithmeticFunctions.integer(start);
        int count = ArithmeticFunctions.integer(length);
        if (from < 0 || count < 0) {
            throw new IncomputableException();
        }
        int[] characters = text.codePoints().skip(from).limit(count).toArray();
        return new BsonString(new String(characters, 0, characters.length));
    }

    static BsonValue length(BsonValue value) {
        String text = text(value);
        return new BsonInt32(text.codePointCount(0, text.length()));
    }

    static BsonValue lengthInBytes(BsonValue value) {
        return new BsonInt32(text(value).getBytes(StandardCharsets.UTF_8).length);
    }

    static BsonValue indexOf(BsonValue value, BsonValue wanted) {
        if (Expression.isNullish(value)) {
            return BsonNull.VALUE;
        }
        String text = text(value);
        int at = text.indexOf(text(wanted));
        return new BsonInt32(at < 0 ? -1 : text.codePointCount(0, at));
    }

    static BsonValue split(BsonValue value, BsonValue separator) {
        if (Expression.isNullish(value) || Expression.isNullish(separator)) {
            return BsonNull.VALUE;
        }
        String text = text(value);
        String between = text(separator);
        if (between.isEmpty()) {
            throw new IncomputableException();
        }
        return parts(text, between);
    }

    private static BsonArray parts(String text, String between) {
        BsonArray parts = new BsonArray();
        int from = 0;
        for (int at = text.indexOf(between); at >= 0; at = text.indexOf(between, from)) {
            parts.add(new BsonString(text.substring(from, at)));
            from = at + between.length();
        }
        parts.add(new BsonString(text.substring(from)));
        return parts;
    }

    private static String textOrEmpty(BsonValue value) {
        return Expression.isNullish(value) ? "" : text(value);
    }

    private static String text(BsonValue value) {
        if (value instanceof BsonString text) {
            return text.getValue();
        }
        throw new IncomputableException();
    }
}

package io.orestes.read.translation;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.NamingRules;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A filter with parameters, written {@code {"$param": "name"}}, in the place of values. Parameters
 * take values of the declared types, never text of a filter, so that no caller can run a query
 * other than the prepared one. Immutable.
 */
public final class ParameterizedFilter {

    private static final String PARAMETER = "$param";
    private static final int MAX_PARAMETERS = 32;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");

    /** Parameter names that the URL of a result uses itself. */
    private static final Set<String> RESERVED = Set.of("start", "count", "BCB");

    /** Operators in whose operands strings may be names of fields. */
    private static final Set<String> NO_VALUES = Set.of("$expr", "$jsonSchema");

    private final BsonDocument filter;
    private final Map<String, ParameterType> types;

    private ParameterizedFilter(BsonDocument filter, Map<String, ParameterType> types) {
        this.filter = filter;
        this.types = types;
    }

    /**
     * Parses a template.
     *
     * @param parameters names and refs of types; fails with {@code BAD_REQUEST} if one is invalid,
     *     with {@code SYNTAX_ERROR} if the filter has others, with {@code QUERY_NOT_SUPPORTED} if
     *     they are inside of expressions
     */
    public static ParameterizedFilter parse(BsonDocument filter, BsonDocument parameters, Schema schema) {
        if (parameters.size() > MAX_PARAMETERS) {
            throw bad("A query has at most " + MAX_PARAMETERS + " parameters");
        }
        Map<String, ParameterType> types = new LinkedHashMap<>();
        parameters.forEach((name, type) -> types.put(requireName(name), type(name, type, schema)));
        return new ParameterizedFilter(filter, types);
    }

    /**
     * Fails with {@code BAD_REQUEST} if a parameter refers to a class that does not exist. A class
     * that is dropped later does not affect queries: they find dangling references.
     */
    public void requireClasses(Schema schema) {
        types.forEach((name, type) -> type.classTypes()
                .filter(named -> schema.find(named.bucket()).isEmpty())
                .findFirst()
                .ifPresent(unknown -> {
                    throw bad("Unknown type of the parameter " + name + ": " + NamingRules.shorten(unknown.ref()));
                }));
    }

    private static ParameterType type(String name, BsonValue type, Schema schema) {
        if (!type.isString()) {
            throw bad("The type of the parameter " + name + " has to be a string such as /db/Integer");
        }
        return ParameterType.parse(type.asString().getValue(), schema);
    }

    private static String requireName(String name) {
        if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
            throw bad("Not the name of a parameter: " + NamingRules.shorten(name));
        }
        return name;
    }

    /** Returns the filter with some value for each parameter, to check whether it can be run. */
    public BsonDocument sample() {
        return filled(name -> type(name).sample());
    }

    /**
     * Returns the filter for certain values; fails with {@code BAD_REQUEST} if one is missing or
     * not of its type.
     *
     * @param texts the values as spelled in a URL, by name
     */
    public BsonDocument fill(Function<String, Optional<String>> texts) {
        return filled(
                name -> value(name, texts.apply(name).orElseThrow(() -> bad("The parameter " + name + " is missing"))));
    }

    private BsonValue value(String name, String text) {
        return type(name).read(text).orElseThrow(() -> bad("The parameter " + name + " is not of its type"));
    }

    private ParameterType type(String name) {
        return Optional.ofNullable(types.get(name))
                .orElseThrow(() -> QueryTranslator.syntax("There is no parameter " + NamingRules.shorten(name)));
    }

    private BsonDocument filled(Function<String, BsonValue> values) {
        BsonDocument filled = new BsonDocument();
        filter.forEach((key, operand) -> filled.put(key, member(key, operand, values)));
        return filled;
    }

    private static BsonValue filled(BsonValue template, Function<String, BsonValue> values) {
        if (template.isArray()) {
            BsonArray filled = new BsonArray();
            template.asArray().forEach(element -> filled.add(filled(element, values)));
            return filled;
        }
        if (!template.isDocument()) {
            return template;
        }
        if (template.asDocument().containsKey(PARAMETER)) {
            return values.apply(name(template.asDocument()));
        }
        BsonDocument filled = new BsonDocument();
        template.asDocument().forEach((key, operand) -> filled.put(key, member(key, operand, values)));
        return filled;
    }

    private static BsonValue member(String key, BsonValue operand, Function<String, BsonValue> values) {
        return filled(operand, NO_VALUES.contains(key) ? name -> refuse(key) : values);
    }

    private static BsonValue refuse(String key) {
        throw new ApiException(ErrorCode.QUERY_NOT_SUPPORTED, "There are no parameters in " + key);
    }

    private static String name(BsonDocument placeholder) {
        if (placeholder.size() != 1 || !placeholder.isString(PARAMETER)) {
            throw QueryTranslator.syntax(PARAMETER + " takes the name of a parameter and stands alone");
        }
        return placeholder.getString(PARAMETER).getValue();
    }

    private static ApiException bad(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }
}

package io.invalidb.query.expression;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.regex.TextPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The parser for the aggregation expressions in {@code $expr}. */
public final class ExpressionParser {

    private static final int MAX_PARTS = 100;
    /** Numbers of arguments in MongoDB where fewer are supported here. */
    private static final Map<String, Integer> OPTIONAL_ARGUMENTS = Map.of("$round", 2, "$trunc", 2, "$indexOfCP", 4);

    private static final int MAX_NODES = 10_000;

    private int nodes = 0;

    private ExpressionParser() {}

    /** Parses an expression; the caller checks the depth. */
    public static Expression parse(BsonValue expression) {
        return new ExpressionParser().expression(expression);
    }

    private Expression expression(BsonValue value) {
        if (++nodes > MAX_NODES) {
            throw new QueryNotSupportedException("An expression has at most " + MAX_NODES + " parts");
        }
        if (value instanceof BsonString text && text.getValue().startsWith("$")) {
            return variable(text.getValue());
        }
        if (value instanceof BsonArray array) {
            return new Expression.ArrayOf(all(array));
        }
        return value instanceof BsonDocument document ? object(document) : new Expression.Constant(value);
    }

    private List<Expression> all(BsonArray values) {
        List<Expression> expressions = new ArrayList<>(values.size());
        values.forEach(formula -> expressions.add(expression(formula)));
        return List.copyOf(expressions);
    }

    private static Expression variable(String text) {
        if (text.equals("$$ROOT") || text.equals("$$CURRENT")) {
            return new Expression.Root();
        }
        if (text.startsWith("$$ROOT.") || text.startsWith("$$CURRENT.")) {
            return field(text.substring(text.indexOf('.') + 1));
        }
        if (text.startsWith("$$")) {
            throw new QueryNotSupportedException("The variable " + Excerpt.of(text) + " is not supported");
        }
        return field(text.substring(1));
    }

    private static Expression field(String path) {
        List<String> parts = List.of(path.split("\\.", -1));
        boolean isMalformed = parts.size() > MAX_PARTS
                || path.indexOf('\0') >= 0
                || parts.stream().anyMatch(part -> part.isEmpty() || part.startsWith("$"));
        if (isMalformed) {
            throw new QuerySyntaxException("An expression names no field by '$" + Excerpt.of(path) + "'");
        }
        return new Expression.Field(parts);
    }

    private Expression object(BsonDocument document) {
        boolean isCall = !document.isEmpty() && document.getFirstKey().startsWith("$");
        if (isCall) {
            if (document.size() != 1) {
                throw new QuerySyntaxException("An object in an expression has one operator and nothing else");
            }
            return call(document.getFirstKey(), document.values().iterator().next());
        }
        Map<String, Expression> fields = new LinkedHashMap<>();
        document.forEach((name, formula) -> {
            if (name.startsWith("$") || name.indexOf('.') >= 0 || name.isEmpty()) {
                throw new QuerySyntaxException("An object in an expression has no field '" + Excerpt.of(name) + "'");
            }
            fields.put(name, expression(formula));
        });
        return new Expression.ObjectOf(fields);
    }

    private Expression call(String operator, BsonValue operand) {
        return switch (operator) {
            case "$literal" -> new Expression.Constant(operand);
            case "$and" -> new Expression.Choice(Expression.Choice.Kind.AND, arguments(operand));
            case "$or" -> new Expression.Choice(Expression.Choice.Kind.OR, arguments(operand));
            case "$ifNull" -> ifNull(operand);
            case "$cond" -> condition(operand);
            case "$regexMatch" -> match(operand);
            default -> function(operator, operand);
        };
    }

    /** Returns the arguments; a single one needs no array. */
    private List<Expression> arguments(BsonValue operand) {
        return operand instanceof BsonArray array ? all(array) : List.of(expression(operand));
    }

    private Expression function(String operator, BsonValue operand) {
        ExpressionFunction expressionFunction = ExpressionFunction.of(operator)
                .orElseThrow(() -> new QueryNotSupportedException(
                        "The operator " + Excerpt.of(operator) + " is not supported in expressions"));
        List<Expression> arguments = arguments(operand);
        if (OPTIONAL_ARGUMENTS.getOrDefault(operator, 0) >= arguments.size()
                && !expressionFunction.takes(arguments.size())) {
            throw new QueryNotSupportedException(
                    operator + " is not supported with " + arguments.size() + " arguments");
        }
        if (!expressionFunction.takes(arguments.size())) {
            throw new QuerySyntaxException(operator + " does not take " + arguments.size() + " arguments");
        }
        return requireComputable(new Expression.Call(expressionFunction, arguments));
    }

    /** Fails if the call fails for every document, which is an error of the query. */
    private static Expression requireComputable(Expression.Call call) {
        if (call.arguments().stream()
                .allMatch(argument -> argument.constantValue().isPresent())) {
            try {
                BsonValue unused = call.evaluate(new BsonDocument(), new StepBudget());
            } catch (IncomputableException e) {
                throw new QuerySyntaxException(call.function().operator() + " cannot be computed with such arguments");
            }
        }
        return call;
    }

    private Expression ifNull(BsonValue operand) {
        List<Expression> arguments = arguments(operand);
        if (arguments.size() < 2) {
            throw new QuerySyntaxException("$ifNull takes two arguments or more");
        }
        return new Expression.Choice(Expression.Choice.Kind.IF_NULL, arguments);
    }

    private Expression condition(BsonValue operand) {
        List<Expression> arguments = operand instanceof BsonDocument named ? branches(named) : arguments(operand);
        if (arguments.size() != 3) {
            throw new QuerySyntaxException("$cond takes if, then and else");
        }
        return new Expression.Choice(Expression.Choice.Kind.COND, arguments);
    }

    private List<Expression> branches(BsonDocument named) {
        if (!named.keySet().equals(Set.of("if", "then", "else"))) {
            throw new QuerySyntaxException("$cond takes if, then and else");
        }
        return all(new BsonArray(List.of(named.get("if"), named.get("then"), named.get("else"))));
    }

    private Expression match(BsonValue operand) {
        if (!(operand instanceof BsonDocument named) || !named.containsKey("input") || !named.containsKey("regex")) {
            throw new QuerySyntaxException("$regexMatch takes input, regex and perhaps options");
        }
        if (!Set.of("input", "regex", "options").containsAll(named.keySet())) {
            throw new QuerySyntaxException("$regexMatch takes input, regex and perhaps options");
        }
        String options = named.containsKey("options") ? text(constant(named.get("options"))) : "";
        return new Expression.Match(expression(named.get("input")), pattern(constant(named.get("regex")), options));
    }

    private BsonValue constant(BsonValue formula) {
        return expression(formula)
                .constantValue()
                .orElseThrow(() -> new QueryNotSupportedException(
                        "The pattern of $regexMatch has to be the same for all documents"));
    }

    private static TextPattern pattern(BsonValue regex, String options) {
        if (regex instanceof BsonRegularExpression given) {
            if (!given.getOptions().isEmpty() && !options.isEmpty()) {
                throw new QuerySyntaxException("Options are given in regex and in options");
            }
            return TextPattern.of(given.getPattern(), options.isEmpty() ? given.getOptions() : options);
        }
        return TextPattern.of(text(regex), options);
    }

    private static String text(BsonValue value) {
        if (value instanceof BsonString text) {
            return text.getValue();
        }
        throw new QuerySyntaxException("$regexMatch takes text");
    }
}

package io.invalidb.query.filter;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.expression.ExpressionParser;
import io.invalidb.query.jsonschema.JsonSchemaParser;
import io.invalidb.query.text.TextSearch;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The parser for whole filters: the conditions on paths and their combinations. */
final class FilterParser {

    private final OperatorParser operators = new OperatorParser(this);

    /** Number of {@code $elemMatch} around the current condition. */
    private int elements = 0;

    /** Number of {@code $nor} around the current condition. */
    private int negations = 0;

    private boolean hasSearch = false;

    private FilterParser() {}

    /** Parses a filter; the caller checks the depth. */
    static Condition parse(BsonDocument filter) {
        return new FilterParser().condition(filter);
    }

    Condition condition(BsonDocument filter) {
        List<Condition> parts = new ArrayList<>();
        filter.forEach((name, value) -> parts.add(part(name, value)));
        return Conditions.and(parts);
    }

    private Condition part(String name, BsonValue value) {
        return switch (name) {
            case "$and" -> Conditions.and(clauses(name, value));
            case "$or" -> Conditions.or(clauses(name, value));
            case "$nor" -> Conditions.or(negatedClauses(value)).complement();
            case "$expr" -> expression(value);
            case "$text" -> search(value);
            case "$jsonSchema" -> new Condition.SchemaCondition(JsonSchemaParser.parse(value), true);
            case "$comment" -> Conditions.ALWAYS;
            default -> onPath(name, value);
        };
    }

    /** Parses a condition on elements of an array, where expressions are not allowed. */
    Condition elementCondition(BsonDocument filter) {
        elements++;
        Condition condition = condition(filter);
        elements--;
        return condition;
    }

    private Condition expression(BsonValue value) {
        if (elements > 0) {
            throw new QuerySyntaxException("$expr concerns whole documents and does not stand in $elemMatch");
        }
        return new Condition.ExpressionCondition(ExpressionParser.parse(value), true);
    }

    private Condition search(BsonValue value) {
        if (elements > 0 || negations > 0 || hasSearch) {
            throw new QuerySyntaxException("$text stands once in a query, and not below $nor or $elemMatch");
        }
        hasSearch = true;
        return new Condition.SearchCondition(TextSearch.parse(value));
    }

    private List<Condition> negatedClauses(BsonValue value) {
        negations++;
        List<Condition> clauses = clauses("$nor", value);
        negations--;
        return clauses;
    }

    private List<Condition> clauses(String operator, BsonValue value) {
        if (!(value instanceof BsonArray clauses) || clauses.isEmpty()) {
            throw new QuerySyntaxException(operator + " takes a non-empty array");
        }
        List<Condition> conditions = new ArrayList<>();
        for (BsonValue clause : clauses) {
            if (!(clause instanceof BsonDocument document)) {
                throw new QuerySyntaxException(operator + " takes an array of objects");
            }
            conditions.add(condition(document));
        }
        return conditions;
    }

    private Condition onPath(String name, BsonValue value) {
        if (name.startsWith("$")) {
            throw new QueryNotSupportedException("The operator " + Excerpt.of(name) + " is not supported");
        }
        FieldPath path = FieldPath.parse(name);
        List<Condition> parts = new ArrayList<>();
        operators.tests(value).forEach(test -> parts.add(test.at(path)));
        return Conditions.and(parts);
    }
}

package io.invalidb.query.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions of {@code $expr}; the differential tests show that they agree with MongoDB's. */
final class ExpressionTest {

    private static final BsonDocument DOCUMENT =
            BsonDocument.parse("{a: 2, b: 3, s: 'Straße', list: [{x: 1}, {x: 2}, 7], none: null}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{$gt: ['$b', '$a']} ~ true",
                "{$eq: [{$add: ['$a', '$b', 1]}, 6]} ~ true",
                "{$eq: [{$divide: ['$b', '$a']}, 1.5]} ~ true",
                "{$eq: ['$list.x', [1, 2]]} ~ true",
                "{$eq: [{$toUpper: '$s'}, {$literal: 'STRAßE'}]} ~ true",
                "{$eq: [{$strLenCP: '$s'}, 6]} ~ true",
                "{$lt: ['$missing', null]} ~ true",
                "{$eq: [{$add: ['$missing', 1]}, null]} ~ true",
                "{$cond: [{$isArray: '$list'}, true, false]} ~ true",
                "{$in: ['$a', [1, 2]]} ~ true",
                "{$regexMatch: {input: '$s', regex: '^str', options: 'i'}} ~ true",
                "{$and: ['$none']} ~ false",
                "{$and: ['$a']} ~ true",
                "0 ~ false"
            })
    void matches_formula_isComputed(String formula, boolean expected) {
        assertThat(parse("{$expr: " + formula + "}").matches(DOCUMENT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{$add: ['$s', 1]}", "{$divide: [1, '$no']}", "{$mod: ['$a', {$subtract: ['$a', 2]}]}"})
    void matches_whatCannotBeComputed_isFalseAndSoIsItsNegation(String formula) {
        BsonDocument document = BsonDocument.parse("{a: 2, s: 'x', no: 0}");

        assertThat(parse("{$expr: " + formula + "}").matches(document)).isFalse();
        assertThat(parse("{$nor: [{$expr: " + formula + "}]}").matches(document))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$gt: ['$a']}",
                "{$cond: {if: 1}}",
                "{$gt: ['$a', 1], b: 1}",
                "'$'",
                "'$a..b'",
                "{$ifNull: '$a'}",
                "{$regexMatch: {input: '$a'}}",
                "{$divide: [1, 0]}",
                "{$concat: [1]}"
            })
    void parse_malformed_isSyntaxError(String formula) {
        assertThatThrownBy(() -> parse("{$expr: " + formula + "}")).isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void parse_belowElemMatch_isSyntaxError() {
        assertThatThrownBy(() -> parse("{a: {$elemMatch: {$expr: true}}}")).isInstanceOf(QuerySyntaxException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{$function: {}} ~ $function",
                "{$accumulator: {}} ~ $accumulator",
                "{$map: {}} ~ $map",
                "{$pow: [2, 3]} ~ $pow",
                "{$round: ['$a', 1]} ~ $round",
                "{$gt: ['$$NOW', '$a']} ~ $$NOW"
            })
    void parse_notSupported_isNamed(String formula, String named) {
        assertThatThrownBy(() -> parse("{$expr: " + formula + "}"))
                .isInstanceOf(QueryNotSupportedException.class)
                .hasMessageContaining(named);
    }

    @Test
    void parse_hundredThousandTerms_isNotSupported() {
        BsonArray terms = new BsonArray();
        IntStream.range(0, 100_000).forEach(i -> terms.add(new BsonInt32(i)));

        assertThatThrownBy(() -> Filter.parse(new BsonDocument("$expr", new BsonDocument("$add", terms))))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$expr: {$not: '$a'}}",
                "{$nor: [{$expr: {$cond: {if: '$a', then: 'x', else: {$literal: '$b'}}}}]}",
                "{$and: [{$expr: {$gt: ['$a', 1]}}, {$expr: {$lt: ['$a', {b: [1, '$c']}]}}], a: {$gt: 1}}",
                "{$or: [{$expr: {$regexMatch: {input: '$a', regex: /x/i}}}, {a: 1}]}"
            })
    void normalForm_parsed_isEqual(String filter) {
        Filter once = parse(filter);

        assertThat(Filter.parse(once.normalForm())).isEqualTo(once).hasSameHashCodeAs(once);
    }

    @Test
    void equals_oneArgumentWithoutArray_isTrue() {
        assertThat(parse("{$expr: {$not: '$a'}}")).isEqualTo(parse("{$expr: {$not: ['$a']}}"));
    }

    private static Filter parse(String filter) {
        return Filter.parse(BsonDocument.parse(filter));
    }
}

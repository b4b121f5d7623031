package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused filters with their errors, and the low cost of hostile queries. */
@Timeout(120)
final class FilterSyntaxTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$and: []}",
                "{$or: 1}",
                "{$nor: [1]}",
                "{$or: {}}",
                "{a: {$in: 1}}",
                "{a: {$in: [{$gt: 1}]}}",
                "{a: {$nin: 'x'}}",
                "{a: {$gt: 1, b: 2}}",
                "{a: {b: 2, $gt: 1}}",
                "{a: {$gt: /x/}}",
                "{a: {$ne: /x/}}",
                "{a: {$not: 1}}",
                "{a: {$not: {}}}",
                "{a: {$not: {b: 1}}}",
                "{a: {$size: -1}}",
                "{a: {$size: 1.5}}",
                "{a: {$size: 'x'}}",
                "{a: {$size: {$numberLong: '2147483648'}}}",
                "{a: {$undefined: true}}",
                "{a: {$in: [{$undefined: true}]}}",
                "{a: {$gt: {$undefined: true}}}",
                "{a: {$bitsAllSet: -1}}",
                "{a: {$bitsAllSet: 1.5}}",
                "{a: {$bitsAnySet: 'x'}}",
                "{a: {$bitsAllClear: [-1]}}",
                "{a: {$bitsAnyClear: [{$numberLong: '2147483648'}]}}",
                "{a: {$mod: [0, 1]}}",
                "{a: {$mod: [1]}}",
                "{a: {$mod: [1, 2, 3]}}",
                "{a: {$mod: ['x', 1]}}",
                "{a: {$mod: [{$numberDouble: 'NaN'}, 1]}}",
                "{a: {$type: 'nothing'}}",
                "{a: {$type: []}}",
                "{a: {$type: 0}}",
                "{a: {$type: {}}}",
                "{a: {$all: 1}}",
                "{a: {$all: [{$gt: 1}]}}",
                "{a: {$all: [{$elemMatch: {}}, 1]}}",
                "{a: {$elemMatch: 1}}",
                "{a: {$elemMatch: {$gt: 1, b: 1}}}",
                "{a: {$options: 'i'}}",
                "{a: {$regex: 'x', $options: 'q'}}",
                "{a: {$regex: 1}}",
                "{a: {$regex: 'x', $options: 1}}",
                "{a: {$regex: /x/i, $options: 'm'}}",
                "{a: {$regex: 'x\\u0000'}}",
                "{'': 1}",
                "{'a..b': 1}",
                "{'.a': 1}",
                "{'a.': 1}",
                "{'a\\u0000': 1}"
            })
    void parse_malformed_isSyntaxError(String filter) {
        assertThatThrownBy(() -> parse(filter)).isInstanceOf(QuerySyntaxException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "{$where: 'true'}, $where",
        "{$unknown: 1}, $unknown",
        "{$not: {a: 1}}, $not",
        "{a: {$elemMatch: {$where: 'x'}}}, $where",
        "{'0.0.0.0.0.0.0.0.0': 1}, positions"
    })
    void parse_unknownOperator_isNotSupportedAndNamed(String filter, String named) {
        assertThatThrownBy(() -> parse(filter))
                .isInstanceOf(QueryNotSupportedException.class)
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a(?=b)",
                "a(?!b)",
                "(?<=a)b",
                "(?<!a)b",
                "(a)\\1",
                "a++",
                "a*+",
                "(?>a)",
                "a$b",
                "(a$)+",
                "[[=a=]]",
                "\\cA",
                "\\p{Unheard}",
                "((((a{100}){100}){100}){100})",
                "(a{1000}){1000}",
                "a{1001}",
                "(?:a{500}b{600})",
                "(*FAIL)"
            })
    void parse_regexThatCannotBeRun_isNotSupportedAndNamed(String regex) {
        assertThatThrownBy(() -> Filter.parse(regex(regex, "")))
                .isInstanceOf(QueryNotSupportedException.class)
                .hasMessageContaining(regex);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                ")",
                "[",
                "a**",
                "+",
                "a{2,1}",
                "[b-a]",
                "\\",
                "\\Qa",
                "\\x{110000}",
                "(?<n>a)(?<n>b)",
                "[:alpha:]"
            })
    void parse_regexThatIsMalformed_isSyntaxErrorAndNamed(String regex) {
        assertThatThrownBy(() -> Filter.parse(regex(regex, "")))
                .isInstanceOf(QuerySyntaxException.class)
                .hasMessageContaining(regex);
    }

    @Test
    void parse_bitsAtTooManyPositions_isNotSupported() {
        byte[] mask = new byte[100_000];
        Arrays.fill(mask, (byte) 0xff);
        BsonDocument filter = new BsonDocument("a", new BsonDocument("$bitsAllSet", new BsonBinary(mask)));

        assertThatThrownBy(() -> Filter.parse(filter)).isInstanceOf(QueryNotSupportedException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a\\Q{5}\\Eb ~ '' ~ a{5}b ~ true",
                "\\p{Greek} ~ '' ~ α ~ true",
                "[a b] ~ x ~ ' ' ~ true",
                "a\\ b ~ x ~ a b ~ true",
                "a {2} ~ x ~ aa ~ true",
                "[]x]{2} ~ '' ~ ]x ~ true",
                "[[:alpha:]]{2} ~ '' ~ ab ~ true",
                "x{,3} ~ '' ~ 'x{,3}' ~ true",
                "^a.c$ ~ '' ~ abc ~ true",
                "^ab*c ~ '' ~ ac ~ true",
                "^a|b ~ '' ~ xb ~ true",
                "^a\\.b ~ '' ~ a.bc ~ true",
                "^a\\.b ~ '' ~ axbc ~ false",
                "^\\d ~ '' ~ d ~ false",
                "^É ~ i ~ é ~ true",
                "\\$5 ~ '' ~ 5$5 ~ true",
                "a\\Z ~ '' ~ a ~ true",
                "(?#c)a(?i)b ~ '' ~ aB ~ true",
                "[s] ~ i ~ ſ ~ true",
                "\\w ~ i ~ ſ ~ false",
                "[[:upper:]] ~ i ~ a ~ true",
                "a + b ~ x ~ aab ~ true"
            })
    void matches_regex_isReadAsPcreDoes(String regex, String options, String text, boolean expected) {
        Filter filter = Filter.parse(regex(regex, options));

        assertThat(filter.matches(new BsonDocument("a", new BsonString(text)))).isEqualTo(expected);
    }

    @Test
    void matches_catastrophicRegex_isFast() {
        Filter filter = Filter.parse(regex("^(a+)+$", ""));

        assertThat(filter.matches(new BsonDocument("a", new BsonString("a".repeat(100_000) + "b"))))
                .isFalse();
    }

    @Test
    void parse_tooManyRegexes_isNotSupported() {
        BsonArray many = new BsonArray();
        IntStream.rangeClosed(0, 100).forEach(i -> many.add(regex("x" + i, "")));

        assertThatThrownBy(() -> Filter.parse(new BsonDocument("$or", many)))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @Test
    void parse_hundredLevels_isAccepted() {
        Filter filter = Filter.parse(nested(48));

        assertThat(Filter.parse(filter.normalForm())).isEqualTo(filter);
    }

    @ParameterizedTest
    @ValueSource(ints = {51, 1_000, 100_000})
    void parse_deeper_isSyntaxError(int levels) {
        BsonDocument filter = nested(levels);

        assertThatThrownBy(() -> Filter.parse(filter)).isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void parse_longPath_isSyntaxError() {
        assertThatThrownBy(() -> Filter.parse(new BsonDocument("a.".repeat(50_000) + "a", new BsonInt32(1))))
                .isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void parse_hundredKilobytes_isAcceptedAndEvaluated() {
        BsonArray ids = new BsonArray();
        IntStream.range(0, 9_000).forEach(i -> ids.add(new BsonInt32(i)));
        BsonArray clauses = new BsonArray();
        ids.forEach(id -> clauses.add(new BsonDocument("a", id)));

        Filter in = Filter.parse(new BsonDocument("a", new BsonDocument("$in", ids)));
        Filter or = Filter.parse(new BsonDocument("$or", clauses));

        assertThat(in.matches(BsonDocument.parse("{a: 8999}"))).isTrue();
        assertThat(or.matches(BsonDocument.parse("{a: 9000}"))).isFalse();
    }

    @Test
    void parse_moreThanTenThousandConditions_isNotSupported() {
        BsonArray clauses = new BsonArray();
        IntStream.rangeClosed(0, 10_000).forEach(i -> clauses.add(new BsonDocument("a", new BsonInt32(i))));

        assertThatThrownBy(() -> Filter.parse(new BsonDocument("$or", clauses)))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{a: 1} ~ {a: {$eq: 1}}",
                "{a: 1.0} ~ {a: {$numberLong: '1'}}",
                "{a: {$in: [2, 1, 2]}} ~ {a: {$in: [1, 2]}}",
                "{a: {$in: [1]}} ~ {a: 1}",
                "{$and: [{a: 1}, {$and: [{b: 2}]}]} ~ {b: 2, a: 1}",
                "{$or: [{a: 1}]} ~ {a: 1}",
                "{$or: [{a: 1}, {$or: [{b: 1}, {a: 1}]}]} ~ {$or: [{b: 1}, {a: 1}]}",
                "{a: {$ne: 1}} ~ {a: {$not: {$eq: 1}}}",
                "{$nor: [{a: 1}]} ~ {a: {$ne: 1}}",
                "{$nor: [{a: 1, b: 2}]} ~ {$or: [{a: {$ne: 1}}, {b: {$ne: 2}}]}",
                "{a: {$all: [1, 2]}} ~ {$and: [{a: 2}, {a: 1}]}",
                "{a: {$not: {$not: {$gt: 1}}}} ~ {a: {$gt: 1}}",
                "{a: /x/} ~ {a: {$regex: 'x'}}",
                "{a: {$regex: 'x', $options: 'im'}} ~ {a: /x/im}",
                "{a: {$bitsAllSet: 5}} ~ {a: {$bitsAllSet: [2, 0, 2]}}",
                "{a: {$type: 'number'}} ~ {a: {$type: ['decimal', 'long', 'int', 'double']}}",
                "{$comment: 'x'} ~ {}",
                "{a: {$gt: 1, $lt: 5}} ~ {$and: [{a: {$lt: 5}}, {a: {$gt: 1}}]}"
            })
    void equals_otherSpelling_isTrue(String one, String other) {
        assertThat(parse(one)).isEqualTo(parse(other)).hasSameHashCodeAs(parse(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{a: {x: 1, y: 2}} ~ {a: {y: 2, x: 1}}",
                "{a: {$gt: {x: 1, y: 2}}} ~ {a: {$gt: {y: 2, x: 1}}}",
                "{a: [{x: 1, y: 2}]} ~ {a: [{y: 2, x: 1}]}",
                "{a: {$gt: 1}} ~ {a: {$gte: 1}}",
                "{$expr: {$gt: ['$a', 1]}} ~ {$expr: {$gt: ['$a', {$numberLong: '1'}]}}"
            })
    void equals_otherMeaning_isFalse(String one, String other) {
        assertThat(parse(one)).isNotEqualTo(parse(other));
    }

    @Test
    void normalForm_changedByTheCaller_leavesTheFilterAlone() {
        Filter filter = parse("{a: {b: 1}}");

        filter.normalForm().getDocument("a").getDocument("$eq").put("b", new BsonInt32(2));

        assertThat(filter).isEqualTo(parse("{a: {b: 1}}"));
    }

    private static Filter parse(String filter) {
        return Filter.parse(BsonDocument.parse(filter));
    }

    private static BsonDocument regex(String pattern, String options) {
        BsonDocument operators = new BsonDocument("$regex", new BsonString(pattern));
        return new BsonDocument("a", operators.append("$options", new BsonString(options)));
    }

    /** Returns a nested filter; each step adds an object and an array. */
    private static BsonDocument nested(int steps) {
        BsonDocument filter = BsonDocument.parse("{a: 1}");
        for (int i = 0; i < steps; i++) {
            filter = new BsonDocument(
                    i % 2 == 0 ? "$or" : "$and", new BsonArray(List.of(BsonDocument.parse("{b: " + i + "}"), filter)));
        }
        return filter;
    }
}

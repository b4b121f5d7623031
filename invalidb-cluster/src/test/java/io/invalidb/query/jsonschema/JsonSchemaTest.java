package io.invalidb.query.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as conditions; the differential tests show that they agree with MongoDB's. */
final class JsonSchemaTest {

    private static final BsonDocument DOCUMENT =
            BsonDocument.parse("{_id: 1, name: 'Ann', age: 31, tags: ['a', 'b'], at: {x: 1, y: 2}}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{required: ['name', 'age']} ~ true",
                "{required: ['email']} ~ false",
                "{properties: {age: {bsonType: 'int', minimum: 31}}} ~ true",
                "{properties: {age: {minimum: 31, exclusiveMinimum: true}}} ~ false",
                "{properties: {age: {multipleOf: 0.5}}} ~ true",
                "{properties: {email: {type: 'string'}}} ~ true",
                "{properties: {name: {minLength: 3, maxLength: 3, pattern: '^A'}}} ~ true",
                "{properties: {tags: {items: {enum: ['a', 'b']}, uniqueItems: true, maxItems: 2}}} ~ true",
                "{properties: {tags: {items: [{type: 'string'}], additionalItems: false}}} ~ false",
                "{properties: {at: {enum: [{y: 2, x: 1}]}}} ~ true",
                "{properties: {at: {properties: {x: {}}, additionalProperties: false}}} ~ false",
                "{dependencies: {name: ['age'], age: {required: ['name']}}} ~ true",
                "{oneOf: [{required: ['name']}, {required: ['age']}]} ~ false",
                "{not: {required: ['email']}} ~ true",
                "{title: 'A person', description: '-'} ~ true"
            })
    void matches_schema_isHeldAgainstTheDocument(String schema, boolean expected) {
        assertThat(parse(schema).matches(DOCUMENT)).isEqualTo(expected);
        assertThat(Filter.parse(BsonDocument.parse("{$nor: [{$jsonSchema: " + schema + "}]}"))
                        .matches(DOCUMENT))
                .isNotEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{unheard: 1}",
                "{type: 'integer'}",
                "{type: 'string', bsonType: 'string'}",
                "{required: []}",
                "{required: ['a', 'a']}",
                "{exclusiveMinimum: true}",
                "{minLength: -1}",
                "{multipleOf: 0}",
                "{enum: [1, 1.0]}",
                "{properties: {a: 1}}",
                "{properties: {a: {pattern: '('}}}",
                "{title: 1}"
            })
    void parse_malformed_isSyntaxError(String schema) {
        assertThatThrownBy(() -> parse(schema)).isInstanceOf(QuerySyntaxException.class);
    }

    @Test
    void parse_hundredThousandProperties_isNotSupported() {
        BsonDocument properties = new BsonDocument();
        IntStream.range(0, 100_000).forEach(i -> properties.put("p" + i, BsonDocument.parse("{type: 'string'}")));
        BsonDocument schema = new BsonDocument("properties", properties);

        assertThatThrownBy(() -> Filter.parse(new BsonDocument("$jsonSchema", schema)))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @Test
    void equals_otherOrderOfKeywordsAndOtherTitle_isTrue() {
        Filter one = parse("{title: 'x', required: ['a'], minProperties: 1.0}");
        Filter other = parse("{minProperties: 1, required: ['a'], description: 'y'}");

        assertThat(one).isEqualTo(other).isEqualTo(Filter.parse(one.normalForm()));
    }

    private static Filter parse(String schema) {
        return Filter.parse(BsonDocument.parse("{$jsonSchema: " + schema + "}"));
    }
}

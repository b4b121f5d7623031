package io.orestes.schema.model;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.merged;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.schema.codec.ObjectCodec;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldConstraintsTest {

    /** A type, a constraint, a value that satisfies it, and one that does not with its path. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Integer|orestes.min|3|3|2|f",
                "Integer|orestes.max|3|3|4|f",
                "Double|orestes.min|0.5|0.5|0.25|f",
                "DateTime|orestes.min|2021-01-01T00:00:00Z|'2021-01-01T00:00:00Z'|'2020-12-31T23:59:59.999Z'|f",
                "Date|orestes.max|2021-01-01|'2021-01-01'|'2021-01-02'|f",
                "Time|orestes.max|12:00Z|'12:00:00Z'|'12:00:00.001Z'|f",
                "String|orestes.minLength|2|'ab'|'a'|f",
                "String|orestes.maxLength|2|'ab'|'abc'|f",
                "String|orestes.pattern|^[a-z]+$|'abc'|'ab1'|f",
                "String|orestes.pattern|^(a+)+$|'aaaa'|'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'|f",
                "String|orestes.enum|[\"red\",\"green\"]|'red'|'blue'|f",
                "Integer|orestes.enum|[1,2]|2|3|f",
                "Boolean|orestes.enum|[true]|true|false|f",
                "collection.List[/db/Integer]|orestes.min|3|[3,null]|[3,2]|f.1",
                "collection.List[/db/Integer]|orestes.maxLength|1|[3]|[3,4]|f",
                "collection.Set[/db/String]|orestes.pattern|^a|['a','ab']|['a','b']|f.1",
                "collection.Map[/db/String,/db/Integer]|orestes.max|3|{'a':3}|{'a':3,'b':4}|f.b",
                "JsonArray|orestes.maxLength|1|[[1,2]]|[1,2]|f",
            })
    void decode_constrainedField_refusesWhatViolatesIt(
            String type, String constraint, String bound, String valid, String invalid, String path) {
        Schema schema = with(field(type, constraint, bound));

        assertThat(refusal(schema, valid)).isEmpty();
        assertThat(refusal(schema, "null")).isEmpty();
        ApiException refusal = refusal(schema, invalid).orElseThrow();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(refusal.message()).contains("Object is not valid", path);
        assertThat(refusal.data()).contains(json("{'path': '" + path + "'}"));
    }

    @Test
    void decode_requiredField_hasToBeThere() {
        Schema schema =
                with("{'class': '/db/A', 'fields': {'f': {'type': '/db/String', 'flags': ['NOTNULL', 'OTHER']}}}");

        assertThat(refusal(schema, "''")).isEmpty();
        assertThat(refusal(schema, "null").orElseThrow().data()).contains(json("{'path': 'f'}"));
    }

    @Test
    void decode_constraintsOfSuperClassesAndEmbeddedOnes_holdWithTheWholePath() {
        Schema schema = with(
                """
                [{'class': '/db/Part', 'embedded': true, 'fields': {
                    'n': {'type': '/db/Integer', 'metadata': {'orestes.max': '9'}},
                    'next': {'type': '/db/Part'}}},
                 {'class': '/db/Base', 'fields': {'f': {'type': '/db/collection.List[/db/Part]'}}},
                 {'class': '/db/A', 'superClass': '/db/Base'}]
                """);

        assertThat(refusal(schema, "[{'n': 9}]")).isEmpty();
        assertThat(refusal(schema, "[{'n': 1}, {'next': {'n': 10}}]")
                        .orElseThrow()
                        .data())
                .contains(json("{'path': 'f.1.next.n'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "String|orestes.min|3",
                "Integer|orestes.min|x",
                "Integer|orestes.pattern|a",
                "String|orestes.pattern|(",
                "Integer|orestes.minLength|1",
                "String|orestes.maxLength|-1",
                "String|orestes.enum|[]",
                "String|orestes.enum|[1]",
                "GeoPoint|orestes.enum|[{\"latitude\":1,\"longitude\":1}]",
                "String|orestes.unheard|1",
            })
    void merge_constraintThatMakesNoSense_isNotCompatible(String type, String constraint, String bound) {
        ApiException refusal =
                catchThrowableOfType(ApiException.class, () -> assertThat(with(field(type, constraint, bound)))
                        .isNull());

        assertThat(refusal.code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(refusal.message()).contains(constraint);
    }

    @Test
    void merge_remarkOfTheApplication_isNoConstraint() {
        Schema schema = with(field("Integer", "max", "3"));

        assertThat(refusal(schema, "4")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'class': '/db/__proto__'}",
                "{'class': '/db/constructor'}",
                "{'class': '/db/x.prototype'}",
                "{'class': '/db/A', 'fields': {'__proto__': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'constructor': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'metadata': {'__proto__': 'x'}}",
                "{'class': '/db/A', 'fields': {'f': {'type': '/db/String', 'metadata': {'constructor': 'x'}}}}",
            })
    void merge_nameThatWouldChangeAllObjectsOfAClient_isBadRequest(String descriptor) {
        assertThat(catchThrowableOfType(ApiException.class, () -> assertThat(with(descriptor))
                                .isNull())
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void merge_remarksBeyondTheirBounds_areBadRequests() {
        String large = "x".repeat(ClassDescriptorCodec.MAX_REMARK_LENGTH + 1);
        String flags = "'x',".repeat(ClassDescriptorCodec.MAX_FLAGS) + "'x'";

        assertThat(catchThrowableOfType(ApiException.class, () -> assertThat(
                                with("{'class': '/db/A', 'metadata': {'k': '" + large + "'}}"))
                        .isNull()))
                .hasMessageContaining("too long");
        assertThat(catchThrowableOfType(ApiException.class, () -> assertThat(
                                with("{'class': '/db/A', 'fields': {'f': {'type': '/db/String', 'flags': [" + flags
                                        + "]}}}"))
                        .isNull()))
                .hasMessageContaining("flags");
    }

    /** Otherwise unchanged writes of other callers would be refused. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Open|'type': '/db/String'|true",
                "Open|'type': '/db/String', 'metadata': {'orestes.maxLength': '2'}|true",
                "Open|'type': '/db/String', 'flags': ['NOTNULL']|false",
                "Part|'type': '/db/String', 'flags': ['NOTNULL']|false",
                "Whole|'type': '/db/String', 'flags': ['NOTNULL']|true",
                "Base|'type': '/db/Integer'|true",
                "Base|'type': '/db/Integer', 'metadata': {'orestes.max': '2'}|false",
            })
    void addField_withPermissionToAddOnly_refusesNoObjectOfOthers(String bucket, String field, boolean isGranted) {
        Schema before = with(
                """
                [{'class': '/db/Open', 'acl': {'schemaAdd': {'/db/User/ann': 'allow'}}},
                 {'class': '/db/Part', 'embedded': true, 'acl': {'schemaAdd': {'/db/User/ann': 'allow'}}},
                 {'class': '/db/Base', 'acl': {'schemaAdd': {'/db/User/ann': 'allow'},
                                               'schemaReplace': {'/db/User/ann': 'allow'}}},
                 {'class': '/db/Derived', 'superClass': '/db/Base', 'fields': {'n': {'type': '/db/Integer'}}},
                 {'class': '/db/Whole', 'acl': {'schemaAdd': {'/db/User/ann': 'allow'},
                                                'schemaReplace': {'/db/User/ann': 'allow'}}}]
                """);
        String operation =
                "{'operation': 'addField', 'bucket': '/db/%s', 'field': {'name': 'n', %s}}".formatted(bucket, field);
        String descriptor = "{'class': '/db/%s', 'embedded': %s, 'fields': {'n': {%s}}}"
                .formatted(bucket, bucket.equals("Part"), field);

        for (String request : List.of(operation, descriptor)) {
            assertThat(merged(before, request, Principal.SERVER).get(bucket).ownField("n"))
                    .isPresent();
            Optional<ErrorCode> refused = refused(() -> merged(before, request, ANN));
            assertThat(refused).isEqualTo(isGranted ? Optional.empty() : Optional.of(ErrorCode.PERMISSION_DENIED));
        }
    }

    private static Optional<ErrorCode> refused(Supplier<Schema> change) {
        ApiException refusal = catchThrowableOfType(
                ApiException.class, () -> assertThat(change.get()).isNotNull());
        return Optional.ofNullable(refusal).map(ApiException::code);
    }

    private static String field(String type, String constraint, String bound) {
        return new BsonDocument("class", json("'/db/A'"))
                .append(
                        "fields",
                        new BsonDocument(
                                "f",
                                new BsonDocument("type", json("'/db/" + type + "'"))
                                        .append("metadata", new BsonDocument(constraint, new BsonString(bound)))))
                .toJson();
    }

    private static Optional<ApiException> refusal(Schema schema, String value) {
        BsonValue sent = json(value);
        return Optional.ofNullable(catchThrowableOfType(ApiException.class, () -> assertThat(
                        new ObjectCodec(schema).decode(schema.get("A"), new BsonDocument("f", sent)))
                .isNotNull()));
    }
}

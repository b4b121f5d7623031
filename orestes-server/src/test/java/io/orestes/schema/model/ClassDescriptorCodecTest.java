package io.orestes.schema.model;

import static io.orestes.schema.TestSchemas.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.TestSchemas;
import io.orestes.schema.type.ClassFieldType;
import io.orestes.schema.type.FieldType;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassDescriptorCodecTest {

    private static final BsonDocument PERSON = object(
            """
            {'class': '/db/Person', 'superClass': '/db/Object', 'embedded': false,
             'fields': {
               'name': {'name': 'name', 'type': '/db/String', 'order': 2, 'flags': ['NOTNULL'], 'metadata': {'k': 'v'}},
               'tags': {'name': 'tags', 'type': '/db/collection.Set[/db/String]', 'order': 5, 'flags': [],
                        'metadata': {}}
             },
             'acl': {'load': {}, 'insert': {'/db/User/1': 'allow', '/db/Role/7': 'deny'}, 'update': {}, 'delete': {},
                     'query': {}, 'schemaAdd': {'/db/Role/1': 'allow'}, 'schemaReplace': {}, 'schemaSubclass': {}},
             'metadata': {'z': '1', 'a': '2'},
             'validationCode': 'name.isLength(3);'}
            """);

    @Test
    void print_parsedDescriptor_isTheSameText() {
        ClassSchema parsed = ClassDescriptorCodec.parse(PERSON, name -> false);

        assertThat(ClassDescriptorCodec.print(parsed).toJson()).isEqualTo(PERSON.toJson());
    }

    @Test
    void print_embeddedClass_hasNeitherSuperClassNorObjectPermissions() {
        BsonDocument printed = ClassDescriptorCodec.print(ClassDescriptorCodec.parse(
                object("{'class': '/db/Address', 'embedded': true, 'acl': {'load': {'/db/User/1': 'allow'}}}"),
                name -> false));

        assertThat(printed).doesNotContainKey("superClass");
        assertThat(printed.getDocument("acl").keySet()).containsExactly("schemaAdd", "schemaReplace");
        assertThat(printed.getDocument("fields")).isEmpty();
    }

    @Test
    void print_builtInClasses_haveWhatClientsNeedToConnect() {
        TestSchemas.BUILT_IN.descriptors().forEach(value -> {
            BsonDocument descriptor = value.asDocument();
            assertThat(descriptor.getDocument("acl").keySet())
                    .containsExactly(
                            "load",
                            "insert",
                            "update",
                            "delete",
                            "query",
                            "schemaAdd",
                            "schemaReplace",
                            "schemaSubclass");
            assertThat(descriptor.isDocument("fields")).isTrue();
            assertThat(descriptor.containsKey("superClass"))
                    .isNotEqualTo(descriptor.getString("class").getValue().equals("/db/Object"));
        });
        assertThat(TestSchemas.BUILT_IN.get("Object").fields())
                .allSatisfy(field -> assertThat(field.flags()).contains("METADATA"))
                .extracting(FieldSchema::name)
                .containsExactly("id", "version", "acl", "createdAt", "updatedAt");
    }

    @Test
    void parse_fieldsWithoutOrder_followInTheOrderGiven() {
        ClassSchema parsed = ClassDescriptorCodec.parse(
                object("{'class': '/db/A', 'fields': {'c': {'type': '/db/String'}, 'b': {'type': '/db/String'},"
                        + " 'a': {'type': '/db/String', 'order': 0}, 'z': {'type': '/db/String'}}}"),
                name -> false);

        assertThat(parsed.fields()).extracting(FieldSchema::name).containsExactly("c", "a", "b", "z");
        assertThat(parsed.fields()).extracting(FieldSchema::order).isEqualTo(List.of(0, 0, 1, 2));
    }

    @Test
    void parse_membersThatAreNull_countAsAbsent() {
        ClassSchema parsed = ClassDescriptorCodec.parse(
                object("{'class': '/db/A', 'superClass': null, 'embedded': null, 'fields': null, 'acl': null,"
                        + " 'metadata': null, 'validationCode': null}"),
                name -> false);

        assertThat(parsed.superClass()).contains("Object");
        assertThat(parsed.validationCode()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'class': 7}",
                "{'class': 'Person'}",
                "{'class': '/db/'}",
                "{'class': '/db/_schema'}",
                "{'class': '/db/a.b.c'}",
                "{'class': '/db/String'}",
                "{'class': '/db/collection.List'}",
                "{'class': '/db/A b'}",
                "{'class': '/db/A', 'fields': []}",
                "{'class': '/db/A', 'fields': {'a': null}}",
                "{'class': '/db/A', 'fields': {'a': {}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': 7}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'name': 'b'}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'order': 'x'}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'order': -1}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'order': 9223372036854775807}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'flags': 'x'}}}",
                "{'class': '/db/A', 'fields': {'a': {'type': '/db/String', 'flags': [1]}}}",
                "{'class': '/db/A', 'fields': {'_a': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'_id': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'_readAllowed': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'a.b': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'$a': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'1a': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'fields': {'a b': {'type': '/db/String'}}}",
                "{'class': '/db/A', 'acl': {'read': {}}}",
                "{'class': '/db/A', 'acl': 7}",
                "{'class': '/db/A', 'metadata': {'a': 1}}",
                "{'class': '/db/A', 'superClass': 'B'}",
                "{'class': '/db/A', 'embedded': 'yes'}",
                "{'class': '/db/A', 'validationCode': {}}"
            })
    void parse_malformedDescriptor_isBadRequest(String text) {
        assertThat(refusal(object(text)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void parse_overlongNames_areRefusedInShortMessages() {
        String name = "a".repeat(10_000);

        assertThat(refusal(object("{'class': '/db/" + name + "'}")).message()).hasSizeLessThan(300);
        assertThat(refusal(object("{'class': '/db/A', 'fields': {'" + name + "': {'type': '/db/String'}}}"))
                        .message())
                .hasSizeLessThan(300);
        assertThat(refusal(object("{'class': '/db/A', 'fields': {'a': {'type': '/db/" + name + "'}}}"))
                        .message())
                .hasSizeLessThan(300);
    }

    @Test
    void parse_permissionForSomethingElse_isInvalidPermission() {
        assertThat(refusal(object("{'class': '/db/A', 'acl': {'load': {'/db/A/1': 'allow'}}}"))
                        .code())
                .isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/db/Boolean",
                "/db/Double",
                "/db/Integer",
                "/db/String",
                "/db/DateTime",
                "/db/Date",
                "/db/Time",
                "/db/File",
                "/db/GeoPoint",
                "/db/JsonArray",
                "/db/JsonObject",
                "/db/Person",
                "/db/logs.AppLog",
                "/db/Address",
                "/db/collection.List[/db/String]",
                "/db/collection.List[/db/Address]",
                "/db/collection.Set[/db/Person]",
                "/db/collection.Map[/db/String,/db/Address]",
                "/db/collection.Map[/db/Person,/db/JsonObject]"
            })
    void fieldType_anyRef_printsAsItWasParsed(String ref) {
        assertThat(FieldType.parse(ref, "Address"::equals).map(FieldType::ref)).contains(ref);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "String",
                "/db/",
                "/db/_x",
                "/db/collection.List",
                "/db/collection.List[]",
                "/db/collection.List[/db/String",
                "/db/collection.List[/db/collection.List[/db/String]]",
                "/db/collection.Bag[/db/String]",
                "/db/collection.Set[/db/Address]",
                "/db/collection.Set[/db/JsonObject]",
                "/db/collection.Map[/db/String]",
                "/db/collection.Map[/db/GeoPoint,/db/String]",
                "/db/collection.Map[/db/String,/db/collection.List[/db/String]]",
                "/db/collection.Map[/db/String,/db/String,/db/String]"
            })
    void fieldType_whatIsNoType_isEmpty(String ref) {
        assertThat(FieldType.parse(ref, "Address"::equals)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/db/Address, true", "/db/Person, false"})
    void fieldType_className_isEmbeddedOrReferenceAsTheSchemaSays(String ref, boolean embedded) {
        Optional<FieldType> type = FieldType.parse(ref, "Address"::equals);

        assertThat(type).get().isInstanceOf(embedded ? ClassFieldType.Embedded.class : ClassFieldType.Reference.class);
    }

    private static ApiException refusal(BsonDocument descriptor) {
        return catchThrowableOfType(ApiException.class, () -> ClassDescriptorCodec.parse(descriptor, name -> false));
    }
}

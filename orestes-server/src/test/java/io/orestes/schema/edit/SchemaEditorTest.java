package io.orestes.schema.edit;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.BUILT_IN;
import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.merged;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.ClassFieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaEditorTest {

    private static final String PERSON =
            "{'class': '/db/Person', 'fields': {'name': {'type': '/db/String', 'order': 0}}}";
    private static final Principal SERVER = Principal.SERVER;

    @Test
    void merge_unknownClass_getsDefaultPermissions() {
        ClassSchema person = with(PERSON).get("Person");

        assertThat(person.superClass()).contains("Object");
        assertThat(person.permission(ClassOperation.INSERT)).isEqualTo(Permission.PUBLIC);
        assertThat(person.permission(ClassOperation.SCHEMA_ADD)).isEqualTo(Permission.only("/db/Role/1"));
        assertThat(person.permission(ClassOperation.SCHEMA_SUBCLASS)).isEqualTo(Permission.only("/db/Role/1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "log", "load", "then", "List", "toString", "message"})
    void create_calledAsAMemberOfEveryClient_isRefused(String name) {
        String descriptor = "{'class': '/db/%s'%s}";
        List<ClassSchema> known = new ArrayList<>(BUILT_IN.classes());
        known.add(ClassDescriptorCodec.parse(object(descriptor.formatted(name, "")), embedded -> false));

        for (String more : List.of("", ", 'embedded': true", ", 'operation': 'addClass'")) {
            assertThat(refusal(() -> with(descriptor.formatted(name, more))).code())
                    .isEqualTo(ErrorCode.BAD_REQUEST);
        }
        assertThat(merged(Schema.of(known), descriptor.formatted(name, ""), SERVER)
                        .get(name))
                .isNotNull();
        assertThat(with(descriptor.formatted(name + "s", "")).get(name + "s")).isNotNull();
    }

    /** A caller that may derive a class must not keep the clients of others from connecting. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'class': '/db/connectData', 'superClass': '/db/Open'}|BAD_REQUEST",
                "{'class': '/db/Sub', 'superClass': '/db/Open', 'validationCode': '}'}|PERMISSION_DENIED",
                "{'operation': 'replaceClass', 'class': '/db/Open', 'validationCode': '}'}|PERMISSION_DENIED"
            })
    void merge_whatBreaksClients_isForAdmins(String request, ErrorCode refused) {
        Schema before = with("{'class': '/db/Open', 'acl': {'schemaReplace': {'/db/User/ann': 'allow'},"
                + " 'schemaSubclass': {'/db/User/ann': 'allow'}}}");

        assertThat(refusal(() -> merged(before, request, ANN)).code()).isEqualTo(refused);
        assertThat(merged(before, request, SERVER).classes()).isNotEmpty();
        assertThat(merged(before, request.replace("'}'", "null").replace("connectData", "Data"), ANN)
                        .classes())
                .isNotEmpty();
    }

    /** Clients make a function with the fields as parameters, and do not connect if they cannot. */
    @ParameterizedTest
    @ValueSource(strings = {"class", "with", "null", "a²", "a\u20dd"})
    void merge_fieldThatIsNoNameInJavaScriptBesideValidationCode_isRefused(String name) {
        String field = "{'%s': {'type': '/db/String'}}".formatted(name);
        Schema coded =
                with("{'class': '/db/Open', 'validationCode': 'x', 'fields': {'package': {'type': '/db/String'}},"
                        + " 'acl': {'schemaAdd': {'/db/User/ann': 'allow'}}}");
        Schema named = with("{'class': '/db/Open', 'fields': " + field + "}");

        assertThat(refusal(() -> merged(coded, "{'class': '/db/Open', 'fields': " + field + "}", ANN))
                        .message())
                .contains("/db/Open", name);
        assertThat(refusal(() -> merged(
                                coded,
                                "{'class': '/db/Sub', 'superClass': '/db/Open', 'validationCode': 'x', 'fields': "
                                        + field + "}",
                                SERVER))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(() -> merged(
                                named,
                                "{'operation': 'replaceClass', 'class': '/db/Open', 'validationCode': 'x', 'fields': "
                                        + field + "}",
                                SERVER))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(() -> merged(
                                named, "{'class': '/db/Sub', 'superClass': '/db/Open', 'validationCode': 'x'}", SERVER))
                        .code())
                .as("inherited")
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    /** A single class would replace all others. */
    @Test
    void replaceAll_byOneClass_isRefused() {
        SchemaEditor edit = new SchemaEditor(with(PERSON), SERVER);

        assertThat(refusal(() -> edit.replaceAll(json("{'class': '/db/Other'}")).build())
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "save", "then", "class", "toString"})
    void create_fieldCalledAsAMember_isNoHindranceToClients(String name) {
        assertThat(with("{'class': '/db/Person', 'fields': {'%s': {'type': '/db/String'}}}".formatted(name))
                        .get("Person")
                        .fields())
                .hasSize(1);
    }

    @Test
    void merge_unknownClassWithPermissions_keepsTheNonEmptyOnes() {
        ClassSchema person = with("{'class': '/db/Person', 'acl': {'schemaAdd': {'/db/User/ann': 'allow'},"
                        + " 'schemaReplace': {}, 'delete': {'/db/Role/3': 'deny'}}}")
                .get("Person");

        assertThat(person.permission(ClassOperation.SCHEMA_ADD)).isEqualTo(Permission.only("/db/User/ann"));
        assertThat(person.permission(ClassOperation.SCHEMA_REPLACE)).isEqualTo(Permission.only("/db/Role/1"));
        assertThat(person.permission(ClassOperation.DELETE).denied()).containsExactly("/db/Role/3");
    }

    @Test
    void merge_classesThatReferToEachOtherAndThemselves_inAnyOrder() {
        Schema schema = with(
                """
                [{'class': '/db/Child', 'superClass': '/db/Parent', 'fields': {'home': {'type': '/db/Address'}}},
                 {'class': '/db/Parent', 'fields': {'children': {'type': '/db/collection.List[/db/Child]'},
                                                    'self': {'type': '/db/Parent'}}},
                 {'class': '/db/Address', 'embedded': true, 'fields': {'owner': {'type': '/db/Parent'}}}]
                """);

        assertThat(schema.fields(schema.get("Child")))
                .extracting(FieldSchema::name)
                .containsExactly("children", "self", "home");
        assertThat(schema.field(schema.get("Child"), "home"))
                .get()
                .extracting(FieldSchema::type)
                .isEqualTo(new ClassFieldType.Embedded("Address"));
        assertThat(schema.isA("Child", "Parent")).isTrue();
        assertThat(schema.isA("Parent", "Child")).isFalse();
    }

    @Test
    void merge_knownClass_addsFieldsAndLeavesTheRestAlone() {
        Schema before = with("[" + PERSON + ",{'class': '/db/Base'}]");

        Schema after = merged(
                before,
                "{'class': '/db/Person', 'superClass': '/db/Base', 'acl': {'load': {'/db/User/1': 'allow'}},"
                        + " 'fields': {'age': {'type': '/db/Integer'}}}",
                SERVER);

        ClassSchema person = after.get("Person");
        assertThat(person.fields()).extracting(FieldSchema::name).containsExactly("name", "age");
        assertThat(person.superClass()).contains("Object");
        assertThat(person.permission(ClassOperation.LOAD)).isEqualTo(Permission.PUBLIC);
    }

    @Test
    void merge_schemaAsClientsSendItBack_changesNothing() {
        Schema before = with(PERSON);

        Schema after = merged(
                before,
                "[{'class': '/db/Object', 'fields': {}}, {'class': '/db/User', 'fields': {'username':"
                        + " {'type': '/db/String', 'name': 'username', 'order': 0}}}," + PERSON + "]",
                SERVER);

        assertThat(after.descriptors()).isEqualTo(before.descriptors());
    }

    @Test
    void merge_fieldsThatAreInherited_areNotDeclaredAgain() {
        Schema schema = with("[" + PERSON + ",{'class': '/db/Worker', 'superClass': '/db/Person', 'fields': {"
                + "'id': {'type': '/db/String'}, 'name': {'type': '/db/String'}, 'job': {'type': '/db/String'}}}]");

        assertThat(schema.get("Worker").fields()).extracting(FieldSchema::name).containsExactly("job");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'class': '/db/Person', 'fields': {'name': {'type': '/db/Integer'}}}",
                "{'class': '/db/Person', 'embedded': true}",
                "{'class': '/db/Person', 'fields': {'a': {'type': '/db/Nope'}}}",
                "{'class': '/db/Person', 'fields': {'a': {'type': '/db/collection.Map[/db/Nope,/db/String]'}}}",
                "{'class': '/db/Person', 'fields': {'a': {'type': 'String'}}}",
                "{'class': '/db/Person', 'fields': {'version': {'type': '/db/String'}}}",
                "{'class': '/db/Worker', 'superClass': '/db/Nope'}",
                "{'class': '/db/Worker', 'superClass': '/db/Worker'}",
                "{'class': '/db/Worker', 'superClass': '/db/Person', 'fields': {'name': {'type': '/db/Date'}}}",
                "{'class': '/db/Address', 'embedded': true, 'superClass': '/db/Person'}",
                "{'class': '/db/Address', 'embedded': true, 'fields': {'id': {'type': '/db/String'}}}",
                "[{'class': '/db/Address', 'embedded': true}, {'class': '/db/Worker', 'superClass': '/db/Address'}]",
                "[{'class': '/db/A', 'superClass': '/db/B'}, {'class': '/db/B', 'superClass': '/db/A'}]",
                "{'operation': 'addField', 'bucket': '/db/Person', 'field': {'name': 'name', 'type': '/db/Date'}}",
                "{'operation': 'removeField', 'bucket': '/db/Person', 'name': 'nope'}",
                "{'operation': 'removeField', 'bucket': '/db/User', 'name': 'username'}",
                "{'operation': 'removeClass', 'bucket': '/db/User'}"
            })
    void merge_whatContradictsTheSchema_isNotCompatible(String request) {
        Schema before = with(PERSON);

        assertThat(refusal(() -> merged(before, request, SERVER)).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "'x'",
                "[7]",
                "[[]]",
                "{'operation': 'explode'}",
                "{'operation': 7}",
                "{'operation': 'addField'}"
            })
    void merge_whatIsNoRequest_isBadRequest(String request) {
        assertThat(refusal(() -> merged(BUILT_IN, request, SERVER)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'class': '/db/Open', 'acl': {'load': {'/db/User/': 'allow'}}}",
                "{'class': '/db/New', 'acl': {'query': {'/db/Role/a b': 'deny'}}}",
                "{'operation': 'updateClassAcl', 'bucket': '/db/User', 'acl': {'load': {'/db/User/%31': 'deny'}}}",
                "{'operation': 'replaceClass', 'class': '/db/User', 'acl': {'load': {'/db/Thing/1': 'allow'}}}"
            })
    void merge_permissionsWithAMeaninglessId_areRefused(String request) {
        assertThat(refusal(() -> merged(BUILT_IN, request, SERVER)).code())
                .isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'operation': 'addField', 'bucket': '/db/Nope', 'field': {'name': 'a', 'type': '/db/String'}}",
                "{'operation': 'updateClassAcl', 'bucket': '/db/Nope', 'acl': {}}",
                "{'operation': 'replaceClass', 'class': '/db/Nope'}",
                "{'operation': 'removeClass', 'bucket': '/db/Nope'}"
            })
    void merge_operationOnAnUnknownClass_isBucketNotFound(String request) {
        assertThat(refusal(() -> merged(BUILT_IN, request, SERVER)).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'class': '/db/Open'}|true",
                "{'class': '/db/Open', 'fields': {'a': {'type': '/db/String'}}}|true",
                "{'operation': 'addField', 'bucket': '/db/Open', 'field': {'name': 'a', 'type': '/db/String'}}|true",
                "{'operation': 'updateClassAcl', 'bucket': '/db/Open', 'acl': {}}|false",
                "{'operation': 'replaceClass', 'class': '/db/Open'}|false",
                "{'class': '/db/Sub', 'superClass': '/db/Open'}|true",
                "[{'class': '/db/Sub2', 'superClass': '/db/Sub'}, {'class': '/db/Sub', 'superClass': '/db/Open'}]"
                        + "|false",
                "{'class': '/db/New'}|false",
                "{'class': '/db/Address', 'embedded': true}|false",
                "{'class': '/db/User'}|false",
                "[{'class': '/db/Open', 'fields': {'a': {'type': '/db/String'}}}, {'class': '/db/User'}]|false",
                "{'operation': 'removeClass', 'bucket': '/db/Open'}|false"
            })
    void merge_byAUser_needsThePermissionOfTheClass(String request, boolean granted) {
        Schema before = with("{'class': '/db/Open', 'acl': {'schemaAdd': {'/db/User/ann': 'allow'},"
                + " 'schemaSubclass': {'/db/Role/3': 'allow'}}}");

        if (granted) {
            assertThat(merged(before, request, ANN).classes()).isNotEmpty();
        } else {
            assertThat(refusal(() -> merged(before, request, ANN)).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
        assertThat(refusal(() -> merged(before, request, Principal.ANONYMOUS)).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void updateClassAcl_emptyPermission_makesPublicAndOthersStay() {
        Schema before = with("{'class': '/db/A', 'acl': {'load': {'/db/User/1': 'allow'}}}");

        Schema after =
                merged(before, "{'operation': 'updateClassAcl', 'bucket': '/db/A', 'acl': {'schemaAdd': {}}}", SERVER);

        assertThat(after.get("A").permission(ClassOperation.SCHEMA_ADD)).isEqualTo(Permission.PUBLIC);
        assertThat(after.get("A").permission(ClassOperation.LOAD)).isEqualTo(Permission.only("/db/User/1"));
    }

    @Test
    void replaceClass_fieldsLeftOut_areRemovedButBuiltInOnesStay() {
        Schema before = with("[" + PERSON + ",{'class': '/db/User', 'fields': {'nick': {'type': '/db/String'}}}]");

        Schema after = merged(
                before,
                "[{'operation': 'replaceClass', 'class': '/db/Person', 'fields': {'age': {'type': '/db/Integer'}}},"
                        + "{'operation': 'replaceClass', 'class': '/db/User',"
                        + " 'fields': {'mail': {'type': '/db/String'}}},"
                        + "{'operation': 'replaceClass', 'class': '/db/Object'}]",
                SERVER);

        assertThat(after.get("Person").fields()).extracting(FieldSchema::name).containsExactly("age");
        assertThat(after.get("User").fields())
                .extracting(FieldSchema::name)
                .containsExactlyInAnyOrder("username", "inactive", "mail");
        assertThat(after.get("Object").fields()).hasSize(5);
    }

    @Test
    void removeField_ownField_isRemoved() {
        Schema after =
                merged(with(PERSON), "{'operation': 'removeField', 'bucket': '/db/Person', 'name': 'name'}", SERVER);

        assertThat(after.get("Person").fields()).isEmpty();
    }

    @Test
    void addClass_knownClass_isRefused() {
        Schema before = with(PERSON);

        assertThat(refusal(() ->
                                merged(before, PERSON.replace("{'class'", "{'operation': 'addClass', 'class'"), SERVER))
                        .code())
                .isEqualTo(ErrorCode.TYPE_ALREADY_EXISTS);
    }

    @Test
    void renameField_ownField_keepsTypeAndPlace() {
        Schema before = with("{'class': '/db/A', 'fields': {"
                + "'x': {'type': '/db/Integer'}, 'y': {'type': '/db/String'}, 'z': {'type': '/db/String'}}}");

        Schema after = merged(before, rename("A", "y", "text"), SERVER);

        assertThat(after.get("A").fields()).extracting(FieldSchema::name).containsExactly("x", "text", "z");
        assertThat(after.get("A").fields().get(1).type())
                .isEqualTo(before.get("A").fields().get(1).type());
    }

    @ParameterizedTest
    @CsvSource({
        "A, nope, n", // no such field
        "B, x, n", // inherited
        "A, x, y", // name in use
        "A, x, own", // name in use in a subclass
        "B, own, x", // name in use in a super class
        "A, x, version", // the server's own
        "User, username, n", // built in
    })
    void renameField_invalidChange_isRefused(String bucket, String from, String to) {
        Schema before =
                with("[{'class': '/db/A', 'fields': {'x': {'type': '/db/String'}, 'y': {'type': '/db/String'}}},"
                        + "{'class': '/db/B', 'superClass': '/db/A', 'fields': {'own': {'type': '/db/String'}}}]");

        assertThat(refusal(() -> merged(before, rename(bucket, from, to), SERVER))
                        .code())
                .isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @Test
    void renameField_toANameThatTheSameRequestFrees_isRefused() {
        Schema before =
                with("{'class': '/db/A', 'fields': {'x': {'type': '/db/String'}, 'y': {'type': '/db/String'}}}");
        String removed = "{'operation': 'removeField', 'bucket': '/db/A', 'name': 'y'}";

        assertThat(refusal(() -> merged(before, "[" + removed + "," + rename("A", "x", "y") + "]", SERVER))
                        .code())
                .isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @Test
    void renameField_withoutPermission_isRefused() {
        Schema before = with("{'class': '/db/A', 'fields': {'x': {'type': '/db/String'}}}");

        assertThat(refusal(() -> merged(before, rename("A", "x", "y"), Principal.ANONYMOUS))
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    private static String rename(String bucket, String from, String to) {
        return "{'operation': 'renameField', 'bucket': '/db/%s', 'from': '%s', 'to': '%s'}".formatted(bucket, from, to);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'class': '/db/B', 'superClass': '/db/A'}",
                "{'class': '/db/B', 'fields': {'a': {'type': '/db/A'}}}",
                "{'class': '/db/B', 'fields': {'a': {'type': '/db/collection.Set[/db/A]'}}}",
                "{'class': '/db/B', 'fields': {'a': {'type': '/db/collection.Map[/db/A,/db/String]'}}}"
            })
    void delete_classThatIsStillUsed_isRefused(String user) {
        Schema before = with("[{'class': '/db/A', 'fields': {'self': {'type': '/db/A'}}}," + user + "]");

        ApiException refusal =
                refusal(() -> new SchemaEditor(before, SERVER).delete("A").build());

        assertThat(refusal.code()).isEqualTo(ErrorCode.TYPE_STILL_REFERENCED);
        assertThat(refusal.message()).contains("/db/B");
    }

    @Test
    void delete_classThatOnlyRefersToItself_isDeleted() {
        Schema before = with("{'class': '/db/A', 'fields': {'self': {'type': '/db/A'}}}");

        assertThat(new SchemaEditor(before, SERVER).delete("A").build().find("A"))
                .isEmpty();
    }

    @Test
    void replaceAll_classesNotListed_areDroppedAndBuiltInOnesStay() {
        Schema before = with("[" + PERSON + ",{'class': '/db/Old', 'fields': {'p': {'type': '/db/Person'}}}]");

        Schema after = new SchemaEditor(before, SERVER)
                .replaceAll(
                        json("[{'class': '/db/New', 'fields': {'p': {'type': '/db/Person'}}},{'class': '/db/Person'}]"))
                .build();

        assertThat(after.classes().stream().map(ClassSchema::name).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("Object", "User", "Role", "Device", "logs.AppLog", "Person", "New");
        assertThat(after.get("Person").fields()).isEmpty();
    }

    @Test
    void replaceClass_superClass_cannotChange() {
        Schema before = with("[" + PERSON + ",{'class': '/db/Base'}]");

        assertThat(refusal(() -> new SchemaEditor(before, SERVER)
                                .replaceClass(object("{'class': '/db/Person', 'superClass': '/db/Base'}"))
                                .build())
                        .code())
                .isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @Test
    void merge_tooManyFields_isRefused() {
        String fields = IntStream.rangeClosed(0, ClassDescriptorCodec.MAX_FIELDS)
                .mapToObj(i -> "'f" + i + "': {'type': '/db/String'}")
                .collect(Collectors.joining(","));

        assertThat(refusal(() -> with("{'class': '/db/A', 'fields': {" + fields + "}}"))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void merge_tooManyClasses_isRefused() {
        String classes = IntStream.rangeClosed(0, SchemaRules.MAX_CLASSES)
                .mapToObj(i -> "{'class': '/db/C" + i + "'}")
                .collect(Collectors.joining(","));

        assertThat(refusal(() -> with("[" + classes + "]")).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    private static ApiException refusal(Supplier<Schema> change) {
        return catchThrowableOfType(
                ApiException.class, () -> assertThat(change.get()).isNull());
    }
}

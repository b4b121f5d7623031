package io.orestes.schema.model;

import static io.orestes.schema.TestSchemas.merged;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShapeFingerprintTest {

    /** Schema of classes with circular references, as real ones have. */
    private static final Schema SCHEMA = with(
            """
            [{'class': '/db/Part', 'embedded': true, 'fields': {'of': {'type': '/db/collection.List[/db/Part]'}}},
             {'class': '/db/Tree', 'embedded': true, 'fields': {'part': {'type': '/db/Part'}}},
             {'class': '/db/Base', 'fields': {'first': {'type': '/db/String'}}},
             {'class': '/db/Thing', 'superClass': '/db/Base', 'fields': {
                'tree': {'type': '/db/collection.Map[/db/String,/db/Tree]'}, 'friend': {'type': '/db/Other'}}},
             {'class': '/db/Other', 'fields': {'things': {'type': '/db/collection.List[/db/Thing]'}}}]
            """);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'operation': 'addField', 'bucket': '/db/Thing', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                "{'operation': 'addField', 'bucket': '/db/Base', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                "{'operation': 'addField', 'bucket': '/db/Tree', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                "{'operation': 'addField', 'bucket': '/db/Part', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                "{'operation': 'removeField', 'bucket': '/db/Thing', 'name': 'friend'}",
                "{'operation': 'replaceClass', 'class': '/db/Thing', 'superClass': '/db/Base', 'fields': {"
                        + "'tree': {'type': '/db/collection.Map[/db/String,/db/Tree]', 'order': 2},"
                        + " 'friend': {'type': '/db/Other', 'order': 1}}}",
            })
    void of_changeThatShowsInTheText_isAnother(String change) {
        assertThat(fingerprint(merged(SCHEMA, change, Principal.SERVER))).isNotEqualTo(fingerprint(SCHEMA));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'operation': 'updateClassAcl', 'bucket': '/db/Thing', 'acl': {'load': {'/db/Role/1': 'allow'}}}",
                "{'operation': 'addField', 'bucket': '/db/Other', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                "{'class': '/db/Stranger', 'fields': {'n': {'type': '/db/Integer'}}}",
            })
    void of_changeThatDoesNotShow_isTheSame(String change) {
        assertThat(fingerprint(merged(SCHEMA, change, Principal.SERVER))).isEqualTo(fingerprint(SCHEMA));
    }

    @Test
    void of_changeThatIsTakenBack_isTheFirstAgain() {
        Schema extended = merged(
                SCHEMA,
                "{'operation': 'addField', 'bucket': '/db/Thing', 'field': {'name': 'n', 'type': '/db/Integer'}}",
                Principal.SERVER);

        Schema restored =
                merged(extended, "{'operation': 'removeField', 'bucket': '/db/Thing', 'name': 'n'}", Principal.SERVER);

        assertThat(fingerprint(restored)).isEqualTo(fingerprint(SCHEMA));
    }

    /**
     * Copies in browsers outlive servers: a change of this number makes browsers transfer all of
     * them again.
     */
    @Test
    void of_givenShape_isTheSameInEveryProcess() {
        assertThat(fingerprint(SCHEMA)).isEqualTo("354m9m4vg18fd");
    }

    private static String fingerprint(Schema schema) {
        return ShapeFingerprint.of(schema, schema.get("Thing"));
    }
}

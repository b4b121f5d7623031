package io.orestes.schema.change;

import static io.orestes.schema.TestSchemas.merged;
import static io.orestes.schema.TestSchemas.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.Principal;
import io.orestes.schema.model.Schema;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaTransitionTest {

    private static final Schema BEFORE = with(
            """
            [{'class': '/db/Part', 'embedded': true, 'fields': {'n': {'type': '/db/Integer'}}},
             {'class': '/db/Thing', 'fields': {'part': {'type': '/db/Part'}}},
             {'class': '/db/Other', 'fields': {'n': {'type': '/db/Integer'}}}]
            """);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'operation': 'addField', 'bucket': '/db/Other', 'field': {'name': 'm', 'type': '/db/Integer'}} "
                        + "| Other",
                "{'operation': 'addField', 'bucket': '/db/Part', 'field': {'name': 'm', 'type': '/db/Integer'}} "
                        + "| Part,Thing",
                "{'operation': 'updateClassAcl', 'bucket': '/db/Thing', 'acl': {'load': {'/db/Role/1': 'allow'}}} "
                        + "| Thing",
                "{'operation': 'updateClassAcl', 'bucket': '/db/Thing', 'acl': {'query': {'/db/Role/1': 'allow'}}} "
                        + "| Thing",
                "{'operation': 'updateClassAcl', 'bucket': '/db/Thing', 'acl': {'update': {'/db/Role/1': 'allow'}}} |",
                "{'class': '/db/Stranger', 'fields': {'n': {'type': '/db/Integer'}}} |",
            })
    void withOutdatedCopies_change_areClassesWithAnotherFormOrOtherReaders(String change, @Nullable String expected) {
        Schema after = merged(BEFORE, change, Principal.SERVER);

        Set<String> outdated = new SchemaTransition(BEFORE, after, Set.of()).withOutdatedCopies();

        assertThat(outdated)
                .containsExactlyInAnyOrderElementsOf(expected == null ? Set.of() : Set.of(expected.split(",", -1)));
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every change of a class under every form of rule by every kind of caller, compared with
 * {@link PermissionOracle}.
 */
@Tag("full")
@ExtendWith(SharedBackend.class)
@TestInstance(Lifecycle.PER_CLASS)
final class SchemaPermissionsTest {

    private final Backend backend;
    private final PermissionCallers cast;
    private final List<PermissionCaller> askers;

    SchemaPermissionsTest(Backend backend) {
        this.backend = backend;
        this.cast = new PermissionCallers(backend);
        this.askers = cast.askers();
    }

    @AfterAll
    void leave() {
        cast.disband();
    }

    /**
     * A change of a class and the permission it needs (protocol §7.3); {@code ASKER} is replaced by
     * a name of the caller's own.
     */
    enum Change {
        FIELD("schemaAdd", "/CLASS", "{\"class\":\"/db/CLASS\",\"fields\":{\"fASKER\":{\"type\":\"/db/String\"}}}"),
        NOTHING("schemaAdd", "", "[{\"class\":\"/db/CLASS\",\"fields\":{\"n\":{\"type\":\"/db/Integer\"}}}]"),
        ADD_FIELD(
                "schemaAdd",
                "",
                "{\"operation\":\"addField\",\"bucket\":\"/db/CLASS\",\"field\":{\"name\":\"fASKER\","
                        + "\"type\":\"/db/String\"}}"),
        PERMISSIONS(
                "schemaReplace",
                "",
                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/CLASS\","
                        + "\"acl\":{\"delete\":{\"/db/User/ASKER\":\"allow\"}}}"),
        RENAME(
                "schemaReplace",
                "",
                "{\"operation\":\"renameField\",\"bucket\":\"/db/CLASS\",\"from\":\"oldASKER\",\"to\":\"newASKER\"}"),
        REMOVE("schemaReplace", "", "{\"operation\":\"removeField\",\"bucket\":\"/db/CLASS\",\"name\":\"oldASKER\"}"),
        SUBCLASS("schemaSubclass", "", "{\"class\":\"/db/CLASSASKER\",\"superClass\":\"/db/CLASS\",\"fields\":{}}");

        private final String key;
        private final String path;
        private final String body;

        Change(String key, String path, String body) {
            this.key = key;
            this.path = path;
            this.body = body;
        }
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void change_ofAClass_isGrantedByItsRule(Change change) {
        List<String> disagreements = new ArrayList<>();
        cast.rules().forEach((name, rule) -> {
            String bucket = newClass(change, rule);
            for (PermissionCaller asker : askers) {
                String found = attempt(change, bucket, asker);
                if (!found.equals(expected(rule, asker))) {
                    disagreements.add("%s by %s under %s: %s".formatted(change, asker, name, found));
                }
            }
        });

        assertThat(disagreements).isEmpty();
    }

    private static String expected(Map<String, String> rule, PermissionCaller asker) {
        return !asker.isKnown() ? "460" : PermissionOracle.grants(rule, asker.identities("POST")) ? "200" : "466";
    }

    /**
     * Returns the status, whether something changed although it was refused, and whether the
     * explanation agrees.
     */
    private String attempt(Change change, String bucket, PermissionCaller asker) {
        String before = state(bucket, asker);
        Optional<Boolean> explained = explained(change, bucket, asker);
        int status = asker.post("/schema" + change.path.replace("CLASS", bucket), filled(change.body, bucket, asker))
                .status();
        boolean isChanged = !state(bucket, asker).equals(before);
        return status
                + (status != 200 && isChanged ? " but changed" : "")
                + (explained.orElse(status == 200) != (status == 200) ? " but explained otherwise" : "");
    }

    /** Returns whether the explanation grants it; empty for callers that are no ordinary users. */
    private Optional<Boolean> explained(Change change, String bucket, PermissionCaller asker) {
        return asker.isSomebody()
                ? Optional.of(PermissionExplanations.isGranted(backend.root(), asker, change.key, "/db/" + bucket))
                : Optional.empty();
    }

    /** Returns the class and the one that the caller may have derived from it. */
    private String state(String bucket, PermissionCaller asker) {
        Client root = backend.root();
        return root.get("/schema/" + bucket).text()
                + root.get("/schema/" + bucket + asker.name()).status();
    }

    private static String filled(String body, String bucket, PermissionCaller asker) {
        return body.replace("CLASS", bucket).replace("ASKER", asker.name());
    }

    private String newClass(Change change, Map<String, String> rule) {
        List<String> fields = new ArrayList<>(List.of("n", "Integer"));
        askers.forEach(asker -> fields.addAll(List.of("old" + asker.name(), "String")));
        String bucket = backend.newClass(fields.toArray(String[]::new));
        Answer ruled = backend.root()
                .post(
                        "/schema",
                        "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"%s\":%s}}"
                                .formatted(bucket, change.key, PermissionTestbed.json(rule)));
        assertThat(ruled.status()).as(ruled.text()).isEqualTo(200);
        return bucket;
    }
}

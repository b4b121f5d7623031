package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Endpoints for admins, and endpoints for everybody, requested by every kind of caller (the letters
 * of protocol §3).
 */
@ExtendWith(SharedBackend.class)
@TestInstance(Lifecycle.PER_CLASS)
final class AdminPermissionsTest {

    private final Backend backend;
    private final PermissionCallers cast;
    private final List<PermissionCaller> askers;
    private final Accounts.User victim;

    AdminPermissionsTest(Backend backend) {
        this.backend = backend;
        this.cast = new PermissionCallers(backend);
        this.askers = cast.askers();
        this.victim = Accounts.create(backend);
    }

    @AfterAll
    void leave() {
        cast.disband();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /db/CLASS/ids",
                "GET /db/CLASS",
                "PUT /db/CLASS []",
                "DELETE /db/CLASS",
                "POST /index/CLASS {\"keys\":[{\"n\":\"asc\"}]}",
                "DELETE /index/CLASS",
                "PUT /index/CLASS/text",
                "DELETE /index/CLASS/text",
                "DELETE /schema/CLASS",
                "PUT /schema/CLASS {\"class\":\"/db/CLASS\",\"fields\":{}}",
                "POST /schema/CLASS {\"class\":\"/db/CLASS\",\"fields\":{}}",
                "GET /query",
                "POST /query {\"bucket\":\"CLASS\",\"query\":{}}",
                "DELETE /bloomfilter",
                "GET /bloomfilter/expirations",
                "GET /-/explain?operation=load&ref=/db/CLASS",
                "GET /-/migrations",
                "GET /-/settings",
                "GET /-/health",
                "GET /-/logs",
                "GET /-/live-queries",
                "GET /-/caching",
                "DELETE /-/caching",
                "GET /-/caching/entry?url=/v1/db/CLASS/a",
                "DELETE /-/caching/entry?url=/v1/db/CLASS/a",
                "POST /db/User/VICTIM/token",
                "DELETE /db/User/VICTIM/token",
                "DELETE /banned",
                "DELETE /banned/192.0.2.1"
            })
    void request_forAdmins_isRefusedToOthersAndChangesNothing(String request) {
        List<String> disagreements = new ArrayList<>();
        String shared = newClass();
        for (PermissionCaller asker : askers) {
            String bucket = asker.isAdmin() ? newClass() : shared;
            String before = state(bucket);

            int status = send(asker, request, bucket);

            boolean isDone = status / 100 == 2;
            boolean isRight = asker.isAdmin() ? isDone : status == (asker.isKnown() ? 466 : 460);
            if (!isRight || (!isDone && !state(bucket).equals(before))) {
                disagreements.add(asker + " got " + status);
            }
        }

        assertThat(disagreements).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /db",
                "GET /schema",
                "GET /schema/CLASS",
                "GET /index/CLASS",
                "POST /transaction {}",
                "GET /db/CLASS/count"
            })
    void request_forEverybody_isRefusedOnlyToInvalidTokens(String request) {
        String bucket = backend.newClass("n", "Integer");

        for (PermissionCaller asker : askers) {
            int status = send(asker, request, bucket);
            assertThat(asker.isKnown() ? status / 100 : status).as(asker.name()).isEqualTo(asker.isKnown() ? 2 : 460);
        }
    }

    /** An invalid token is no error here (protocol §4.1, §5.2), or is ignored. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /connect",
                "GET /bloomfilter",
                "GET /version",
                "GET /status",
                "GET /-/ready",
                "GET /db/User/logout",
                "POST /db/User/login {\"username\":\"root\",\"password\":\"" + Backend.ROOT_PASSWORD + "\"}"
            })
    void request_thatNeedsNoToken_isAnsweredWithAnyToken(String request) {
        for (PermissionCaller asker : askers) {
            assertThat(send(asker, request, "") / 100).as(asker.name()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ids           | GET /db/CLASS/ids",
                "export        | GET /db/CLASS",
                "import        | PUT /db/CLASS []",
                "truncate      | DELETE /db/CLASS",
                "count         | GET /db/CLASS/count",
                "bulk          | POST /db/CLASS/bulk {\"operations\":[{\"insert\":{\"n\":1}}]}",
                "transaction   | POST /transaction {}",
                "indexes       | GET /index/CLASS",
                "createIndex   | POST /index/CLASS {\"keys\":[{\"n\":\"asc\"}]}",
                "createIndex   | PUT /index/CLASS/text",
                "dropIndex     | DELETE /index/CLASS",
                "dropIndex     | DELETE /index/CLASS/text",
                "prepare       | POST /query {\"bucket\":\"CLASS\",\"query\":{}}",
                "schemaRead    | GET /schema/CLASS",
                "schemaAdd     | POST /schema/CLASS {\"class\":\"/db/CLASS\",\"fields\":{}}",
                "schemaReplace | POST /schema {\"operation\":\"updateClassAcl\",\"bucket\":\"/db/CLASS\",\"acl\":{}}",
                "schemaSubclass| POST /schema {\"class\":\"/db/OfCLASS\",\"superClass\":\"/db/CLASS\",\"fields\":{}}",
                "schemaPut     | PUT /schema/CLASS {\"class\":\"/db/CLASS\",\"fields\":{}}",
                "schemaRemove  | DELETE /schema/CLASS"
            })
    void explanation_agreesWithTheServer(String operation, String request) {
        for (PermissionCaller asker :
                askers.stream().filter(PermissionCaller::isSomebody).toList()) {
            String bucket = newClass();
            boolean granted = PermissionExplanations.isGranted(backend.root(), asker, operation, "/db/" + bucket);

            assertThat(send(asker, request, bucket) / 100 == 2).as(asker.name()).isEqualTo(granted);
        }
    }

    private String newClass() {
        String bucket = backend.newClass("n", "Integer");
        backend.root().insert(bucket, "{\"n\":1}");
        return bucket;
    }

    private int send(PermissionCaller asker, String request, String bucket) {
        String[] parts =
                request.replace("CLASS", bucket).replace("VICTIM", victim.key()).split(" ", 3);
        String body = parts.length > 2 ? parts[2] : "";
        return asker.client()
                .send(
                        parts[0],
                        asker.addressed(parts[1]),
                        BodyPublishers.ofString(body),
                        "Content-Type",
                        "application/json")
                .status();
    }

    private String state(String bucket) {
        Client root = backend.root();
        return root.get("/db/" + bucket).text()
                + root.get("/index/" + bucket).text()
                + root.get("/schema/" + bucket).text()
                + victim.client().get("/db/User/me").status();
    }
}

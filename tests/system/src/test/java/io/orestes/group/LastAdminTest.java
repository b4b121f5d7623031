package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.system.Answer;
import io.orestes.system.Client;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two admins of two servers leave at the same moment, each of them because the other one stays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LastAdminTest {

    private static final int ROUNDS = 200;

    private final ServerGroup group;

    LastAdminTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder, MongoServer.replicaSet(folder.resolve("mongo")), 2);
    }

    @AfterAll
    void close() {
        group.close();
    }

    @Test
    void deactivation_ofBothAdminsOnTwoServers_isRefusedToOne() {
        Admin ann = new Admin(0, "ann");
        Admin bea = new Admin(1, "bea");
        makeAdmins(ann, bea);

        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(ann::leave);
            CompletableFuture<Answer> second = CompletableFuture.supplyAsync(bea::leave);

            assertThat(Stream.of(first, second).map(answer -> answer.join().status()))
                    .as("round %d", round)
                    .containsExactlyInAnyOrder(200, 466);
            boolean annStays = first.join().status() == 466;
            (annStays ? ann : bea).reinstate(annStays ? bea : ann);
        }
    }

    /** Nobody but these. */
    private void makeAdmins(Admin... admins) {
        Client root = group.root(0);
        String members =
                String.join("\",\"", Stream.of(admins).map(admin -> admin.id).toList());
        root.update("/db/Role/1", "{\"name\":\"admin\",\"users\":[\"%s\"]}".formatted(members));
    }

    /** A user at one of the servers. */
    private final class Admin {

        private final String id;
        private final Client client;

        private Admin(int server, String name) {
            Answer registered = group.anonymous(server)
                    .post(
                            "/db/User/register",
                            "{\"user\":{\"username\":\"%s\"},\"password\":\"s3cret word\",\"login\":true}"
                                    .formatted(name));
            assertThat(registered.status()).as(registered.text()).isEqualTo(200);
            id = registered.object().getString("id").getValue();
            client = group.anonymous(server)
                    .withToken(registered.header("baqend-authorization-token").orElseThrow());
        }

        private Answer leave() {
            return client.post(id, "{\"$set\":{\"inactive\":true}}");
        }

        private void reinstate(Admin other) {
            Answer active = client.post(other.id, "{\"$set\":{\"inactive\":false}}");
            assertThat(active.status()).as(active.text()).isEqualTo(200);
        }
    }
}

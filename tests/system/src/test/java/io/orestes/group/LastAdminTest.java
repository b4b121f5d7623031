package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.Scope;
import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ann and Bea are the only admins. Two servers receive at one moment a request to remove one of
 * them each, and each request is permitted as long as the other one is not done.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class LastAdminTest {

    private static final int ROUNDS = Scope.rounds(100);
    private static final int SERVERS = 2;
    private static final String ROLE = "/db/Role/1";
    private static final String INACTIVE = "{\"$set\":{\"inactive\":true}}";

    private final ServerGroup group;
    private final Admin ann;
    private final Admin bea;

    LastAdminTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder, SERVERS);
        ann = new Admin("ann");
        bea = new Admin("bea");
        group.root(0).update(ROLE, role(ann, bea));
        Stream.of(ann, bea).forEach(Admin::export);
    }

    @AfterAll
    void close() {
        group.close();
    }

    /** A way to remove an admin. */
    enum AdminRemoval {
        DEACTIVATION,
        ROLE,
        DELETION,
        TRANSACTION;

        /** Returns a request that removes a user when it is sent. */
        private Supplier<Answer> of(String id, Client client) {
            return switch (this) {
                case DEACTIVATION -> () -> client.post(id, INACTIVE);
                case ROLE -> () -> client.post(LastAdminTest.ROLE, "{\"$remove\":{\"users\":\"" + id + "\"}}");
                case DELETION -> () -> client.delete(id);
                case TRANSACTION -> transaction(id, client);
            };
        }

        private static Supplier<Answer> transaction(String id, Client client) {
            Answer begun = client.post("/transaction", "{}");
            assertThat(begun.status()).as(begun.text()).isEqualTo(201);
            String path = "/transaction/" + begun.object().getString("tid").getValue() + "/committed";
            String body = "{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":%s}]}".formatted(id, INACTIVE);
            return () -> client.put(path, body);
        }

        /** Returns whether the state of a successful answer is stored. */
        private boolean isStored(Answer done, Admin leaving) {
            return switch (this) {
                case DEACTIVATION -> leaving.isStored(version(done), "inactive: true");
                case ROLE -> leaving.isNoMemberSince(version(done));
                case DELETION -> !leaving.isThere();
                case TRANSACTION ->
                    leaving.isStored(
                            done.array()
                                    .get(0)
                                    .asDocument()
                                    .getNumber(leaving.id)
                                    .longValue(),
                            "inactive: true");
            };
        }

        private static long version(Answer done) {
            return done.object().getNumber("version").longValue();
        }
    }

    static Stream<Arguments> pairs() {
        return Stream.of(AdminRemoval.values()).flatMap(first -> EnumSet.range(first, AdminRemoval.TRANSACTION).stream()
                .map(second -> Arguments.of(first, second)));
    }

    /** In turns each of them requests the removal of itself, or of the other one. */
    @ParameterizedTest
    @MethodSource("pairs")
    void exits_ofBothAdmins_oneIsDoneAndTheOtherRefused(AdminRemoval first, AdminRemoval second) {
        for (int round = 0; round < ROUNDS; round++) {
            Admin one = round % 2 == 0 ? ann : bea;
            Admin other = one == ann ? bea : ann;
            boolean isOwn = round / 2 % 2 == 0;

            List<Answer> answers = race(
                    first.of(one.id, (isOwn ? one : other).client(0)),
                    second.of(other.id, (isOwn ? other : one).client(1)));

            String what = "round %d: %s".formatted(round, texts(answers));
            int done = isDone(answers.get(0)) ? 0 : 1;
            Answer refusal = answers.get(1 - done);
            assertThat(isDone(answers.get(done))).as(what).isTrue();
            // the user that is removed first may have no session at the time of the other request
            assertThat(refusal.status()).as(what).satisfies(status -> assertThat(status)
                    .isIn(isOwn ? List.of(466) : List.of(466, 460)));
            assertThat((done == 0 ? first : second).isStored(answers.get(done), done == 0 ? one : other))
                    .as(what)
                    .isTrue();
            assertThat((done == 0 ? other : one).isActiveAdmin()).as(what).isTrue();
            restore();
        }
    }

    @Test
    void deletionsOfAllAdminsInOneRequest_whileOneIsDeactivated_leaveOne() {
        String deletions = "{\"operations\":[{\"delete\":\"%s\"},{\"delete\":\"%s\"}]}".formatted(ann.id, bea.id);
        for (int round = 0; round < ROUNDS; round++) {
            int server = round % SERVERS;
            Client asking = ann.client(server);
            Client leaving = bea.client(1 - server);

            List<Answer> answers =
                    race(() -> asking.post("/db/User/bulk", deletions), () -> leaving.post(bea.id, INACTIVE));

            String what = "round %d: %s".formatted(round, texts(answers));
            List<Reply> deleted = Reply.toEach(answers.get(0), 2);
            assertThat(ann.isThere()).as(what).isEqualTo(!deleted.get(0).isDone());
            assertThat(bea.isThere()).as(what).isEqualTo(!deleted.get(1).isDone());
            assertThat(bea.isActive()).as(what).isEqualTo(bea.isThere() && !isDone(answers.get(1)));
            assertThat(Stream.of(ann, bea).filter(Admin::isActiveAdmin))
                    .as(what)
                    .hasSize(1);
            restore();
        }
    }

    /** A truncation of all users leaves only members of the role admin. */
    @Test
    void truncation_whileAnotherUserBecomesTheOnlyAdmin_leavesOne() {
        for (int round = 0; round < ROUNDS; round++) {
            ann.client(0).update(ROLE, role(ann));
            Client asking = ann.client(round % SERVERS);
            Client leaving = ann.client(1 - round % SERVERS);

            List<Answer> answers = race(() -> asking.delete("/db/User"), () -> leaving.put(ROLE, role(bea)));

            String what = "round %d: %s".formatted(round, texts(answers));
            assertThat(answers).as(what).anyMatch(LastAdminTest::isDone);
            Admin admin = isDone(answers.get(1)) ? bea : ann;
            assertThat(admin.isActiveAdmin()).as(what).isTrue();
            assertThat((admin == ann ? bea : ann).isThere()).as(what).isEqualTo(!isDone(answers.get(0)));
            restore();
        }
    }

    private static List<Answer> race(Supplier<Answer> first, Supplier<Answer> second) {
        return Stream.of(first, second).map(CompletableFuture::supplyAsync).toList().stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static boolean isDone(Answer answer) {
        return answer.status() < 300;
    }

    private static List<String> texts(List<Answer> answers) {
        return answers.stream()
                .map(answer -> answer.status() + " " + answer.text())
                .toList();
    }

    /** The remaining admin makes both admins again. */
    @AfterEach
    void restore() {
        List<Admin> both = List.of(ann, bea);
        Client client = both.stream()
                .filter(Admin::isActiveAdmin)
                .map(admin -> admin.client(0))
                .findFirst()
                .orElseThrow();
        List<String> missing = both.stream()
                .filter(admin -> !admin.isActive())
                .map(admin -> admin.exported)
                .toList();
        if (!missing.isEmpty()) {
            assertThat(client.put("/db/User", missing.toString()).text()).isEqualTo("[]");
        }
        if (!both.stream().allMatch(Admin::isMember)) {
            client.update(ROLE, role(ann, bea));
        }
    }

    private static String role(Admin... members) {
        return "{\"name\":\"admin\",\"users\":%s}"
                .formatted(Stream.of(members)
                        .map(member -> "\"" + member.id + "\"")
                        .toList());
    }

    /** A user with a session at each server, whose requests are committed in MongoDB. */
    private final class Admin {

        private final String id;
        private final List<Client> clients;
        private String exported = "";

        private Admin(String name) {
            Answer registered = group.anonymous(0)
                    .post(
                            "/db/User/register",
                            "{\"user\":{\"username\":\"%s\"},\"password\":\"s3cret word\",\"login\":true}"
                                    .formatted(name));
            assertThat(registered.status()).as(registered.text()).isEqualTo(200);
            id = registered.object().getString("id").getValue();
            String token = registered.header("baqend-authorization-token").orElseThrow();
            clients = IntStream.range(0, SERVERS)
                    .mapToObj(server -> group.anonymous(server).withToken(token))
                    .toList();
        }

        private Client client(int server) {
            return clients.get(server);
        }

        private void export() {
            exported = client(0).get("/db/User").array().stream()
                    .map(user -> user.asDocument())
                    .filter(user -> new BsonString(id).equals(user.get("id")))
                    .map(BsonDocument::toJson)
                    .findFirst()
                    .orElseThrow();
        }

        private boolean isThere() {
            return group.countInStore("User", "{_id: '" + id + "'}") == 1;
        }

        private boolean isActive() {
            return group.countInStore("User", "{_id: '" + id + "', inactive: false}") == 1;
        }

        private boolean isMember() {
            return group.countInStore("Role", "{_id: '" + ROLE + "', users: '" + id + "'}") == 1;
        }

        private boolean isActiveAdmin() {
            return isActive() && isMember();
        }

        private boolean isStored(long version, String condition) {
            return group.countInStore("User", "{_id: '%s', version: %d, %s}".formatted(id, version, condition)) == 1;
        }

        /** Returns whether that version of the role is stored. */
        private boolean isNoMemberSince(long version) {
            return group.countInStore(
                            "Role", "{_id: '%s', version: %d, users: {$ne: '%s'}}".formatted(ROLE, version, id))
                    == 1;
        }
    }
}

package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages for operators about the MongoDB that a server is given, before it stores anything there.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class StoreStartTest {

    private static final String ENTRY = "Objects are in ";

    private final Path folder;

    StoreStartTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** The driver would search for another server until its time-out, three times. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?replicaSet=rs0"})
    void start_standalone_namesTheTwoCommandsAndExitsWith7(String options) throws Exception {
        try (Mongod mongo = Mongod.standalone(folder.resolve("mongo"));
                RunningCommand command = start(mongo.connectionString("shop") + options)) {
            assertThat(command.exitCode()).isEqualTo(7);
            assertThat(command.errors())
                    .contains("/shop cannot be used: it is no replica set")
                    .contains("mongod --replSet rs0", "mongosh --eval 'rs.initiate()'")
                    .doesNotContain("another attempt follows", "Exception");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?replicaSet=rs0"})
    void start_setIsNotInitiated_namesTheCommandAndExitsWith7(String options) throws Exception {
        try (Mongod mongo = Mongod.in(folder.resolve("mongo")).replicaSet("rs0").launch()) {
            mongo.awaitAnswer();
            try (RunningCommand command = start("mongodb://" + mongo.host() + "/shop" + options)) {
                assertThat(command.exitCode()).isEqualTo(7);
                assertThat(command.errors())
                        .contains("/shop cannot be used: its replica set is not initiated")
                        .contains("mongosh --eval 'rs.initiate()'")
                        .doesNotContain("--replSet", "another attempt follows", "Exception");
            }
        }
    }

    /** The address may name the set of one member or leave that out. */
    @Test
    void start_replicaSetThatTheAddressDoesNotName_isReady() throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
                ServerProcess server = ServerProcess.whenReady(start("mongodb://" + mongo.host() + "/shop"))) {
            assertThat(server.get("/v1/status").body()).contains(", replica set");
        }
    }

    @Test
    void start_replicaSet_reportsAllCapabilities() throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"));
                ServerProcess server = ServerProcess.whenReady(start(mongo.connectionString("shop")))) {
            assertThat(entries(server.command()))
                    .singleElement()
                    .asString()
                    .contains(ENTRY + "MongoDB ")
                    .endsWith(", replica set; it has all that is needed");
        }
    }

    @Test
    void start_serverLacksARequiredCapability_namesItAndExitsWith7() throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"))) {
            mongo.rejectCommand("findAndModify");

            try (RunningCommand command = start(mongo.connectionString("shop"))) {
                assertThat(command.exitCode()).isEqualTo(7);
                assertThat(command.errors())
                        .contains("The server at the MongoDB address loses updates", "objects would not be safe there");
            }
        }
    }

    @Test
    void start_mongoDbUnreachable_namesTheAddressAndExitsWith7() throws Exception {
        try (RunningCommand command = start("mongodb://root:secret@127.0.0.1:1/shop", "--mongo.deadline=1s")) {
            assertThat(command.exitCode()).isEqualTo(7);
            assertThat(command.errors())
                    .contains("MongoDB at 127.0.0.1:1/shop cannot be used")
                    .doesNotContain("secret");
        }
    }

    @Test
    void start_mongoDbDoesNotAnswerYet_isTriedAgain() throws Exception {
        try (Mongod mongo = Mongod.replicaSet(folder.resolve("mongo"))) {
            mongo.pause();
            try (RunningCommand command = start(mongo.connectionString("shop"), "--mongo.deadline=5s")) {
                Waiting.until(
                        "the first attempt has ended", () -> command.errors().contains("does not respond yet"));
                mongo.resume();

                try (ServerProcess server = ServerProcess.whenReady(command)) {
                    assertThat(server.get("/v1/status").statusCode()).isEqualTo(200);
                }
            }
        }
    }

    /**
     * There is at least one. The log of a process is read by another thread than its ready message.
     */
    private static List<String> entries(RunningCommand command) {
        return Waiting.forAnswer(
                "it reports where objects are stored", () -> entriesSoFar(command), found -> !found.isEmpty());
    }

    private static List<String> entriesSoFar(RunningCommand command) {
        return Stream.concat(command.output().stream(), command.errors().lines())
                .filter(line -> line.contains(ENTRY))
                .toList();
    }

    private RunningCommand start(String mongo, String... more) {
        Stream<String> arguments =
                Stream.of("start", "--port=0", "--data=" + folder.resolve("data"), "--mongo=" + mongo);
        return Launcher.here().run(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./orestes start}: what operators and scripts may rely on. */
final class FrontDoorTest {

    private static final Path BUILT = Launcher.ROOT.resolve(".build/product/fingerprint");

    private final Launcher orestes = Launcher.here();

    private final Path temp;

    FrontDoorTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void start_built_reportsReadinessOnceAndIsReady() throws Exception {
        try (ServerProcess server = orestes.start(temp)) {
            int status = server.get("/v1/-/ready").statusCode();

            server.stop();

            assertThat(status).isEqualTo(200);
            assertThat(server.command().output())
                    .filteredOn(line -> line.startsWith(ServerProcess.READY))
                    .hasSize(1);
        }
    }

    @Test
    void start_again_buildsNothing() throws Exception {
        FileTime built = Files.getLastModifiedTime(BUILT);

        try (ServerProcess server = orestes.start(temp)) {
            server.stop();

            assertThat(server.command().errors()).doesNotContain("building", "preparing");
            assertThat(Files.getLastModifiedTime(BUILT)).isEqualTo(built);
        }
    }

    @Test
    void start_afterStop_findsItsDataAgain() throws Exception {
        try (ServerProcess first = orestes.start(temp)) {
            first.stop();
        }

        try (ServerProcess second = orestes.start(temp)) {
            assertThat(second.get("/v1/-/ready").statusCode()).isEqualTo(200);
            second.stop();
        }
    }

    @Test
    void start_badConfiguration_listsAllMistakesAndExitsWith2() throws Exception {
        String data = temp.resolve("data").toString();

        try (RunningCommand command = orestes.run("start", "--port", "70000", "--nonsense", "x", "--data", data)) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(2);
            assertThat(command.errors()).contains("port", "70000", "nonsense");
            assertThat(temp).isEmptyDirectory();
        }
    }

    @Test
    void start_dataInUse_exitsWith6() throws Exception {
        try (ServerProcess first = orestes.start(temp);
                RunningCommand second = orestes.run("start", "--port", "0", "--data", temp.toString())) {
            int exitCode = second.exitCode();

            assertThat(exitCode).isEqualTo(6);
            assertThat(second.errors()).contains(temp.toString());
            first.stop();
        }
    }

    @Test
    void start_foreignDataFolder_exitsWith4AndLeavesItUnchanged() throws Exception {
        Path letter = Files.writeString(temp.resolve("letter.txt"), "not yours");

        try (RunningCommand command = orestes.run("start", "--port", "0", "--data", temp.toString())) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(4);
            assertThat(temp).isDirectoryContaining(letter::equals).isDirectoryNotContaining("glob:**/*.sst");
        }
    }

    @Test
    void start_portTaken_exitsWith5() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningCommand command = orestes.run(
                        "start", "--port", String.valueOf(taken.getLocalPort()), "--data", temp.toString())) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(5);
            assertThat(command.errors()).contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void start_throughLinkFromOtherFolder_resolvesDataAgainstThatFolder() throws Exception {
        Path link = Files.createSymbolicLink(temp.resolve("backend"), Launcher.ROOT.resolve("orestes"));
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));

        try (ServerProcess server = orestes.calledAs(link).from(elsewhere).start(Path.of("mine"))) {
            server.stop();
        }
        Files.delete(link);

        assertThat(elsewhere.resolve("mine")).isDirectory();
    }

    @Test
    void start_settingFromEnvironment_isUsed() throws Exception {
        Path data = temp.resolve("from-environment");

        try (RunningCommand command = orestes.with("ORESTES_DATA", data.toString())
                .with("ORESTES_PORT", "0")
                .run("start")) {
            ServerProcess.whenReady(command).stop();
        }

        assertThat(data).isDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "start,--help",
        "start,-h",
        "varnish,--help",
        "schema,--help",
        "types,--help",
        "build,--help",
        "test,--help",
        "format,--help",
    })
    void anyCommand_withHelpFlag_printsUsageAndDoesNothing(String name, String flag) throws Exception {
        try (RunningCommand command = orestes.run(name, flag)) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isZero();
            assertThat(command.output()).anyMatch(line -> line.startsWith("usage: ./orestes"));
            assertThat(command.errors()).isEmpty();
        }
    }

    @Test
    void types_ofARunningServer_areWrittenToStandardOutputAlone() throws Exception {
        try (ServerProcess server = orestes.start(temp);
                RunningCommand command = orestes.run("types", server.base().toString())) {
            int exitCode = command.exitCode();

            assertThat(exitCode).as(command.errors()).isZero();
            assertThat(command.output()).contains("export interface User {", "export interface Schema {");
            assertThat(command.errors()).isEmpty();
            server.stop();
        }
    }

    @Test
    void types_withoutAServer_exitsWith1AndWritesNothing() throws Exception {
        try (RunningCommand command = orestes.run("types", "http://127.0.0.1:1")) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(1);
            assertThat(command.output()).isEmpty();
            assertThat(command.errors()).contains("did not answer");
        }
    }

    @Test
    void unknownCommand_exitsWith2AndPrintsUsage() throws Exception {
        try (RunningCommand command = orestes.run("strat")) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(2);
            assertThat(command.errors()).contains("usage: ./orestes", "unknown command: strat");
        }
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./orestes varnish}: what operators and scripts may rely on, with or without a server
 * behind it.
 */
final class VarnishCommandTest {

    private static final String NOWHERE = "127.0.0.1:9";

    private final Launcher orestes;
    private final Path temp;

    /** Root's varnishd runs as another user, who needs access to the folder for temporary files. */
    VarnishCommandTest(@TempDir Path temp) throws IOException {
        this.temp = Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.orestes = Launcher.here().with("TMPDIR", temp.toString());
    }

    @Test
    void start_withoutAServer_isReadyAndAnswersWithErrors() throws Exception {
        try (ServerProcess varnish =
                ServerProcess.whenReady(orestes.run("varnish", "--listen=127.0.0.1:0", "--backend=" + NOWHERE))) {
            Answer answer = Client.anonymous(varnish).get("/-/ready");
            varnish.stop();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(varnish.command().output()).hasSize(1);
        }
    }

    @Test
    void stop_always_leavesNoProcessesOrFiles() throws Exception {
        try (ServerProcess varnish =
                ServerProcess.whenReady(orestes.run("varnish", "--listen", "127.0.0.1:0", "--backend", NOWHERE))) {
            assertThat(temp).isNotEmptyDirectory();
            ProcessHandle own = ProcessHandle.of(varnish.command().pid()).orElseThrow();
            ProcessHandle[] started = own.descendants().toArray(ProcessHandle[]::new);

            varnish.stop();

            assertThat(started).isNotEmpty().noneMatch(ProcessHandle::isAlive);
            assertThat(temp).isEmptyDirectory();
        }
    }

    @Test
    void start_settingsFromEnvironment_areUsed() throws Exception {
        try (RunningCommand command = orestes.with("ORESTES_LISTEN", "127.0.0.1:0")
                .with("ORESTES_BACKEND", NOWHERE)
                .with("ORESTES_PURGE_SECRET", "vanish")
                .run("varnish")) {
            ServerProcess varnish = ServerProcess.whenReady(command);
            Answer purged = Client.anonymous(varnish)
                    .send("PURGE", "/db/Todo/a", BodyPublishers.noBody(), "Orestes-Purge-Secret", "vanish");
            varnish.stop();

            assertThat(purged.status()).isEqualTo(204);
        }
    }

    @Test
    void start_withTheModule_purgesClassesBySurrogateKeys() throws Exception {
        try (ServerProcess varnish =
                ServerProcess.whenReady(orestes.run("varnish", "--listen=127.0.0.1:0", "--backend=" + NOWHERE))) {
            assertThat(classesVcl()).contains("classes-xkey.vcl");
            varnish.stop();
        }
    }

    @Test
    void start_withoutTheModule_purgesClassesByBans() throws Exception {
        Launcher without = orestes.with("PATH", varnishdThatCompilesNothing() + ":" + System.getenv("PATH"));
        try (ServerProcess varnish =
                ServerProcess.whenReady(without.run("varnish", "--listen=127.0.0.1:0", "--backend=" + NOWHERE))) {
            assertThat(classesVcl()).contains("classes-ban.vcl");
            varnish.stop();
        }
    }

    private String classesVcl() throws IOException {
        try (Stream<Path> homes = Files.list(temp)) {
            Path home = homes.filter(path -> path.getFileName().toString().startsWith("orestes-varnish."))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(home.resolve("classes.vcl"));
        }
    }

    /**
     * Returns the folder of a varnishd without modules: it fails where the launcher has it compile
     * a probe.
     */
    private Path varnishdThatCompilesNothing() throws IOException {
        Path bin = Files.createDirectory(temp.resolve("bin"));
        Path script = bin.resolve("varnishd");
        Files.writeString(
                script,
                """
                #!/bin/sh
                [ "$1" != -C ] || exit 2
                PATH=${PATH#*:}:/usr/sbin:/usr/local/sbin
                exec varnishd "$@"
                """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return bin;
    }

    @Test
    void start_badFlags_listsAllMistakesAndExitsWith2() throws Exception {
        try (RunningCommand command = orestes.run(
                "varnish",
                "--listen",
                "nonsense",
                "--backend",
                "127.0.0.1:0",
                "--memory=3",
                "--what",
                "x",
                "--listen")) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(2);
            assertThat(command.errors())
                    .contains("--listen needs a value", "--backend is not", "--memory is not", "unknown flag: --what");
            assertThat(temp).isEmptyDirectory();
        }
    }

    @Test
    void start_portTaken_exitsWith5() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            try (RunningCommand command = orestes.run("varnish", "--listen", address, "--backend", NOWHERE)) {
                int exitCode = command.exitCode();

                assertThat(exitCode).isEqualTo(5);
                assertThat(command.errors()).contains(address);
                assertThat(temp).isEmptyDirectory();
            }
        }
    }
}

package io.orestes.system;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher's choice of Java: 17 or newer, from JAVA_HOME, then from the PATH; and the effect of
 * JAVA_OPTS.
 */
final class JavaChoiceTest {

    private static final String PATH = System.getenv("PATH");

    private final Launcher orestes = Launcher.here();

    private final Path temp;

    JavaChoiceTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void start_onlyOldJavas_exitsWith2AndNamesWhatItFound() throws Exception {
        Path home = oldJava("jdk-11", "11.0.2");
        Path onPath = oldJava("jdk-8", "1.8.0_402").resolve("bin");

        try (RunningCommand command = orestes.with("JAVA_HOME", home.toString())
                .with("PATH", onPath + ":/usr/bin:/bin")
                .run("start")) {
            int exitCode = command.exitCode();

            assertThat(exitCode).isEqualTo(2);
            assertThat(command.errors())
                    .contains("Java 17 or newer is needed", home + "/bin/java (Java 11)", onPath + "/java (Java 8)");
        }
    }

    @Test
    void start_oldJavaHome_takesTheOneOnThePath() throws Exception {
        Path home = oldJava("jdk-11", "11.0.2");
        Path current = Path.of(System.getProperty("java.home"), "bin");

        try (ServerProcess server = orestes.with("JAVA_HOME", home.toString())
                .with("PATH", current + ":" + PATH)
                .start(temp.resolve("data"))) {
            server.stop();
        }
    }

    @Test
    void start_missingJavaHome_takesTheOneOnThePath() throws Exception {
        Path current = Path.of(System.getProperty("java.home"), "bin");

        try (ServerProcess server = orestes.with("JAVA_HOME", "/nowhere")
                .with("PATH", current + ":" + PATH)
                .start(temp.resolve("data"))) {
            server.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-Xmx256m -XX:+UseG1GC"})
    void start_javaOptsNameACollector_itIsTakenInPlaceOfOurs(String options) throws Exception {
        try (ServerProcess server = orestes.with("JAVA_OPTS", options).start(temp.resolve("data"))) {
            server.stop();
        }
    }

    /** Creates a Java that has only the release file and a program that does nothing. */
    private Path oldJava(String name, String version) throws IOException {
        Path home = Files.createDirectories(temp.resolve(name));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Files.createDirectory(home.resolve("bin"));
        Path program = Files.createFile(home.resolve("bin/java"), asFileAttribute(fromString("rwxr-xr-x")));
        Files.writeString(program, "#!/bin/sh\nexit 1\n");
        return home;
    }
}

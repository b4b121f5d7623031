package io.orestes.support.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A way to call {@code ./orestes}: from which folder, under which name, in which environment.
 * Immutable.
 *
 * @param script the launcher or a link to it
 * @param folder the working directory
 * @param environment variables added to those of this process, from which all of Orestes' own are
 *     removed
 */
public record Launcher(Path script, Path folder, Map<String, String> environment) {

    /** The root folder of the repository under test. */
    public static final Path ROOT = Path.of(System.getProperty("orestes.root", "../.."))
            .toAbsolutePath()
            .normalize();

    /** The variable whose flags are added to those of this process. */
    private static final String JVM_FLAGS = "JAVA_OPTS";

    private static final @Nullable String MONGO = System.getenv("ORESTES_TEST_MONGO");

    public Launcher {
        environment = Map.copyOf(environment);
    }

    /** Returns the launcher as called from the repository's own folder. */
    public static Launcher here() {
        return new Launcher(ROOT.resolve("orestes"), ROOT, Map.of());
    }

    public Launcher from(Path workingDirectory) {
        return new Launcher(script, workingDirectory, environment);
    }

    public Launcher calledAs(Path link) {
        return new Launcher(link, folder, environment);
    }

    public Launcher with(String variable, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.put(variable, value);
        return new Launcher(script, folder, changed);
    }

    /** Runs a command without waiting. */
    public RunningCommand run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ORESTES_"));
        environment.forEach((name, value) -> builder.environment()
                .merge(name, value, (inherited, own) -> name.equals(JVM_FLAGS) ? inherited + " " + own : own));
        try {
            return new RunningCommand(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a server on a free port and waits until it is ready. If {@code ORESTES_TEST_MONGO} is
     * the address of a MongoDB, without a database, each data folder has one of its own there.
     */
    public ServerProcess start(Path data, String... flags) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("start", "--port", "0", "--data", data.toString()));
        if (MONGO != null) {
            arguments.addAll(List.of("--mongo", MONGO + "/d" + UUID.nameUUIDFromBytes(bytes(data))));
        }
        arguments.addAll(List.of(flags));
        return ServerProcess.whenReady(run(arguments.toArray(String[]::new)));
    }

    private static byte[] bytes(Path data) {
        return data.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
    }
}

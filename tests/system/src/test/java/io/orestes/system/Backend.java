package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A running server with an administrator, for tests of its interface. Each test creates the classes
 * it needs.
 */
public final class Backend implements AutoCloseable {

    /** Password of the user root. */
    public static final String ROOT_PASSWORD = "correct horse";

    private static final Pattern PAUSE = Pattern.compile(
            ".*BlockedThreadChecker: .* has been blocked for [2-9]\\d{3} ms.*|.*VertxException: Thread blocked.*");

    private final ServerProcess server;
    private final Runnable clearing;
    private final Client anonymous;
    private final Client root;
    private final AtomicInteger classes = new AtomicInteger();
    private int readOfLog;

    private Backend(ServerProcess server, Runnable clearing) {
        this.server = server;
        this.clearing = clearing;
        this.anonymous = Client.anonymous(server);
        this.root = anonymous.login("root", ROOT_PASSWORD);
    }

    /** Starts a server with an empty data folder of its own. */
    public static Backend start() {
        try {
            Path folder = Files.createTempDirectory("orestes-system-");
            // tests put shared caches of their own before it and purge them themselves
            ServerProcess server = Launcher.here()
                    .start(folder.resolve("data"), "--root-password", ROOT_PASSWORD, "--caching.share-queries");
            return new Backend(server, () -> delete(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Returns the backend of a server that was started elsewhere, with {@link #ROOT_PASSWORD}; its
     * data are removed there, too.
     */
    public static Backend of(ServerProcess server) {
        return new Backend(server, () -> {});
    }

    public ServerProcess server() {
        return server;
    }

    public Client anonymous() {
        return anonymous;
    }

    public Client root() {
        return root;
    }

    /**
     * Creates a class with a name of its own, and returns the name; names and types of its fields
     * alternate.
     */
    public String newClass(String... namesAndTypes) {
        String name = "Thing" + classes.incrementAndGet();
        String fields = IntStream.range(0, namesAndTypes.length / 2)
                .mapToObj(i -> "\"%1$s\":{\"name\":\"%1$s\",\"type\":\"/db/%2$s\"}"
                        .formatted(namesAndTypes[2 * i], namesAndTypes[2 * i + 1]))
                .collect(Collectors.joining(","));
        Answer created = root.post("/schema", "{\"class\":\"/db/%s\",\"fields\":{%s}}".formatted(name, fields));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return name;
    }

    /** Fails if the server does not serve, or has logged a problem since the last call. */
    void assertUnharmed() {
        assertThat(anonymous.get("/-/ready").status()).isEqualTo(200);
        String log = server.command().errors();
        String news = log.substring(readOfLog);
        readOfLog = log.length();
        assertThat(withoutPauses(news)).doesNotContain("WARN", "ERROR", "Exception");
    }

    /**
     * Returns the log without pauses of less than ten seconds. On a busy machine a thread waits for
     * a processor in the midst of its work, and Vert.x reports that as work of the thread.
     */
    private static String withoutPauses(String log) {
        return PAUSE.matcher(log).replaceAll("");
    }

    @Override
    public void close() {
        server.close();
        clearing.run();
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

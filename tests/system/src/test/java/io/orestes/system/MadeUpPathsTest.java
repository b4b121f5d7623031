package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Callers invent names of files: a server that remembered all of them would run out of memory and
 * end.
 */
final class MadeUpPathsTest {

    /** Number of paths, which together exceed the heap. */
    private static final int PATHS = 10_000;

    private static final String PADDING = "a".repeat(15_000);

    private final Path temp;

    MadeUpPathsTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void pages_thatAreNotThere_takeNoMemory() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (ServerProcess server = Launcher.here().with("JAVA_OPTS", "-Xmx96m").start(temp.resolve("data"))) {
            for (int i = 0; i < PATHS; i++) {
                URI page = server.base().resolve("/dashboard/" + i + PADDING);
                int status = client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
                        .statusCode();
                assertThat(status).isEqualTo(404);
            }
            server.stop();
        }
    }
}

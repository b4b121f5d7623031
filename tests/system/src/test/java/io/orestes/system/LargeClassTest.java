package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A class that is larger than the server's heap is imported and exported as a whole, by one request
 * each.
 */
final class LargeClassTest {

    private static final String HEAP = "-Xmx80m";

    /** Objects of 120 MB in all. */
    private static final int OBJECTS = 30_000;

    private static final String TEXT = "x".repeat(4_000);

    private final Path temp;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    LargeClassTest(@TempDir Path temp) {
        this.temp = temp;
    }

    @Test
    void classLargerThanTheHeap_isImportedListedExportedAndImportedAgain() throws Exception {
        try (ServerProcess server =
                Launcher.here().with("JAVA_OPTS", HEAP).start(temp.resolve("data"), "--root-password", "root")) {
            Client root = Client.anonymous(server).login("root", "root");
            Answer created = root.put(
                    "/schema/Item",
                    """
                    {"class":"/db/Item","fields":{"text":{"name":"text","type":"/db/String"}}}
                    """);
            assertThat(created.status()).isEqualTo(200);

            assertThat(imported(root, objects())).isEqualToIgnoringWhitespace("[]");
            assertThat(root.get("/db/Item/ids").array()).hasSize(OBJECTS);
            assertThat(root.get("/db/Item/ids?start=" + (OBJECTS - 1)).text()).isEqualTo("[\"/db/Item/k129999\"]");
            Path export = exported(root);
            assertThat(Files.size(export)).isGreaterThan(OBJECTS * (long) TEXT.length());
            assertThat(imported(root, export)).isEqualToIgnoringWhitespace("[]");
            server.stop();
        }
    }

    private Path objects() throws IOException {
        Path file = temp.resolve("objects.json");
        try (BufferedWriter text = Files.newBufferedWriter(file)) {
            for (int i = 0; i < OBJECTS; i++) {
                text.write(i == 0 ? "[" : ",");
                text.write("{\"id\":\"/db/Item/k" + (100_000 + i) + "\",\"text\":\"" + TEXT + "\"}");
            }
            text.write("]");
        }
        return file;
    }

    private String imported(Client root, Path file) throws IOException, InterruptedException {
        HttpRequest request = root.open("/db/Item", "Content-Type", "application/json")
                .PUT(BodyPublishers.ofFile(file))
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    private Path exported(Client root) throws IOException, InterruptedException {
        return http.send(root.open("/db/Item").build(), BodyHandlers.ofFile(temp.resolve("export.json")))
                .body();
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose queries include subclasses, unless a query excludes them. */
final class PolymorphicRuleTest {

    private final ServerProcess server;
    private final Client client;

    PolymorphicRuleTest(@TempDir Path data) throws InterruptedException {
        server = Launcher.here().start(data, "--query.polymorphic", "true", "--root-password", Backend.ROOT_PASSWORD);
        client = Client.anonymous(server);
    }

    @BeforeEach
    void createObjects() {
        Client root = client.login("root", Backend.ROOT_PASSWORD);
        String classes = "[{\"class\":\"/db/Base\",\"fields\":{\"n\":{\"type\":\"/db/Integer\"}}},"
                + "{\"class\":\"/db/Sub\",\"superClass\":\"/db/Base\",\"fields\":{}}]";
        assertThat(root.post("/schema", classes).status()).isEqualTo(200);
        root.insert("Base", "{\"id\":\"/db/Base/a\",\"n\":1}");
        root.insert("Sub", "{\"id\":\"/db/Sub/b\",\"n\":2}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void query_withoutParameter_isAboutSubclassesToo() {
        assertThat(ids("")).containsExactly("/db/Base/a", "/db/Sub/b");
        assertThat(ids("&depth=1")).hasSize(2);
        assertThat(client.query("Base", "{\"n\":2}").ids()).containsExactly("/db/Sub/b");
        assertThat(client.get("/db/Base/count").text()).isEqualTo("{\"count\":2}");
        assertThat(client.get("/db/Base/query?q=%7B%7D").header("cache-control"))
                .hasValue("no-store");
    }

    @Test
    void query_requestedAsExact_isAboutOneClassAndCached() {
        String exact = "/db/Base/query?q=%7B%7D&polymorphic=false";

        assertThat(client.get(exact).ids()).containsExactly("/db/Base/a");
        assertThat(client.get(exact).header("orestes-cache")).hasValue("hit");
        assertThat(client.get("/db/Base/count?polymorphic=false").text()).isEqualTo("{\"count\":1}");
        assertThat(ids("")).hasSize(2);
    }

    private List<String> ids(String parameters) {
        return client.get("/db/Base/query?q=%7B%7D" + parameters).ids();
    }
}

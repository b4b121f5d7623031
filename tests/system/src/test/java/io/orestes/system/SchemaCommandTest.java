package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./orestes schema}: the files of a team, and their application to servers. */
final class SchemaCommandTest {

    private final Path folder;
    private final Backend backend = Backend.start();

    SchemaCommandTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void stopServer() {
        backend.close();
    }

    @Test
    void exportThenDiff_sameServer_findsNothing() throws Exception {
        String bucket = backend.newClass("text", "String", "n", "Integer");

        assertThat(run("export").exit()).isZero();
        String first = Files.readString(file(bucket));
        assertThat(run("export").exit()).isZero();

        assertThat(Files.readString(file(bucket))).isEqualTo(first).contains("\n    \"text\": {\n");
        assertThat(run("diff").exit()).isZero();
    }

    @Test
    void apply_additions_areDoneAndIdempotent() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        assertThat(run("export").exit()).isZero();
        write(
                bucket,
                "{'class': '/db/%s', 'fields': {'n': {'type': '/db/Double', 'order': 0}, 'm': {'type': '/db/Later'}}}");
        write("Later", "{'class': '/db/Later'}");

        Run diff = run("diff");
        Run applied = run("apply");
        Run again = run("apply");

        assertThat(diff.exit()).isEqualTo(1);
        assertThat(diff.lines())
                .contains(
                        "  safe    add class Later",
                        "  safe    add field " + bucket + ".m (/db/Later)",
                        "  safe    change field " + bucket + ".n (/db/Integer to /db/Double)");
        assertThat(applied.exit()).isZero();
        assertThat(again.lines()).containsExactly("nothing to change");
        assertThat(run("diff").exit()).isZero();
    }

    @Test
    void apply_removals_haveToBeForced() throws Exception {
        String bucket = backend.newClass("n", "Integer", "gone", "String");
        String other = backend.newClass("thing", bucket);
        assertThat(run("export").exit()).isZero();
        write(bucket, "{'class': '/db/%s', 'fields': {'n': {'type': '/db/Integer', 'order': 0}}}");
        Files.delete(file(other));

        Run refused = run("apply");

        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.lines())
                .contains(
                        "  unsafe  remove field " + bucket + ".gone",
                        "  unsafe  remove class " + other + " with its objects");
        assertThat(backend.anonymous().get("/schema/" + other).status()).isEqualTo(200);
        assertThat(run("apply", "--force").exit()).isZero();
        assertThat(backend.anonymous().get("/schema/" + other).status()).isEqualTo(461);
        assertThat(run("diff").exit()).isZero();
    }

    @Test
    void apply_migration_isCarriedOutOnceAndRetainsValues() throws Exception {
        String bucket = backend.newClass("old", "String");
        String id = backend.root().insert(bucket, "{\"old\": \"kept\"}");
        assertThat(run("export").exit()).isZero();
        write(bucket, "{'class': '/db/%s', 'fields': {'new': {'type': '/db/String', 'order': 0}}}");
        Files.createDirectories(folder.resolve("migrations"));
        Files.writeString(
                folder.resolve("migrations/0001-rename.json"),
                ("{'changes': [{'operation': 'renameField', 'bucket': '/db/" + bucket
                                + "', 'from': 'old', 'to': 'new'}]}")
                        .replace('\'', '"'));

        assertThat(run("apply").exit()).isEqualTo(1);
        Run applied = run("apply", "--force");
        Run again = run("apply");

        assertThat(applied.exit()).isZero();
        assertThat(applied.lines())
                .contains(
                        "migration 0001-rename",
                        "  unsafe  renameField /db/" + bucket + " old to new",
                        "nothing to change");
        assertThat(again.lines()).containsExactly("nothing to change");
        assertThat(backend.anonymous().get(id).object().getString("new").getValue())
                .isEqualTo("kept");
        assertThat(backend.root().get("/-/migrations").text()).contains("0001-rename");
        assertThat(backend.anonymous().get("/-/migrations").status()).isEqualTo(466);
    }

    @Test
    void run_invalidArguments_exitsWithAnError() throws Exception {
        assertThat(Launcher.here().run("schema").exitCode()).isEqualTo(2);
        assertThat(run("diff").exit()).as("no classes").isEqualTo(1);
        assertThat(run("explode").exit()).isEqualTo(2);
        assertThat(run("export", "--unheard", "x").exit()).isEqualTo(2);
    }

    private Path file(String bucket) {
        return folder.resolve("classes").resolve(bucket + ".json");
    }

    private void write(String bucket, String descriptor) throws IOException {
        Files.writeString(file(bucket), descriptor.formatted(bucket).replace('\'', '"'));
    }

    @Test
    void diff_noServer_namesTheAddress() throws Exception {
        Run diff = runAt("http://127.0.0.1:1/v1", "diff");

        assertThat(diff.exit()).isEqualTo(1);
        assertThat(diff.errors()).contains("No server answers at http://127.0.0.1:1/v1/");
    }

    private Run run(String action, String... flags) throws InterruptedException {
        return runAt(backend.server().base() + "/v1", action, flags);
    }

    private Run runAt(String url, String action, String... flags) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("schema", action, folder.toString(), "--url", url));
        arguments.addAll(List.of(flags));
        try (RunningCommand command = Launcher.here()
                .with("ORESTES_ROOT_PASSWORD", Backend.ROOT_PASSWORD)
                .run(arguments.toArray(String[]::new))) {
            int exit = command.exitCode();
            return new Run(exit, command.output(), command.errors());
        }
    }

    private record Run(int exit, List<String> lines, String errors) {}
}

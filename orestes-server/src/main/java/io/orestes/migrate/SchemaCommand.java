package io.orestes.migrate;

import io.orestes.config.ConfigurationException;
import io.orestes.config.Settings;
import io.orestes.migrate.SchemaFolder.Migration;
import io.orestes.model.ApiException;
import io.orestes.schema.edit.SchemaDiff;
import io.orestes.schema.edit.SchemaDiff.SchemaStep;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The command {@code schema export|diff|apply DIR [--url URL] [--force]}, which compares and
 * applies a schema folder to a server. It logs in with {@code ORESTES_TOKEN}, or as root with
 * {@code ORESTES_ROOT_PASSWORD}. Used once, by one thread.
 */
public final class SchemaCommand {

    /** Exit status: done, or nothing to do. */
    public static final int OK = 0;

    /** Exit status: there are differences, an unsafe step was not forced, or the server refused. */
    public static final int NOT_DONE = 1;

    /** Exit status: invalid command line. */
    public static final int BAD_USAGE = 2;

    private static final String USAGE =
            "usage: schema export|diff|apply DIR [--url http://127.0.0.1:8080/v1] [--force]";

    private final PrintStream out;
    private final SchemaFolder folder;
    private final SchemaClient server;
    private final boolean force;

    private SchemaCommand(PrintStream out, SchemaFolder folder, SchemaClient server, boolean force) {
        this.out = out;
        this.folder = folder;
        this.server = server;
        this.force = force;
    }

    /**
     * Runs the command and returns the exit status.
     *
     * @param arguments arguments behind {@code schema}
     */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        if (arguments.size() < 2 || arguments.get(1).startsWith("--")) {
            err.println(USAGE);
            return BAD_USAGE;
        }
        try {
            SchemaCommand command = command(arguments, environment, out);
            return command.run(arguments.get(0));
        } catch (ConfigurationException wrong) {
            wrong.mistakes().forEach(err::println);
            err.println(USAGE);
            return BAD_USAGE;
        } catch (IOException | ApiException | IllegalArgumentException failure) {
            err.println("schema: " + failure.getMessage());
            return NOT_DONE;
        }
    }

    private static SchemaCommand command(List<String> arguments, Map<String, String> environment, PrintStream out)
            throws IOException, InterruptedException {
        Settings settings = Settings.of(arguments.subList(2, arguments.size()), environment);
        String url = settings.text("url", "http://127.0.0.1:8080/v1");
        boolean force = settings.flag("force");
        Optional<String> token = settings.text("token");
        Optional<String> password = settings.text("root-password");
        settings.verify();
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        SchemaClient server = new SchemaClient(base, token.orElse(null));
        if (token.isEmpty() && password.isPresent()) {
            server.login("root", password.get());
        }
        return new SchemaCommand(out, new SchemaFolder(Path.of(arguments.get(1))), server, force);
    }

    private int run(String action) throws IOException, InterruptedException {
        return switch (action) {
            case "export" -> export();
            case "diff" -> diff();
            case "apply" -> apply();
            default -> {
                out.println(USAGE);
                yield BAD_USAGE;
            }
        };
    }

    private int export() throws IOException, InterruptedException {
        BsonArray schema = server.schema();
        folder.write(schema);
        out.println(schema.size() + " classes written");
        return OK;
    }

    private int diff() throws IOException, InterruptedException {
        List<Migration> pending = pending();
        List<SchemaStep> steps = steps();
        pending.forEach(this::print);
        steps.forEach(this::print);
        if (!pending.isEmpty() && !steps.isEmpty()) {
            out.println("(the changes by the migrations are still among the steps after them)");
        }
        return pending.isEmpty() && steps.isEmpty() ? OK : NOT_DONE;
    }

    private int apply() throws IOException, InterruptedException {
        List<Migration> pending = pending();
        if (!force && pending.stream().anyMatch(migration -> !isSafe(migration))) {
            pending.forEach(this::print);
            return refused();
        }
        for (Migration migration : pending) {
            print(migration);
            server.change(new BsonDocument("operation", new BsonString("migrate"))
                    .append("name", new BsonString(migration.name()))
                    .append("changes", migration.changes()));
        }
        return applySteps();
    }

    /** Applies the remaining steps after the migrations. */
    private int applySteps() throws IOException, InterruptedException {
        List<SchemaStep> steps = steps();
        steps.forEach(this::print);
        if (!force && steps.stream().anyMatch(step -> !step.isSafe())) {
            return refused();
        }
        if (!steps.isEmpty()) {
            server.change(
                    new BsonArray(steps.stream().map(SchemaStep::operation).toList()));
        }
        out.println(steps.isEmpty() ? "nothing to change" : steps.size() + " changes made");
        return OK;
    }

    private int refused() {
        out.println("not done: stored objects may prevent it or lose values; --force does it all the same");
        return NOT_DONE;
    }

    private List<SchemaStep> steps() throws IOException, InterruptedException {
        return SchemaDiff.between(server.schema(), folder.descriptors());
    }

    private List<Migration> pending() throws IOException, InterruptedException {
        List<Migration> all = folder.migrations();
        Set<String> applied = all.isEmpty() ? Set.of() : server.migrations();
        return all.stream()
                .filter(migration -> !applied.contains(migration.name()))
                .toList();
    }

    private static Stream<SchemaStep> steps(Migration migration) {
        return migration.changes().stream().map(SchemaStep::of);
    }

    private static boolean isSafe(Migration migration) {
        return steps(migration).allMatch(SchemaStep::isSafe);
    }

    private void print(Migration migration) {
        out.println("migration " + migration.name());
        steps(migration).forEach(this::print);
    }

    private void print(SchemaStep step) {
        out.println((step.isSafe() ? "  safe    " : "  unsafe  ") + step.description());
    }
}

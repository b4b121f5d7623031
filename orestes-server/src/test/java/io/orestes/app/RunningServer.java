package io.orestes.app;

import io.orestes.app.config.ServerConfig;
import io.orestes.config.Settings;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A whole server in this JVM, on a free port of the loopback interface. */
final class RunningServer implements AutoCloseable {

    private final Server server;

    private RunningServer(Server server) {
        this.server = server;
    }

    static RunningServer start(Path data, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--data", data.toString()));
        arguments.addAll(List.of(flags));
        Settings settings = Settings.of(arguments, Map.of());
        ServerConfig config = ServerConfig.read(settings);
        settings.verify();
        return new RunningServer(await(Server.start(config)));
    }

    Server server() {
        return server;
    }

    @Override
    public void close() {
        await(server.stop());
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError("Did not complete", failure);
        }
    }
}

package io.orestes.app;

import io.orestes.app.config.ServerConfig;
import io.orestes.cluster.StartupRetry;
import io.orestes.cluster.UnusableGroupException;
import io.orestes.config.ConfigurationException;
import io.orestes.config.Settings;
import io.orestes.migrate.SchemaCommand;
import io.orestes.store.embedded.database.StoreOpenException;
import io.orestes.store.mongo.probe.UnusableServerException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry point of the process, which starts and stops the server or runs the command {@code
 * schema}. It stops the server on SIGTERM and SIGINT.
 */
public final class Main {

    private static final Logger log = LoggerFactory.getLogger(Main.class);

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private Main() {}

    /** Prints one line that begins with {@code ready on http://} once requests are accepted. */
    public static void main(String[] arguments) {
        try {
            if (arguments.length > 0 && arguments[0].equals("schema")) {
                List<String> rest = List.of(arguments).subList(1, arguments.length);
                System.exit(SchemaCommand.run(rest, System.getenv(), System.out, System.err));
            }
            start(configuration(arguments));
        } catch (ConfigurationException wrong) {
            wrong.mistakes().forEach(mistake -> System.err.println("configuration: " + mistake));
            System.exit(ExitCode.BAD_CONFIGURATION.status());
        } catch (ExecutionException | RuntimeException failure) {
            System.exit(report(failure).status());
        } catch (InterruptedException | TimeoutException gaveUp) {
            log.error("The server did not start in time", gaveUp);
            System.exit(ExitCode.FAILED.status());
        }
    }

    private static ServerConfig configuration(String[] arguments) {
        Settings settings = Settings.of(List.of(arguments), System.getenv());
        ServerConfig config = ServerConfig.read(settings);
        settings.verify();
        return config;
    }

    private static void start(ServerConfig config) throws ExecutionException, InterruptedException, TimeoutException {
        Server server = new StartupRetry(START_LIMIT).await(() -> Server.start(config));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
        server.setupToken()
                .ifPresent(token ->
                        System.out.println("set the root password at " + server.url() + "/dashboard/#setup=" + token));
        System.out.println("ready on " + server.url() + " (data in " + config.storeLocation() + ")");
    }

    /**
     * Stops the server. A JVM that ends by a signal exits with the signal's status, but a drained
     * server exits with 0.
     */
    private static void stop(Server server) {
        try {
            server.stop().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
            Runtime.getRuntime().halt(ExitCode.OK.status());
        } catch (ExecutionException | InterruptedException | TimeoutException failure) {
            log.error("The server did not stop cleanly", failure);
            Runtime.getRuntime().halt(ExitCode.FAILED.status());
        }
    }

    private static ExitCode report(Throwable failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreOpenException unusable) {
            System.err.println(unusable.getMessage());
            return exitCode(unusable);
        }
        if (cause instanceof UnusableServerException unusable) {
            System.err.println(unusable.getMessage());
            return ExitCode.STORE_UNUSABLE;
        }
        if (cause instanceof UnusableGroupException unusable) {
            System.err.println(unusable.getMessage());
            return ExitCode.GROUP_UNUSABLE;
        }
        if (cause instanceof BindException) {
            System.err.println("The address is in use or not ours, " + cause.getMessage());
            return ExitCode.ADDRESS_IN_USE;
        }
        log.error("The server did not start", cause);
        return ExitCode.FAILED;
    }

    private static ExitCode exitCode(StoreOpenException unusable) {
        return unusable.reason() == StoreOpenException.Reason.LOCKED ? ExitCode.DATA_IN_USE : ExitCode.DATA_DAMAGED;
    }
}

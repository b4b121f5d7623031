package io.orestes.app;

import io.orestes.app.config.ServerConfig;
import io.orestes.app.module.DataModule;
import io.orestes.app.module.Platform;
import io.orestes.app.module.ServerModules;
import io.orestes.app.module.StorageModule;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One running server: the order in which its modules are opened, started and stopped. */
final class Server {

    private final ServerModules modules;
    private final @Nullable String setupToken;

    private Server(ServerModules modules, @Nullable String setupToken) {
        this.modules = modules;
        this.setupToken = setupToken;
    }

    /**
     * Starts a server; completes when requests are accepted. A failed start releases all resources.
     */
    static Future<Server> start(ServerConfig config) {
        Platform platform = Platform.create(config);
        return platform.closeOnFailure(() -> StorageModule.open(platform)
                .compose(storage -> DataModule.open(platform, storage))
                .compose(data -> create(platform, data))
                .compose(Server::start));
    }

    private static Future<ServerModules> create(Platform platform, DataModule data) {
        return Future.succeededFuture(data)
                .map(opened -> ServerModules.create(platform, opened))
                .recover(failure -> data.close().transform(closed -> Future.failedFuture(failure)));
    }

    private static Future<Server> start(ServerModules modules) {
        return Future.succeededFuture(modules)
                .compose(created -> {
                    created.startPeriodicTasks();
                    return created.replication().enterGroup();
                })
                .onSuccess(entered -> modules.replication().startFeed())
                .compose(entered -> modules.data().group().prepareCommits())
                .compose(prepared -> modules.services().users().createBuiltInAccounts())
                .compose(token -> modules.createDemoData().map(token))
                .compose(token -> modules.http().listen().map(token))
                .map(token -> new Server(modules, token.orElse(null)))
                .recover(failure -> release(modules).transform(released -> Future.failedFuture(failure)));
    }

    private static Future<Void> release(ServerModules modules) {
        return modules.http()
                .drain()
                .onComplete(left -> modules.services().live().refuseSubscribers())
                .compose(left -> modules.http().stop())
                .compose(closed -> modules.replication().stopFeed())
                .compose(stopped -> modules.data().matching().stop())
                .onSuccess(closed -> modules.services().read().invalidateCachedQueries())
                .compose(closed -> modules.data().group().leave())
                .compose(left -> modules.data().saveSketch())
                .compose(saved -> modules.data().storage().close());
    }

    /** Stops to accept requests, completes those under way, and releases all resources. */
    Future<Void> stop() {
        return modules.platform().closeAfter(release(modules));
    }

    /** Returns the base of all URLs, without a slash at the end. */
    String url() {
        return modules.http().url();
    }

    /** Returns every method and path of the interface, e.g. {@code GET /db/:bucket}. */
    List<String> endpoints() {
        return modules.http().endpoints();
    }

    /**
     * Returns the token with which the first administrator sets the root password; absent if it was
     * set at the start.
     */
    Optional<String> setupToken() {
        return Optional.ofNullable(setupToken);
    }
}

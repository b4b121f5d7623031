package io.orestes.app.module;

import io.orestes.async.FixedDelay;
import io.orestes.demo.DemoData;
import io.orestes.http.HttpVerticles;
import io.orestes.invalidb.InvalidbClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/** The modules of one server, each after those that it uses. */
public record ServerModules(
        Platform platform,
        DataModule data,
        ServiceModules services,
        ReplicationReceiverModule replication,
        HttpModule http) {

    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);
    private static final Duration COMMIT_SWEEP_INTERVAL = Duration.ofMinutes(1);
    private static final Duration CATCH_UP_INTERVAL = Duration.ofSeconds(10);

    /** Creates the modules that use the data modules. */
    public static ServerModules create(Platform platform, DataModule data) {
        HttpVerticles verticles = new HttpVerticles(platform.vertx());
        ServiceModules services = ServiceModules.create(platform, data, () -> {
            var unused = verticles.disconnectSubscribers();
        });
        ReplicationReceiverModule replication =
                ReplicationReceiverModule.create(platform, data, services.write(), services.derived());
        return new ServerModules(
                platform,
                data,
                services,
                replication,
                HttpModule.create(platform, data, services, replication, verticles));
    }

    /** Starts the tasks that run until the platform is closed. */
    public void startPeriodicTasks() {
        Vertx vertx = platform.vertx();
        InvalidbClient matching = data.matching().client();
        FixedDelay.start(vertx, SWEEP_INTERVAL, this::sweep);
        FixedDelay.start(vertx, COMMIT_SWEEP_INTERVAL, this::sweepCommits);
        if (!data.group().group().isStandalone()) {
            // Reads schema changes whose server may have failed before it announced them.
            FixedDelay.start(vertx, CATCH_UP_INTERVAL, data.schema().follower()::catchUp);
        }
        FixedDelay.start(vertx, platform.config().maxLag().dividedBy(InvalidbClient.MAX_LAG_TICKS), matching::tick);
    }

    private void sweep() {
        data.caching().caches().replica().sweep();
        services.read().cachedQueries().sweep();
        services.live().queries().sweep();
        data.matching().client().sweep();
    }

    /** Drops expired commit records; a failed deletion is repeated the next time. */
    private void sweepCommits() {
        var unused = data.group().commits().deleteExpired();
    }

    /** Creates the sample data, if the configuration asks for it. */
    public Future<Void> createDemoData() {
        return platform.config().demo()
                ? new DemoData(data.schema().registry(), data.storage().store())
                        .create()
                        .mapEmpty()
                : Future.succeededFuture();
    }
}

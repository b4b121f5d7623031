package io.orestes.caching.purge;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Purges every target over a few connections, all of them at the same time. An order counts as done with the target's
 * answer; until then it is tried again, or until no copy can be alive any more. At its start all targets forget everything,
 * as nobody knows what the server before this one left to do. Thread-safe.
 */
public final class Purger implements SharedCaches {

    /** For each target; varnishd answers the purges of one connection one after the other. */
    private static final int CONNECTIONS = 2;

    private final Vertx vertx;
    private final List<List<Lane>> targets;
    private final List<Lane> lanes;

    private Purger(Vertx vertx, List<List<Lane>> targets) {
        this.vertx = vertx;
        this.targets = targets;
        this.lanes = targets.stream().flatMap(List::stream).toList();
    }

    /**
     * Starts to purge; ends with {@code vertx}.
     *
     * @param keptFor the longest life of a copy in a shared cache
     */
    public static Future<SharedCaches> start(
            Vertx vertx, PurgeConfig config, Duration keptFor, MeterRegistry registry) {
        if (config.targets().isEmpty()) {
            return Future.succeededFuture(NONE);
        }
        Purger purger = new Purger(
                vertx,
                config.targets().stream()
                        .map(target -> lanes(config, keptFor, target, registry))
                        .toList());
        return Future.all(purger.lanes.stream()
                        .<Future<?>>map(vertx::deployVerticle)
                        .toList())
                .map(deployed -> purger)
                .compose(started -> started.forgetEverything());
    }

    private static List<Lane> lanes(PurgeConfig config, Duration keptFor, PurgeTarget target, MeterRegistry registry) {
        PurgeMeters meters = new PurgeMeters(registry, target);
        return IntStream.range(0, CONNECTIONS)
                .mapToObj(i -> new Lane(config, keptFor, target, meters))
                .toList();
    }

    private Future<SharedCaches> forgetEverything() {
        purgeBelow(Order.EVERYTHING.path());
        return settled().map(this);
    }

    @Override
    public boolean arePurged() {
        return true;
    }

    @Override
    public void purge(String path) {
        Order order = new Order(path, false);
        int lane = Math.floorMod(path.hashCode(), CONNECTIONS);
        targets.forEach(target -> target.get(lane).add(order));
    }

    @Override
    public void purgeBelow(String path) {
        Order order = new Order(path, true);
        targets.forEach(target -> target.get(0).add(order));
    }

    @Override
    public Future<Void> settled() {
        Stream<Lane> busy = lanes.stream().filter(lane -> !lane.isSettled());
        List<Future<Void>> waits = busy.map(Lane::settled).toList();
        return waits.isEmpty() ? Future.succeededFuture() : onCallersContext(Future.join(waits));
    }

    private Future<Void> onCallersContext(Future<?> settled) {
        Context home = vertx.getOrCreateContext();
        Promise<Void> promise = Promise.promise();
        settled.onComplete(done -> home.runOnContext(here -> promise.complete()));
        return promise.future();
    }
}

package io.orestes.caching.purge;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Purges every target over a few connections, all of them at the same time. An order counts as done with the target's
 * answer; until then it is tried again, or until no copy can be alive any more. At its start all targets forget everything,
 * as nobody knows what the server before this one left to do. Thread-safe.
 */
public final class Purger implements SharedCaches {

    private static final long LOOK_EVERY_MILLIS = 20;

    private final Vertx vertx;
    private final Duration keptFor;

    /** From the first purge to when the second has been answered, or comes too late. */
    private final Duration patience;

    private final List<Told> targets;
    private final List<Lane> lanes;
    private final CountsClient countsClient;

    private Purger(Vertx vertx, PurgeConfig config, Duration keptFor, List<Told> targets) {
        this.countsClient = new CountsClient(vertx, config);
        this.vertx = vertx;
        this.keptFor = keptFor;
        this.patience = config.again().plus(config.deadline().multipliedBy(2));
        this.targets = targets;
        this.lanes = targets.stream().flatMap(told -> told.lanes.stream()).toList();
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
                config,
                keptFor,
                config.targets().stream()
                        .map(target -> told(vertx, config, keptFor, target, registry))
                        .toList());
        return Future.all(purger.lanes.stream()
                        .<Future<?>>map(vertx::deployVerticle)
                        .toList())
                .map(deployed -> purger)
                .compose(started -> started.forgetEverything());
    }

    private static Told told(
            Vertx vertx, PurgeConfig config, Duration keptFor, PurgeTarget target, MeterRegistry registry) {
        PurgeMeters meters = new PurgeMeters(registry, target);
        return new Told(
                target,
                meters,
                IntStream.range(0, target.lanes())
                        .mapToObj(i -> new Lane(vertx, config, keptFor, target, meters))
                        .toList());
    }

    private Future<SharedCaches> forgetEverything() {
        targets.forEach(told -> told.laneOf(Order.EVERYTHING).addFirst(Order.EVERYTHING));
        return settled().map(this);
    }

    @Override
    public boolean arePurged() {
        return true;
    }

    @Override
    public boolean keepLateAnswers() {
        return targets.stream().anyMatch(told -> told.target.keepsLateAnswers());
    }

    @Override
    public void purge(String path) {
        Order order = new Order(path, false);
        targets.forEach(told -> told.add(order));
    }

    @Override
    public void purgeSpelling(String uri) {
        Order order = new Order(uri, false);
        targets.stream().filter(told -> told.target.goesByUrl()).forEach(told -> told.add(order));
    }

    @Override
    public void purgeBelow(String path) {
        Order order = new Order(path, true);
        targets.forEach(told -> told.add(order));
    }

    @Override
    public Future<Void> settled() {
        Stream<Lane> busy = lanes.stream().filter(lane -> !lane.isSettled());
        List<Future<Void>> waits = busy.map(Lane::settled).toList();
        return waits.isEmpty() ? Future.succeededFuture() : onCallersContext(Future.join(waits));
    }

    @Override
    public Future<Boolean> confirmed(Duration longest) {
        long asked = System.nanoTime();
        long[] marks = lanes.stream().mapToLong(Lane::requested).toArray();
        return settled()
                .compose(waited -> haveConfirmed(marks, asked + longest.toNanos()))
                .compose(all -> all ? confirmedAgain(asked, longest.plus(patience)) : Future.succeededFuture(false));
    }

    private Future<Boolean> haveConfirmed(long[] marks, long end) {
        boolean all = haveConfirmed(marks);
        return all || System.nanoTime() - end > 0
                ? Future.succeededFuture(all)
                : vertx.timer(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS).compose(later -> haveConfirmed(marks, end));
    }

    private boolean haveConfirmed(long[] marks) {
        return IntStream.range(0, marks.length).allMatch(i -> lanes.get(i).hasConfirmed(marks[i]));
    }

    /** What was under way during the first purge has been stored by the second, which removes it. */
    private Future<Boolean> confirmedAgain(long asked, Duration longest) {
        return from().compose(from -> from - asked >= 0 || System.nanoTime() - asked > longest.toNanos()
                ? Future.succeededFuture(from - asked >= 0)
                : vertx.timer(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)
                        .compose(later -> confirmedAgain(asked, longest)));
    }

    @Override
    public Future<Optional<Duration>> lag() {
        long asked = System.nanoTime();
        return from().map(from -> Optional.of(Duration.ofNanos(asked - Purge.earlier(asked, from)))
                .filter(lag -> lag.compareTo(keptFor) <= 0));
    }

    @Override
    public List<TargetState> targets() {
        return targets.stream().map(Told::state).toList();
    }

    @Override
    public Future<List<TargetCounts>> counts() {
        return Future.join(targets.stream()
                        .map(told -> countsClient.ask(told.target))
                        .toList())
                .map(answered -> answered.<TargetCounts>list());
    }

    /** The eldest of what {@link Lane#from} says. */
    private Future<Long> from() {
        List<Future<Long>> froms = lanes.stream().map(Lane::from).toList();
        return onCallersContext(Future.join(froms)).map(known -> froms.stream()
                .map(Future::result)
                .reduce(Purge::earlier)
                .orElseThrow());
    }

    private Future<Void> onCallersContext(Future<?> settled) {
        Context home = vertx.getOrCreateContext();
        Promise<Void> promise = Promise.promise();
        settled.onComplete(done -> home.runOnContext(here -> promise.complete()));
        return promise.future();
    }

    /** A target with the lanes to it. */
    private record Told(PurgeTarget target, PurgeMeters meters, List<Lane> lanes) {

        TargetState state() {
            return meters.state(lanes.stream().anyMatch(Lane::isLate));
        }

        /** The same order always goes over the same lane, so that answers come in the order of what was asked. */
        void add(Order order) {
            laneOf(order).add(order);
        }

        private Lane laneOf(Order order) {
            return lanes.get(Math.floorMod(order.path().hashCode(), lanes.size()));
        }
    }
}

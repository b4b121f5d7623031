package io.orestes.caching.purge;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.async.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The implementation of shared caches that sends each purge to every target until the target
 * confirms it. It uses a few parallel connections to each target. A purge is complete when the
 * target confirms it; until then it is repeated as long as any copy can be alive. At the start all
 * targets purge everything, because unfinished purges of the previous process are unknown.
 * Thread-safe.
 */
public final class Purger implements SharedCaches {

    private static final long POLL_INTERVAL_MILLIS = 20;

    private final Vertx vertx;
    private final Duration maxCopyAge;

    /** Time from the first purge to the response to the second one, or its deadline. */
    private final Duration repetitionTimeout;

    private final List<TargetSenders> targets;
    private final List<PurgeSender> lanes;
    private final SharedCacheStatisticsClient sharedCacheCountersClient;

    private Purger(Vertx vertx, PurgeConfig config, Duration maxCopyAge, List<TargetSenders> targets) {
        this.sharedCacheCountersClient = new SharedCacheStatisticsClient(vertx, config);
        this.vertx = vertx;
        this.maxCopyAge = maxCopyAge;
        this.repetitionTimeout = config.repetitionDelay().plus(config.deadline().multipliedBy(2));
        this.targets = targets;
        this.lanes = targets.stream()
                .flatMap(targetSenders -> targetSenders.lanes.stream())
                .toList();
    }

    /**
     * Starts to purge; ends with {@code vertx}.
     *
     * @param maxCopyAge longest life of a copy in a shared cache
     */
    public static Future<SharedCaches> start(
            Vertx vertx, PurgeConfig config, Duration maxCopyAge, MeterRegistry registry) {
        if (config.targets().isEmpty()) {
            return Future.succeededFuture(NONE);
        }
        Purger purger = new Purger(
                vertx,
                config,
                maxCopyAge,
                config.targets().stream()
                        .map(target -> createSenders(vertx, config, maxCopyAge, target, registry))
                        .toList());
        return Future.all(purger.lanes.stream()
                        .<Future<?>>map(vertx::deployVerticle)
                        .toList())
                .map(deployed -> purger)
                .compose(started -> started.forgetEverything());
    }

    private static TargetSenders createSenders(
            Vertx vertx, PurgeConfig config, Duration maxCopyAge, PurgeTarget target, MeterRegistry registry) {
        PurgeMetrics meters = new PurgeMetrics(registry, target);
        return new TargetSenders(
                target,
                meters,
                IntStream.range(0, target.connections())
                        .mapToObj(i -> new PurgeSender(vertx, config, maxCopyAge, target, meters))
                        .toList());
    }

    private Future<SharedCaches> forgetEverything() {
        targets.forEach(
                targetSenders -> targetSenders.laneOf(PurgeRequest.EVERYTHING).addFirst(PurgeRequest.EVERYTHING));
        return awaitConfirmed().map(this);
    }

    @Override
    public boolean isEnabled() {
        return true;
    }

    @Override
    public boolean mayKeepLateResponses() {
        return targets.stream().anyMatch(targetSenders -> targetSenders.target.mayKeepLateResponses());
    }

    @Override
    public void purge(String path) {
        PurgeRequest purgeRequest = new PurgeRequest(path, false);
        targets.forEach(targetSenders -> targetSenders.add(purgeRequest));
    }

    @Override
    public void purgeUrl(String uri) {
        PurgeRequest purgeRequest = new PurgeRequest(uri, false);
        targets.stream()
                .filter(targetSenders -> targetSenders.target.isKeyedByUrl())
                .forEach(targetSenders -> targetSenders.add(purgeRequest));
    }

    @Override
    public void purgePrefix(String path) {
        PurgeRequest purgeRequest = new PurgeRequest(path, true);
        targets.forEach(targetSenders -> targetSenders.add(purgeRequest));
    }

    @Override
    public Future<Void> awaitConfirmed() {
        Stream<PurgeSender> busy = lanes.stream().filter(lane -> !lane.isConfirmedOrLate());
        List<Future<Void>> waits = busy.map(PurgeSender::awaitConfirmed).toList();
        return waits.isEmpty() ? Future.succeededFuture() : onCallersContext(Future.join(waits));
    }

    @Override
    public Future<Boolean> confirmPurges(Duration minWait) {
        long asked = System.nanoTime();
        long[] requestNumbers = lanes.stream().mapToLong(PurgeSender::requested).toArray();
        return awaitConfirmed()
                .compose(waited -> awaitAllConfirmed(requestNumbers, asked + minWait.toNanos()))
                .compose(all ->
                        all ? awaitRepetition(asked, minWait.plus(repetitionTimeout)) : Future.succeededFuture(false));
    }

    private Future<Boolean> awaitAllConfirmed(long[] marks, long end) {
        boolean all = haveConfirmed(marks);
        return all || System.nanoTime() - end > 0
                ? Future.succeededFuture(all)
                : vertx.timer(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)
                        .compose(later -> awaitAllConfirmed(marks, end));
    }

    private boolean haveConfirmed(long[] marks) {
        return IntStream.range(0, marks.length).allMatch(i -> lanes.get(i).hasConfirmed(marks[i]));
    }

    /**
     * Waits for the second purge. Responses that were on their way during the first one are stored
     * by then, and the second removes them.
     */
    private Future<Boolean> awaitRepetition(long asked, Duration maxWait) {
        return oldestReplacedAt()
                .compose(from -> from - asked >= 0 || System.nanoTime() - asked > maxWait.toNanos()
                        ? Future.succeededFuture(from - asked >= 0)
                        : vertx.timer(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)
                                .compose(later -> awaitRepetition(asked, maxWait)));
    }

    @Override
    public Future<Optional<Duration>> lag() {
        long asked = System.nanoTime();
        return oldestReplacedAt().map(from -> Optional.of(Duration.ofNanos(asked - QueuedPurge.earlier(asked, from)))
                .filter(lag -> lag.compareTo(maxCopyAge) <= 0));
    }

    @Override
    public List<PurgeTargetState> targets() {
        return targets.stream().map(TargetSenders::state).toList();
    }

    @Override
    public Future<List<SharedCacheStatistics>> fetchStatistics() {
        return Future.join(targets.stream()
                        .map(targetSenders -> sharedCacheCountersClient.fetch(targetSenders.target))
                        .toList())
                .map(answered -> answered.<SharedCacheStatistics>list());
    }

    /** Returns the earliest {@link PurgeSender#oldestReplacedAt} of all lanes. */
    private Future<Long> oldestReplacedAt() {
        List<Future<Long>> froms =
                lanes.stream().map(PurgeSender::oldestReplacedAt).toList();
        return onCallersContext(Future.join(froms)).map(known -> froms.stream()
                .map(Future::result)
                .reduce(QueuedPurge::earlier)
                .orElseThrow());
    }

    private Future<Void> onCallersContext(Future<?> settled) {
        return Contexts.on(vertx.getOrCreateContext(), settled).<Void>mapEmpty().otherwiseEmpty();
    }

    /** A purge target with its metrics and the senders that serve it. */
    private record TargetSenders(PurgeTarget target, PurgeMetrics meters, List<PurgeSender> lanes) {

        PurgeTargetState state() {
            return meters.state(lanes.stream().anyMatch(PurgeSender::isLate));
        }

        /**
         * Queues a request. Equal requests use the same lane, so confirmations arrive in the order
         * of requests.
         */
        void add(PurgeRequest purgeRequest) {
            laneOf(purgeRequest).add(purgeRequest);
        }

        private PurgeSender laneOf(PurgeRequest purgeRequest) {
            return lanes.get(Math.floorMod(purgeRequest.path().hashCode(), lanes.size()));
        }
    }
}

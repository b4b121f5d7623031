package io.orestes.caching.purge;

import io.orestes.async.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sender of purges to one shared cache over one connection, with backlog, retries and
 * confirmations. The connection is opened on demand. After a failure it is opened again with
 * growing pauses. A cache that leaves purges unanswered for two to four seconds counts as failed.
 * {@link #add} and {@link #confirmedNumber} may be called by any thread, everything else runs on
 * its context.
 */
final class PurgeSender extends VerticleBase implements PurgeConnection.PurgeConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(PurgeSender.class);

    static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(20);

    /** Time in ns that exceeds the lifetime of every copy. */
    private static final long UNBOUNDED_NANOS = Duration.ofDays(36_500).toNanos();

    /**
     * Time in ns for which a result of {@link #oldestReplacedAt} is reused, because its computation
     * is linear in the backlog.
     */
    private static final long OLDEST_CACHE_NANOS = Duration.ofMillis(50).toNanos();

    private final PurgeConfig config;
    private final PurgeTarget target;
    private final PurgeMetrics meters;
    private final PurgeBacklog purgeBacklog;
    private final PurgeWaiters purgeWaiters = new PurgeWaiters();
    private final AtomicLong requested = new AtomicLong();
    private volatile long confirmedNumber;

    /**
     * Time until which copies may live whose purge the cache has refused; by
     * {@link System#nanoTime}.
     */
    private volatile long refusedUntil = System.nanoTime();

    private final TargetLagMonitor targetLagMonitor;
    private final PurgeConnectionFactory purgeConnectionFactory;
    private final Backoff breaks;
    private final long keptNanos;
    private @Nullable PurgeConnection connection;
    private boolean isConnecting;
    private boolean isPumpDue;
    private boolean isDeadlineWatched;
    private boolean isRepetitionDue;
    private int counted;
    private long confirmations;
    private long confirmationsBefore = -1;
    private long confirmationsHere;
    private long oldestReplacedAt = System.nanoTime() - UNBOUNDED_NANOS;
    private long fromAskedAt = oldestReplacedAt;

    /** @param maxCopyAge the longest life of a copy */
    PurgeSender(Vertx vertx, PurgeConfig config, Duration maxCopyAge, PurgeTarget target, PurgeMetrics meters) {
        this.config = config;
        this.target = target;
        this.meters = meters;
        this.keptNanos = maxCopyAge.toNanos();
        this.purgeBacklog = new PurgeBacklog(
                config.backlog(), keptNanos, config.repetitionDelay().toNanos());
        this.targetLagMonitor = new TargetLagMonitor(vertx, target);
        this.purgeConnectionFactory = target.connector(vertx, config);
        this.breaks = new Backoff(MIN_RETRY_DELAY, target.maxRetryDelay(), new SplittableRandom());
    }

    @Override
    public Future<?> start() {
        var ignored = vertx.setPeriodic(RESPONSE_TIMEOUT.toMillis(), timer -> closeIfSilent());
        return Future.succeededFuture();
    }

    void add(PurgeRequest purgeRequest) {
        add(purgeRequest, System.nanoTime());
    }

    /** Adds a request to a cache that may have unknown copies of any age. */
    void addFirst(PurgeRequest purgeRequest) {
        add(purgeRequest, System.nanoTime() - UNBOUNDED_NANOS);
    }

    private void add(PurgeRequest purgeRequest, long from) {
        requested.incrementAndGet();
        context.runOnContext(ready -> {
            purgeBacklog.add(purgeRequest, System.nanoTime(), from);
            count();
            pumpSoon();
        });
    }

    /**
     * Returns whether there is nothing to wait for: all requests were confirmed, or the cache lags.
     */
    boolean isConfirmedOrLate() {
        return targetLagMonitor.isOn() || requested.get() <= confirmedNumber;
    }

    /** Returns whether the cache lags, so that writes do not wait for it. */
    boolean isLate() {
        return targetLagMonitor.isOn();
    }

    /** Returns the number of added requests, which is the number of the latest one. */
    long requested() {
        return requested.get();
    }

    /**
     * Returns whether the cache has confirmed the requests up to {@code number}, regardless of its
     * lag. False while it may retain copies whose purge it refused, because later requests need not
     * repeat them.
     */
    boolean hasConfirmed(long number) {
        return confirmedNumber >= number && System.nanoTime() - refusedUntil >= 0;
    }

    /**
     * Returns since when a state may have been replaced that the cache still retains or will store
     * once more, by {@link System#nanoTime}. It covers everything added before this call. The cache
     * has confirmed all older purges twice. Succeeds on this lane's context.
     */
    Future<Long> oldestReplacedAt() {
        long asked = System.nanoTime();
        Promise<Long> promise = Promise.promise();
        context.runOnContext(ready -> promise.complete(oldestReplacedAt(asked)));
        return promise.future();
    }

    /**
     * Computes the value exactly if the backlog is empty, because a reused one would report a short
     * lag.
     */
    private long oldestReplacedAt(long asked) {
        boolean isUpToDate = purgeBacklog.isIdle() && asked - refusedUntil >= 0;
        if (isUpToDate || asked - fromAskedAt > OLDEST_CACHE_NANOS) {
            oldestReplacedAt =
                    asked - refusedUntil < 0 ? asked - UNBOUNDED_NANOS : purgeBacklog.oldestReplacedAt(asked);
            fromAskedAt = asked;
        }
        return oldestReplacedAt;
    }

    /**
     * Succeeds on this lane's context when all earlier requests were confirmed, or the deadline has
     * passed.
     */
    Future<Void> awaitConfirmed() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(ready -> await(promise));
        return promise.future();
    }

    private void await(Promise<Void> promise) {
        if (targetLagMonitor.isOn() || purgeBacklog.last() <= confirmedNumber) {
            promise.complete();
            return;
        }
        purgeWaiters.add(
                purgeBacklog.last(), System.nanoTime() + config.deadline().toNanos(), promise);
        watchDeadline();
    }

    private void watchDeadline() {
        if (!isDeadlineWatched && !purgeWaiters.isEmpty()) {
            isDeadlineWatched = true;
            var ignored = vertx.setTimer(millis(purgeWaiters.left(System.nanoTime())), timer -> deadline());
        }
    }

    private void deadline() {
        isDeadlineWatched = false;
        if (!purgeWaiters.isEmpty() && purgeWaiters.left(System.nanoTime()) <= 0) {
            beginLag("does not respond in time");
        }
        watchDeadline();
    }

    /** Sends all requests of one turn of the event loop with one system call. */
    private void pumpSoon() {
        if (!isPumpDue) {
            isPumpDue = true;
            context.runOnContext(turn -> pump());
        }
    }

    private void pump() {
        isPumpDue = false;
        if (connection != null) {
            send(connection);
        } else if (purgeBacklog.hasWaiting()) {
            connect();
        }
        count();
    }

    private void count() {
        meters.addToBacklog(purgeBacklog.size() - counted);
        counted = purgeBacklog.size();
        reportAbandoned(purgeBacklog.takeOutlivedCount(), "was not reached before the last copy expired");
    }

    private void send(PurgeConnection open) {
        List<PurgeRequest> orders = new ArrayList<>();
        int room = target.remainingSendWindow(purgeBacklog.sentCount());
        while (purgeBacklog.hasWaiting() && orders.size() < room) {
            purgeBacklog.next(System.nanoTime()).map(QueuedPurge::order).ifPresent(orders::add);
        }
        orders.forEach(meters::countSent);
        if (!orders.isEmpty()) {
            open.send(orders);
        }
        progress();
    }

    private void connect() {
        if (!isConnecting) {
            isConnecting = true;
            purgeConnectionFactory.open(this).onComplete(this::connected, failure -> pause());
        }
    }

    private void connected(PurgeConnection open) {
        isConnecting = false;
        confirmationsHere = 0;
        connection = open;
        pumpSoon();
    }

    @Override
    public void onConfirmed(int orders) {
        long now = System.nanoTime();
        for (int i = 0; i < orders; i++) {
            meters.countConfirmed(now - purgeBacklog.confirmOldest(now).since());
        }
        answered(orders);
        repeatLater();
    }

    @Override
    public void onRefused(int orders, String why) {
        for (int i = 0; i < orders; i++) {
            purgeBacklog.abandonOldest();
        }
        refusedUntil = System.nanoTime() + keptNanos;
        reportAbandoned(orders, why);
        answered(orders);
    }

    private void answered(int orders) {
        confirmations += orders;
        confirmationsHere += orders;
        progress();
        pumpSoon();
    }

    /** Clients with a filter lose nothing: it contains stale keys as long as copies may live. */
    private void reportAbandoned(int orders, String why) {
        if (orders > 0) {
            meters.countGivenUp(orders);
            log.error("The shared cache {} {}: {} purges are given up", target, why, orders);
        }
    }

    @Override
    public void onFailed(String why) {
        beginLag(why);
    }

    private void progress() {
        confirmedNumber = Math.max(confirmedNumber, purgeBacklog.confirmedUpTo());
        purgeWaiters.completeUpTo(confirmedNumber);
        if (targetLagMonitor.isOn()
                && confirmationsHere > 0
                && purgeBacklog.ageNanos(System.nanoTime()) <= config.deadline().toNanos()) {
            targetLagMonitor.end();
        }
    }

    private void repeatLater() {
        if (!isRepetitionDue && purgeBacklog.nextRepetition().isPresent()) {
            isRepetitionDue = true;
            long due = purgeBacklog.nextRepetition().getAsLong();
            var ignored = vertx.setTimer(millis(due - System.nanoTime()), timer -> repeat());
        }
    }

    private void repeat() {
        isRepetitionDue = false;
        purgeBacklog.repeatDue(System.nanoTime());
        repeatLater();
        pumpSoon();
    }

    @Override
    public void onClosed() {
        connection = null;
        meters.countFailed(purgeBacklog.sentCount());
        purgeBacklog.requeueSent();
        if (confirmationsHere > 0) {
            breaks.reset();
            pumpSoon();
        } else if (purgeBacklog.hasWaiting()) {
            pause();
        }
    }

    private void pause() {
        isConnecting = true;
        beginLag("cannot be reached or does not respond");
        var ignored = vertx.setTimer(breaks.nextDelayMillis(), timer -> {
            isConnecting = false;
            pumpSoon();
        });
    }

    private void closeIfSilent() {
        if (purgeBacklog.sentCount() > 0 && confirmations == confirmationsBefore && connection != null) {
            connection.close();
        }
        confirmationsBefore = purgeBacklog.sentCount() > 0 ? confirmations : -1;
    }

    private void beginLag(String why) {
        targetLagMonitor.begin(why);
        purgeWaiters.completeAll();
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
}

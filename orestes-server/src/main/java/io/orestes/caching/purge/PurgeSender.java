package io.orestes.caching.purge;

import io.orestes.async.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sender of purges to one shared cache over one connection, with backlog, retries and
 * confirmations. The connection is opened when there is something to send. After a failure it is
 * opened again and again, with breaks that grow. A cache that leaves purges unanswered for two to
 * four seconds counts as failed. {@link #add} and {@link #settled} may be called by any thread, all
 * else happens on its context.
 */
final class PurgeSender extends VerticleBase implements PurgeConnection.PurgeConnectionListener {

    private static final Logger log = LoggerFactory.getLogger(PurgeSender.class);

    static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_BREAK = Duration.ofMillis(20);

    /** Longer than any copy lives. */
    private static final long EVER = Duration.ofDays(36_500).toNanos();

    /**
     * An answer to {@link #from} is good for that long, as to find it takes a look at all that is
     * left to do.
     */
    private static final long FROM_IS_GOOD_FOR = Duration.ofMillis(50).toNanos();

    private final PurgeConfig config;
    private final PurgeTarget target;
    private final PurgeMetrics meters;
    private final PurgeBacklog purgeBacklog;
    private final PurgeWaiters purgeWaiters = new PurgeWaiters();
    private final AtomicLong requested = new AtomicLong();
    private volatile long settled;

    /**
     * Until then copies may live whose purge the cache has refused; on the clock of {@link
     * System#nanoTime}.
     */
    private volatile long refusedUntil = System.nanoTime();

    private final TargetLag targetLag;
    private final PurgeConnector purgeConnector;
    private final Backoff breaks;
    private final long keptNanos;
    private Optional<PurgeConnection> link = Optional.empty();
    private boolean isConnecting;
    private boolean isPumpDue;
    private boolean isDeadlineWatched;
    private boolean isRepetitionDue;
    private int counted;
    private long confirmations;
    private long confirmationsBefore = -1;
    private long confirmationsHere;
    private long from = System.nanoTime() - EVER;
    private long fromAskedAt = from;

    /** @param keptFor the longest life of a copy */
    PurgeSender(Vertx vertx, PurgeConfig config, Duration keptFor, PurgeTarget target, PurgeMetrics meters) {
        this.config = config;
        this.target = target;
        this.meters = meters;
        this.keptNanos = keptFor.toNanos();
        this.purgeBacklog =
                new PurgeBacklog(config.backlog(), keptNanos, config.again().toNanos());
        this.targetLag = new TargetLag(vertx, target);
        this.purgeConnector = target.dialer(vertx, config);
        this.breaks = new Backoff(SHORTEST_BREAK, target.longestBreak(), new SplittableRandom());
    }

    @Override
    public Future<?> start() {
        var ignored = vertx.setPeriodic(PATIENCE.toMillis(), timer -> closeIfSilent());
        return Future.succeededFuture();
    }

    void add(PurgeRequest purgeRequest) {
        add(purgeRequest, System.nanoTime());
    }

    /** The same if the cache may hold what nobody knows of. */
    void addFirst(PurgeRequest purgeRequest) {
        add(purgeRequest, System.nanoTime() - EVER);
    }

    private void add(PurgeRequest purgeRequest, long from) {
        requested.incrementAndGet();
        context.runOnContext(ready -> {
            purgeBacklog.add(purgeRequest, System.nanoTime(), from);
            count();
            pumpSoon();
        });
    }

    /** Whether there is nothing to wait for: all was confirmed, or the cache is not waited for. */
    boolean isSettled() {
        return targetLag.isOn() || requested.get() <= settled;
    }

    /** Whether the cache is behind, and not waited for. */
    boolean isLate() {
        return targetLag.isOn();
    }

    /** How many orders were added: all that had been when it is asked have a number up to that. */
    long requested() {
        return requested.get();
    }

    /**
     * Whether the cache has confirmed the orders up to that number, waited for or not. As long as
     * it may hold what it refused to forget, it has not: a later order need not name that again.
     */
    boolean hasConfirmed(long number) {
        return settled >= number && System.nanoTime() - refusedUntil >= 0;
    }

    /**
     * Since when something may have been replaced, among all that was added before this call, that
     * the cache still holds or will once more, by the clock of {@link System#nanoTime}: it is told
     * of everything older and has confirmed that twice. Succeeds on this lane's context.
     */
    Future<Long> from() {
        long asked = System.nanoTime();
        Promise<Long> promise = Promise.promise();
        context.runOnContext(ready -> promise.complete(from(asked)));
        return promise.future();
    }

    /**
     * With nothing left to do the answer is exact, as one that is kept would say that the cache is
     * a moment behind.
     */
    private long from(long asked) {
        boolean isUpToDate = purgeBacklog.isDone() && asked - refusedUntil >= 0;
        if (isUpToDate || asked - fromAskedAt > FROM_IS_GOOD_FOR) {
            from = asked - refusedUntil < 0 ? asked - EVER : purgeBacklog.from(asked);
            fromAskedAt = asked;
        }
        return from;
    }

    /**
     * Succeeds on this lane's context when all that was added before was confirmed, or the deadline
     * has passed.
     */
    Future<Void> settled() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(ready -> await(promise));
        return promise.future();
    }

    private void await(Promise<Void> promise) {
        if (targetLag.isOn() || purgeBacklog.last() <= settled) {
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
            lag("does not answer in time");
        }
        watchDeadline();
    }

    /** All that is added in one turn of the event loop is sent with one call of the system. */
    private void pumpSoon() {
        if (!isPumpDue) {
            isPumpDue = true;
            context.runOnContext(turn -> pump());
        }
    }

    private void pump() {
        isPumpDue = false;
        if (link.isPresent()) {
            send(link.get());
        } else if (purgeBacklog.hasWaiting()) {
            connect();
        }
        count();
    }

    private void count() {
        meters.backlogGrew(purgeBacklog.size() - counted);
        counted = purgeBacklog.size();
        giveUp(purgeBacklog.takeOutlivedCount(), "was not reached before the last copy has expired");
    }

    private void send(PurgeConnection open) {
        List<PurgeRequest> orders = new ArrayList<>();
        int room = target.room(purgeBacklog.sentCount());
        while (purgeBacklog.hasWaiting() && orders.size() < room) {
            purgeBacklog.next(System.nanoTime()).map(QueuedPurge::order).ifPresent(orders::add);
        }
        orders.forEach(meters::sent);
        if (!orders.isEmpty()) {
            open.send(orders);
        }
        progress();
    }

    private void connect() {
        if (!isConnecting) {
            isConnecting = true;
            purgeConnector.open(this).onComplete(this::connected, failure -> pause());
        }
    }

    private void connected(PurgeConnection open) {
        isConnecting = false;
        confirmationsHere = 0;
        link = Optional.of(open);
        pumpSoon();
    }

    @Override
    public void confirmed(int orders) {
        long now = System.nanoTime();
        for (int i = 0; i < orders; i++) {
            meters.confirmed(now - purgeBacklog.confirm(now).since());
        }
        answered(orders);
        repeatLater();
    }

    @Override
    public void refused(int orders, String why) {
        for (int i = 0; i < orders; i++) {
            purgeBacklog.giveUp();
        }
        refusedUntil = System.nanoTime() + keptNanos;
        giveUp(orders, why);
        answered(orders);
    }

    private void answered(int orders) {
        confirmations += orders;
        confirmationsHere += orders;
        progress();
        pumpSoon();
    }

    /**
     * Nothing is lost with them for clients with a filter: what is stale is in it for as long as
     * copies may live.
     */
    private void giveUp(int orders, String why) {
        if (orders > 0) {
            meters.dead(orders);
            log.error("The shared cache {} {}: {} purges are given up", target, why, orders);
        }
    }

    @Override
    public void failed(String why) {
        lag(why);
    }

    private void progress() {
        settled = Math.max(settled, purgeBacklog.confirmedUpTo());
        purgeWaiters.confirmed(settled);
        if (targetLag.isOn()
                && confirmationsHere > 0
                && purgeBacklog.ageNanos(System.nanoTime()) <= config.deadline().toNanos()) {
            targetLag.end();
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
    public void closed() {
        link = Optional.empty();
        meters.failed(purgeBacklog.sentCount());
        purgeBacklog.giveBack();
        if (confirmationsHere > 0) {
            breaks.reset();
            pumpSoon();
        } else if (purgeBacklog.hasWaiting()) {
            pause();
        }
    }

    private void pause() {
        isConnecting = true;
        lag("cannot be reached or does not answer");
        var ignored = vertx.setTimer(breaks.nextMillis(), timer -> {
            isConnecting = false;
            pumpSoon();
        });
    }

    private void closeIfSilent() {
        if (purgeBacklog.sentCount() > 0 && confirmations == confirmationsBefore) {
            link.ifPresent(PurgeConnection::close);
        }
        confirmationsBefore = purgeBacklog.sentCount() > 0 ? confirmations : -1;
    }

    private void lag(String why) {
        targetLag.begin(why);
        purgeWaiters.giveUp();
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
}

package io.orestes.caching.purge;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to one cache, with everything that has still to be said over it. It is opened when there is something
 * to say, and after a failure again and again, with breaks that grow; a cache that leaves purges unanswered for two to four
 * seconds counts as failed. {@link #add} and {@link #settled} may be called by any thread, all else happens on its context.
 */
final class Lane extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private static final int WINDOW = 512;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long SHORTEST_BREAK = 20;
    private static final long LONGEST_BREAK = 500;

    private final PurgeConfig config;
    private final PurgeTarget target;
    private final PurgeMeters meters;
    private final Backlog backlog;
    private final Barriers barriers = new Barriers();
    private final AtomicLong requested = new AtomicLong();
    private volatile long settled;
    private volatile boolean isLagging;
    private @Nullable NetClient client;
    private Optional<Connection> connection = Optional.empty();
    private boolean isConnecting;
    private boolean isPumpDue;
    private boolean isDeadlineWatched;
    private boolean isRepetitionDue;
    private int counted;
    private long confirmations;
    private long confirmationsBefore = -1;
    private long confirmationsHere;
    private long pause = SHORTEST_BREAK;

    /** @param keptFor the longest life of a copy */
    Lane(PurgeConfig config, Duration keptFor, PurgeTarget target, PurgeMeters meters) {
        this.config = config;
        this.target = target;
        this.meters = meters;
        this.backlog =
                new Backlog(config.backlog(), keptFor.toNanos(), config.again().toNanos());
    }

    @Override
    public Future<?> start() {
        client = vertx.createNetClient(new NetClientOptions().setConnectTimeout((int) PATIENCE.toMillis()));
        var ignored = vertx.setPeriodic(PATIENCE.toMillis(), timer -> closeIfSilent());
        return Future.succeededFuture();
    }

    void add(Order order) {
        requested.incrementAndGet();
        context.runOnContext(ready -> {
            backlog.add(order, System.nanoTime());
            count();
            pumpSoon();
        });
    }

    /** Whether there is nothing to wait for: all was confirmed, or the cache is not waited for. */
    boolean isSettled() {
        return isLagging || requested.get() <= settled;
    }

    /** Succeeds on this lane's context when all that was added before was confirmed, or the deadline has passed. */
    Future<Void> settled() {
        Promise<Void> promise = Promise.promise();
        context.runOnContext(ready -> await(promise));
        return promise.future();
    }

    private void await(Promise<Void> promise) {
        if (isLagging || backlog.last() <= settled) {
            promise.complete();
            return;
        }
        barriers.add(backlog.last(), System.nanoTime() + config.deadline().toNanos(), promise);
        watchDeadline();
    }

    private void watchDeadline() {
        if (!isDeadlineWatched && !barriers.isEmpty()) {
            isDeadlineWatched = true;
            var ignored = vertx.setTimer(millis(barriers.left(System.nanoTime())), timer -> deadline());
        }
    }

    private void deadline() {
        isDeadlineWatched = false;
        if (!barriers.isEmpty() && barriers.left(System.nanoTime()) <= 0) {
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
        if (connection.isPresent()) {
            send(connection.get());
        } else if (backlog.hasWaiting()) {
            connect();
        }
        count();
    }

    private void count() {
        meters.backlogGrew(backlog.size() - counted);
        counted = backlog.size();
    }

    private void send(Connection open) {
        Buffer requests = Buffer.buffer();
        while (backlog.hasWaiting() && backlog.sentCount() < WINDOW) {
            backlog.next(System.nanoTime()).ifPresent(purge -> {
                open.append(requests, purge.order());
                meters.sent(purge.order());
            });
        }
        if (requests.length() > 0) {
            open.send(requests);
        }
        progress();
    }

    private void connect() {
        if (!isConnecting && client != null) {
            isConnecting = true;
            client.connect(target.port(), target.host()).onComplete(this::connected, failure -> pause());
        }
    }

    private void connected(NetSocket socket) {
        isConnecting = false;
        confirmationsHere = 0;
        connection = Optional.of(new Connection(socket, target, config.secret(), this::answered, this::disconnected));
        pumpSoon();
    }

    private void answered(int status) {
        if (status / 100 != 2 || backlog.sentCount() == 0) {
            lag("answers purges with " + status);
            connection.ifPresent(Connection::close);
            return;
        }
        long now = System.nanoTime();
        meters.confirmed(now - backlog.confirm(now).since());
        confirmations++;
        confirmationsHere++;
        progress();
        repeatLater();
        pumpSoon();
    }

    private void progress() {
        settled = Math.max(settled, backlog.confirmedUpTo());
        barriers.confirmed(settled);
        if (isLagging && confirmationsHere > 0 && !backlog.hasWaiting()) {
            isLagging = false;
            log.info("The shared cache {} has caught up", target);
        }
    }

    private void repeatLater() {
        if (!isRepetitionDue && backlog.nextRepetition().isPresent()) {
            isRepetitionDue = true;
            long due = backlog.nextRepetition().getAsLong();
            var ignored = vertx.setTimer(millis(due - System.nanoTime()), timer -> repeat());
        }
    }

    private void repeat() {
        isRepetitionDue = false;
        backlog.repeatDue(System.nanoTime());
        repeatLater();
        pumpSoon();
    }

    private void disconnected() {
        connection = Optional.empty();
        meters.failed(backlog.sentCount());
        backlog.giveBack();
        if (confirmationsHere > 0) {
            pause = SHORTEST_BREAK;
            pumpSoon();
        } else if (backlog.hasWaiting()) {
            pause();
        }
    }

    private void pause() {
        isConnecting = true;
        lag("cannot be reached or does not answer");
        var ignored = vertx.setTimer(pause, timer -> {
            isConnecting = false;
            pumpSoon();
        });
        pause = Math.min(2 * pause, LONGEST_BREAK);
    }

    private void closeIfSilent() {
        if (backlog.sentCount() > 0 && confirmations == confirmationsBefore) {
            connection.ifPresent(Connection::close);
        }
        confirmationsBefore = backlog.sentCount() > 0 ? confirmations : -1;
    }

    private void lag(String why) {
        if (!isLagging) {
            isLagging = true;
            log.warn("The shared cache {} {}; writes go on without it, and it is told later", target, why);
        }
        barriers.giveUp();
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }
}

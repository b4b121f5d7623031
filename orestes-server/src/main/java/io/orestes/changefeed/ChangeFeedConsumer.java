package io.orestes.changefeed;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.async.Loop;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Term;
import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of the store's change feed, which runs on one elected server and publishes writes of
 * other programs. One server of the group reads the feed and announces to all the writes that no
 * server has announced. It stores its position, from which its successor continues. Writes before a
 * stored position may be announced again, which does no harm. Everything runs on one event loop.
 */
public final class ChangeFeedConsumer {

    private static final Logger log = LoggerFactory.getLogger(ChangeFeedConsumer.class);

    /** Name of the task whose leader reads the feed. */
    public static final String TASK = "change-stream";

    private static final Duration SAVE_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    /**
     * Time for which a reader without connection retries before it withdraws and lets others try.
     */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration CANDIDACY_PAUSE = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);

    private final Vertx vertx;
    private final Context home;
    private final ChangeFeed feed;
    private final RecentWrites known;
    private final ChangeFeedHandler handler;
    private final ChangeReconciler changeReconciler;
    private final ChangeFeedMetrics meters;
    private volatile ChangeFeedConsumerStatus state = ChangeFeedConsumerStatus.FOLLOWING;
    private volatile Coordinator.@Nullable Candidacy candidacy;
    private volatile @Nullable ReadingTerm readingTerm;
    private volatile boolean isStopped;

    public ChangeFeedConsumer(
            Vertx vertx,
            ChangeFeed feed,
            ChangeFeedHandler handler,
            RecentWrites recentWrites,
            MeterRegistry registry) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.feed = feed;
        this.known = recentWrites;
        this.handler = handler;
        this.meters = new ChangeFeedMetrics(registry, () -> state);
        this.changeReconciler = new ChangeReconciler(vertx, feed, handler::publish, recentWrites, meters);
    }

    /** Becomes a candidate, and reads whenever this server is the leader. */
    public void start(Coordinator coordinator) {
        if (!isStopped) {
            candidacy = coordinator.runForLeader(TASK, term -> home.runOnContext(now -> begin(coordinator, term)));
        }
    }

    /** Lets another server continue from the position of this one. */
    public Future<Void> stop() {
        isStopped = true;
        ReadingTerm current = readingTerm;
        Coordinator.Candidacy standing = candidacy;
        Future<Void> ended = current == null ? Future.succeededFuture() : current.end();
        return ended.timeout(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .compose(done -> standing == null ? Future.succeededFuture() : standing.withdraw());
    }

    /** Returns the role of this server and, if it reads, its position in time. */
    public ChangeFeedConsumerStatus state() {
        return state;
    }

    private void begin(Coordinator coordinator, Term term) {
        log.info("This server reads the writes of other programs");
        ReadingTerm begun = new ReadingTerm(coordinator, term);
        readingTerm = begun;
        begun.run();
    }

    /** Withdraws, because another server may reach the store that this one does not. */
    private void pauseCandidacy(Coordinator coordinator) {
        Coordinator.Candidacy standing = candidacy;
        candidacy = null;
        if (standing != null) {
            log.warn("This server leaves the writes of other programs to another server");
            standing.withdraw()
                    .onComplete(withdrawn -> vertx.setTimer(CANDIDACY_PAUSE.toMillis(), later -> start(coordinator)));
        }
    }

    /** One term of this server as the leader that reads the change feed. */
    private final class ReadingTerm {

        private final Coordinator coordinator;
        private final Term term;
        private final Promise<Void> over = Promise.promise();
        private ChangeFeed.@Nullable FeedPosition position;
        private ChangeFeed.@Nullable ChangeFeedReader reader;
        private long keptAtNanos = System.nanoTime();
        private long reachedAtNanos = System.nanoTime();
        private boolean isLocated;
        private boolean isPositionUnsaved;

        private ReadingTerm(Coordinator coordinator, Term term) {
            this.coordinator = coordinator;
            this.term = term;
        }

        private boolean isEnded() {
            return isStopped || !term.isCurrent();
        }

        /** Reads changes again that an earlier term has seen, because its position is uncertain. */
        private void run() {
            known.resetObserved();
            state = ChangeFeedConsumerStatus.INTERRUPTED;
            goOn();
        }

        private void goOn() {
            loadPosition()
                    .compose(known -> open())
                    .compose(opened -> read())
                    .onComplete(done -> home.runOnContext(now -> {
                        if (done.failed()) {
                            interrupted(done.cause());
                        } else {
                            conclude();
                        }
                    }));
        }

        private Future<?> loadPosition() {
            return isLocated
                    ? Future.succeededFuture()
                    : feed.savedPosition().onSuccess(kept -> {
                        position = kept.orElse(null);
                        isLocated = true;
                    });
        }

        private void interrupted(Throwable failure) {
            log.warn(
                    "The writes of other programs cannot be read at the moment: {}",
                    String.valueOf(failure.getMessage()));
            state = ChangeFeedConsumerStatus.INTERRUPTED;
            close();
            if (shouldYield()) {
                conclude();
                pauseCandidacy(coordinator);
                return;
            }
            long unused = vertx.setTimer(RETRY_DELAY.toMillis(), later -> {
                if (isEnded()) {
                    conclude();
                } else {
                    goOn();
                }
            });
        }

        private boolean shouldYield() {
            return !isEnded()
                    && System.nanoTime() - reachedAtNanos > READ_TIMEOUT.toNanos()
                    && coordinator.members().size() > 1;
        }

        private void conclude() {
            close();
            state = ChangeFeedConsumerStatus.FOLLOWING;
            over.tryComplete();
        }

        private void close() {
            ChangeFeed.ChangeFeedReader open = reader;
            reader = null;
            if (open != null) {
                open.close();
            }
        }

        /**
         * Opens the feed. Without a position it starts to read before all caches are dropped, so
         * that no write is missed.
         */
        private Future<Void> open() {
            ChangeFeed.FeedPosition after = position;
            return after == null
                    ? openAnew()
                    : feed.open(after).onSuccess(this::opened).<Void>mapEmpty().recover(this::openAnewIfLost);
        }

        private Future<Void> openAnewIfLost(Throwable failure) {
            if (!(failure instanceof ChangeFeed.PositionLostException)) {
                return Future.failedFuture(failure);
            }
            log.warn("Some writes of other programs are unknown: all caches are dropped", failure);
            meters.countGap();
            close();
            position = null;
            return openAnew();
        }

        private Future<Void> openAnew() {
            return feed.open().compose(open -> {
                opened(open);
                return handler.invalidate("").onSuccess(invalidated -> {
                    position = open.position();
                    isPositionUnsaved = true;
                });
            });
        }

        private void opened(ChangeFeed.ChangeFeedReader open) {
            reader = open;
        }

        /**
         * Reads page after page. The first position is saved before: a successor without one would
         * have to drop all caches again.
         */
        private Future<Void> read() {
            return (isEnded() ? Future.<Void>succeededFuture() : saveUnsavedPosition())
                    .compose(saved -> Loop.whileTrue(this::step))
                    .recover(failure -> failure instanceof ChangeFeed.PositionLostException
                            ? openAnewIfLost(failure).compose(opened -> read())
                            : Future.failedFuture(failure));
        }

        private Future<Boolean> step() {
            ChangeFeed.ChangeFeedReader open = reader;
            if (isEnded() || open == null) {
                return Future.succeededFuture(false);
            }
            long askedAt = System.nanoTime();
            return open.next().compose(page -> process(page)
                    .compose(dealt -> advancePosition(page, askedAt))
                    .map(kept -> true));
        }

        /** Announces a page. The position does not advance before all of it is announced. */
        private Future<?> process(ChangeFeed.ChangePage page) {
            return changeReconciler
                    .reconcile(page.objectWrites()
                            .filter(write -> handler.isClass(write.bucket()))
                            .toList())
                    .compose(checked -> processBulkChanges(page));
        }

        private Future<?> processBulkChanges(ChangeFeed.ChangePage page) {
            Future<?> published = Future.succeededFuture();
            for (ChangeEvent.BulkChangeEvent upheaval :
                    page.bulkChanges().filter(this::concernsUs).toList()) {
                log.warn("Another program dropped or renamed the collection of a class: {}", upheaval.bucket());
                meters.countGap();
                published = published.compose(before -> handler.invalidate(upheaval.bucket()));
            }
            return published;
        }

        private boolean concernsUs(ChangeEvent.BulkChangeEvent upheaval) {
            return upheaval.bucket().isEmpty() || handler.isClass(upheaval.bucket());
        }

        private Future<?> advancePosition(ChangeFeed.ChangePage page, long askedAt) {
            isPositionUnsaved |= !page.end().equals(position);
            position = page.end();
            reachedAtNanos = System.nanoTime();
            if (page.isLast()) {
                state = ChangeFeedConsumerStatus.upTo(askedAt);
            }
            boolean isDue = System.nanoTime() - keptAtNanos >= SAVE_INTERVAL.toNanos();
            return isPositionUnsaved && isDue ? savePosition(page.end()) : Future.succeededFuture();
        }

        private Future<Void> savePosition(ChangeFeed.FeedPosition reached) {
            keptAtNanos = System.nanoTime();
            isPositionUnsaved = false;
            return feed.savePosition(reached).onFailure(failure -> isPositionUnsaved = true);
        }

        private Future<Void> saveUnsavedPosition() {
            ChangeFeed.FeedPosition reached = position;
            return reached != null && isPositionUnsaved ? savePosition(reached) : Future.succeededFuture();
        }

        /** Ends after the current page, and stores the position. */
        private Future<Void> end() {
            return over.future().compose(ended -> saveUnsavedPosition());
        }
    }
}

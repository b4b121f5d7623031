package io.orestes.changefeed;

import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.async.Loop;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Term;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of the store's change feed, which runs on one elected server and publishes writes of
 * other programs. One server of the group reads the feed and announces to all the writes that no
 * server has announced. It stores its position, from which its successor goes on. Writes before a
 * stored position may be announced again, which does no harm. All happens on one event loop.
 */
public final class ChangeFeedConsumer {

    private static final Logger log = LoggerFactory.getLogger(ChangeFeedConsumer.class);

    /** What the server leads that reads. */
    public static final String TASK = "change-stream";

    private static final Duration KEEP_EVERY = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN_AFTER = Duration.ofSeconds(1);

    /**
     * For how long a server that cannot read keeps that to itself, and then lets others try before
     * it stands again.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration STANDS_BACK = Duration.ofSeconds(10);
    private static final Duration LONGEST_END = Duration.ofSeconds(3);

    private final Vertx vertx;
    private final Context home;
    private final ChangeFeed feed;
    private final RecentWrites known;
    private final Predicate<String> isClass;
    private final Function<String, Future<Void>> missed;
    private final ChangeReconciler changeReconciler;
    private final ChangeFeedMetrics meters;
    private volatile ChangeFeedConsumerState state = ChangeFeedConsumerState.FOLLOWING;
    private volatile Coordinator.@Nullable Candidacy candidacy;
    private volatile @Nullable ReadingTerm readingTerm;
    private volatile boolean isStopped;

    /**
     * @param tell tells all servers of something that nobody told of; succeeds when they know
     * @param isClass whether a name is that of a class; other collections are nobody's business
     *     here
     * @param missed has all servers forget what they know of a class, or of all classes if the name
     *     is empty
     */
    public ChangeFeedConsumer(
            Vertx vertx,
            ChangeFeed feed,
            Function<WriteOutcome, Future<Void>> tell,
            RecentWrites known,
            Predicate<String> isClass,
            Function<String, Future<Void>> missed,
            MeterRegistry registry) {
        this.vertx = vertx;
        this.home = vertx.getOrCreateContext();
        this.feed = feed;
        this.known = known;
        this.isClass = isClass;
        this.missed = missed;
        this.meters = new ChangeFeedMetrics(registry, () -> state);
        this.changeReconciler = new ChangeReconciler(vertx, feed, tell, known, meters);
    }

    /** Reads whenever it is this server's turn. */
    public void start(Coordinator coordinator) {
        if (!isStopped) {
            candidacy = coordinator.lead(TASK, term -> home.runOnContext(now -> begin(coordinator, term)));
        }
    }

    /** Lets another server read on, from where this one is. */
    public Future<Void> stop() {
        isStopped = true;
        ReadingTerm current = readingTerm;
        Coordinator.Candidacy standing = candidacy;
        Future<Void> ended = current == null ? Future.succeededFuture() : current.end();
        return ended.timeout(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .compose(done -> standing == null ? Future.succeededFuture() : standing.withdraw());
    }

    /** How far this server is, or that it is not the one that reads. */
    public ChangeFeedConsumerState state() {
        return state;
    }

    private void begin(Coordinator coordinator, Term term) {
        log.info("This server reads what other programs write");
        ReadingTerm begun = new ReadingTerm(coordinator, term);
        readingTerm = begun;
        begun.run();
    }

    /** Another server may reach the store that this one does not. */
    private void leaveToOthers(Coordinator coordinator) {
        Coordinator.Candidacy standing = candidacy;
        candidacy = null;
        if (standing != null) {
            log.warn("This server leaves reading what other programs write to another one");
            standing.withdraw()
                    .onComplete(withdrawn -> vertx.setTimer(STANDS_BACK.toMillis(), later -> start(coordinator)));
        }
    }

    /** One term of this server as the leader that reads the change feed. */
    private final class ReadingTerm {

        private final Coordinator coordinator;
        private final Term term;
        private final Promise<Void> over = Promise.promise();
        private Optional<ChangeFeed.FeedPosition> place = Optional.empty();
        private ChangeFeed.@Nullable ChangeFeedReader reader;
        private long keptAtNanos = System.nanoTime();
        private long reachedAtNanos = System.nanoTime();
        private boolean isLocated;
        private boolean isUnkept;

        private ReadingTerm(Coordinator coordinator, Term term) {
            this.coordinator = coordinator;
            this.term = term;
        }

        private boolean isOver() {
            return isStopped || !term.isCurrent();
        }

        /**
         * What was met before is looked at once more, as nobody knows how far the last one came.
         */
        private void run() {
            known.readAgain();
            state = ChangeFeedConsumerState.INTERRUPTED;
            goOn();
        }

        private void goOn() {
            located()
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

        private Future<?> located() {
            return isLocated
                    ? Future.succeededFuture()
                    : feed.kept().onSuccess(kept -> {
                        place = kept;
                        isLocated = true;
                    });
        }

        private void interrupted(Throwable failure) {
            log.warn(
                    "What other programs write cannot be read at the moment: {}", String.valueOf(failure.getMessage()));
            state = ChangeFeedConsumerState.INTERRUPTED;
            close();
            if (isForOthers()) {
                conclude();
                leaveToOthers(coordinator);
                return;
            }
            long unused = vertx.setTimer(TRY_AGAIN_AFTER.toMillis(), later -> {
                if (isOver()) {
                    conclude();
                } else {
                    goOn();
                }
            });
        }

        private boolean isForOthers() {
            return !isOver()
                    && System.nanoTime() - reachedAtNanos > PATIENCE.toNanos()
                    && coordinator.members().size() > 1;
        }

        private void conclude() {
            close();
            state = ChangeFeedConsumerState.FOLLOWING;
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
         * Where nobody knows what was written since, reading begins before everything is forgotten.
         */
        private Future<Void> open() {
            return place.isEmpty()
                    ? openAnew()
                    : feed.open(place).onSuccess(this::opened).<Void>mapEmpty().recover(this::openAnewIfLost);
        }

        private Future<Void> openAnewIfLost(Throwable failure) {
            if (!(failure instanceof ChangeFeed.PositionLostException)) {
                return Future.failedFuture(failure);
            }
            log.warn("It is not known what other programs have written: everything is forgotten", failure);
            meters.gap();
            close();
            place = Optional.empty();
            return openAnew();
        }

        private Future<Void> openAnew() {
            return feed.open(Optional.empty()).onSuccess(this::opened).compose(opened -> missed.apply(""));
        }

        private void opened(ChangeFeed.ChangeFeedReader open) {
            reader = open;
        }

        private Future<Void> read() {
            return Loop.whileTrue(this::step)
                    .recover(failure -> failure instanceof ChangeFeed.PositionLostException
                            ? openAnewIfLost(failure).compose(opened -> read())
                            : Future.failedFuture(failure));
        }

        private Future<Boolean> step() {
            ChangeFeed.ChangeFeedReader open = reader;
            if (isOver() || open == null) {
                return Future.succeededFuture(false);
            }
            long askedAt = System.nanoTime();
            return open.next()
                    .compose(page ->
                            deal(page).compose(dealt -> arrived(page, askedAt)).map(kept -> true));
        }

        /** The place does not move on before all is told. */
        private Future<?> deal(ChangeFeed.ChangePage page) {
            return changeReconciler
                    .of(page.changes().stream()
                            .filter(ChangeEvent.ObjectWriteEvent.class::isInstance)
                            .map(ChangeEvent.ObjectWriteEvent.class::cast)
                            .filter(write -> isClass.test(write.bucket()))
                            .toList())
                    .compose(checked -> upheavals(page));
        }

        private Future<?> upheavals(ChangeFeed.ChangePage page) {
            Future<?> told = Future.succeededFuture();
            for (ChangeEvent change : page.changes()) {
                if (change instanceof ChangeEvent.BulkChangeEvent upheaval && concernsUs(upheaval)) {
                    log.warn("Another program dropped or renamed the collection of a class: {}", upheaval.bucket());
                    meters.gap();
                    told = told.compose(before -> missed.apply(upheaval.bucket()));
                }
            }
            return told;
        }

        private boolean concernsUs(ChangeEvent.BulkChangeEvent upheaval) {
            return upheaval.bucket().isEmpty() || isClass.test(upheaval.bucket());
        }

        private Future<?> arrived(ChangeFeed.ChangePage page, long askedAt) {
            isUnkept |= place.filter(page.end()::equals).isEmpty();
            place = Optional.of(page.end());
            reachedAtNanos = System.nanoTime();
            if (page.isLast()) {
                state = ChangeFeedConsumerState.upTo(askedAt);
            }
            boolean isDue = System.nanoTime() - keptAtNanos >= KEEP_EVERY.toNanos();
            return isUnkept && isDue ? keep(page.end()) : Future.succeededFuture();
        }

        private Future<Void> keep(ChangeFeed.FeedPosition reached) {
            keptAtNanos = System.nanoTime();
            isUnkept = false;
            return feed.keep(reached);
        }

        /** Ends after the page that is being dealt with, and keeps the place. */
        private Future<Void> end() {
            return over.future()
                    .compose(ended ->
                            place.filter(reached -> isUnkept).map(feed::keep).orElseGet(Future::succeededFuture));
        }
    }
}

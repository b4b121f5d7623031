package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.flow.Backoff;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides writes whose answer is lost, by their {@linkplain WriteId identities}. The {@linkplain CompletionRecords records} of the object
 * and of its tombstone come first, read with a read concern that no failover undoes. Where they do not decide, the write is sent
 * again under its identity, so that at most one of both attempts finds the state that it replaces. Used on the store's
 * context only, and while nothing else of this process writes the object.
 */
final class InDoubtWrites {

    private static final Logger LOG = LoggerFactory.getLogger(InDoubtWrites.class);

    /** A healthy MongoDB answers within that. */
    static final Duration MAX_TIME = Duration.ofSeconds(1);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Buckets buckets;
    private final Publishers publishers;
    private final Tombstones tombstones;
    private final Function<Change, Future<Outcome>> sender;
    private final Duration maxTime;

    /**
     * Decides writes of one store.
     *
     * @param sender makes a change in a transaction, as {@link Commands#make} does
     * @param maxTime after which a write stays in doubt
     */
    InDoubtWrites(
            Vertx vertx,
            Buckets buckets,
            Publishers publishers,
            Tombstones tombstones,
            Function<Change, Future<Outcome>> sender,
            Duration maxTime) {
        this.vertx = vertx;
        this.buckets = buckets;
        this.publishers = publishers;
        this.tombstones = tombstones;
        this.sender = sender;
        this.maxTime = maxTime;
    }

    /** What a write of an object turned out to be. */
    private enum Verdict {
        MADE,
        NOT_MADE,
        UNDECIDED,

        /** MongoDB did not answer the question, or not in time. */
        UNANSWERED
    }

    /**
     * Comes to the outcome of a change that was made; fails with {@link Overtaken}, or as {@link Commands#make} does, if it was not made
     * and never will be, and with {@code lost} if that cannot be found out in time. An attempt that is in flight then is waited for,
     * so that it does not come late.
     */
    Future<Outcome> decide(Change change, Throwable lost) {
        return new Decision(change, lost).begin();
    }

    private final class Decision {

        private final Change change;
        private final Throwable lost;
        private final Backoff pauses = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE, new SplittableRandom());
        private final long end = System.nanoTime() + maxTime.toNanos();

        private Decision(Change change, Throwable lost) {
            this.change = change;
            this.lost = lost;
        }

        /** Looks before it sends: an insertion would otherwise be made again after another process has deleted its object. */
        private Future<Outcome> begin() {
            return timelyVerdict().compose(verdict -> switch (verdict) {
                case MADE -> Future.succeededFuture(change.outcome());
                case NOT_MADE -> Future.failedFuture(Overtaken.byAnother());
                case UNDECIDED -> next();
                case UNANSWERED -> later();
            });
        }

        private Future<Outcome> next() {
            return sender.apply(change).recover(this::failed);
        }

        private Future<Outcome> failed(Throwable failure) {
            if (failure instanceof Overtaken || Refusals.isDuplicate(failure)) {
                return judge(failure);
            }
            // a collection that takes no transactions may have taken the first attempt, which was none
            boolean isRefused = Refusals.isOfContent(failure) && !Refusals.isOfTransactions(failure);
            return isRefused ? Future.failedFuture(failure) : later();
        }

        private Future<Outcome> judge(Throwable failure) {
            return timelyVerdict().compose(verdict -> switch (verdict) {
                case MADE -> Future.succeededFuture(change.outcome());
                case NOT_MADE -> Future.failedFuture(failure);
                case UNDECIDED -> isOfPlace(failure) ? Future.failedFuture(failure) : later();
                case UNANSWERED -> later();
            });
        }

        /**
         * Whether an insertion is refused for another object, which has its place in a unique index.
         * A document of the same id may be that of the first attempt, which no majority holds yet. The
         * first attempt of a replacement may still find that place free, as it is no transaction.
         */
        private boolean isOfPlace(Throwable failure) {
            return change instanceof Change.Creation
                    && Refusals.isDuplicate(failure)
                    && !Refusals.duplicate(failure).containsKey(StoredObject.ID);
        }

        private Future<Outcome> later() {
            if (System.nanoTime() - end > 0) {
                LOG.warn("A write of {} stays in doubt: {}", change.ref().id(), lost.getMessage());
                return Future.failedFuture(lost);
            }
            return vertx.timer(pauses.nextMillis()).compose(now -> next());
        }

        /**
         * A MongoDB that is away answers no question until the driver gives it up, which takes as
         * long as a write may.
         */
        private Future<Verdict> timelyVerdict() {
            Future<Verdict> verdict = verdict().otherwise(Verdict.UNANSWERED);
            Timer late = vertx.timer(maxTime.toMillis());
            return Future.any(verdict, late).map(first -> {
                boolean unused = late.cancel();
                return verdict.succeeded() ? verdict.result() : Verdict.UNANSWERED;
            });
        }

        /** The tombstone comes last: where a deletion is seen, what was committed with it is seen then. */
        private Future<Verdict> verdict() {
            String bucket = change.ref().bucket();
            return read(buckets.newest(bucket)).compose(newest -> read(buckets.committed(bucket))
                    .compose(
                            committed -> tombstones.lastEnd(change.ref()).map(end -> verdict(newest, committed, end))));
        }

        private Future<List<BsonDocument>> read(MongoCollection<BsonDocument> objects) {
            return publishers.all(objects.find(Ids.only(change.ref())), 2);
        }

        private Verdict verdict(List<BsonDocument> newest, List<BsonDocument> committed, Optional<Tombstones.End> end) {
            CompletionRecords ended = end.map(Tombstones.End::writes).orElse(CompletionRecords.NONE);
            if (isIn(committed) || ended.contain(change.id())) {
                return Verdict.MADE;
            }
            boolean isSettled = !isIn(newest) && states(newest).equals(states(committed));
            boolean isTraced = newest.isEmpty()
                    ? ended.areCompleteFor(change.id())
                    : newest.stream().allMatch(this::isComplete);
            return isSettled && isTraced && !isStillThere(newest, end) ? Verdict.NOT_MADE : Verdict.UNDECIDED;
        }

        /** Whether no other program has written the document and left the records out. */
        private boolean isComplete(BsonDocument document) {
            return Documents.isWhole(document)
                    && CompletionRecords.in(document, Buckets.WRITES).areCompleteFor(change.id());
        }

        private boolean isIn(List<BsonDocument> documents) {
            return documents.stream().anyMatch(document -> CompletionRecords.in(document, Buckets.WRITES)
                    .contain(change.id()));
        }

        /**
         * Whether the state is there that the change replaces: a transaction under way may hold it.
         * An insertion replaces the absence after a life that ended before it was planned.
         */
        private boolean isStillThere(List<BsonDocument> newest, Optional<Tombstones.End> end) {
            return change instanceof Change.Creation creation
                    ? newest.isEmpty()
                            && end.filter(last -> last.updatedAt() >= creation.born())
                                    .isEmpty()
                    : change.replaced()
                            .map(Change::state)
                            .filter(states(newest)::contains)
                            .isPresent();
        }

        private List<BsonDocument> states(List<BsonDocument> documents) {
            return documents.stream()
                    .filter(Documents::isWhole)
                    .map(document -> Change.state(new StoredObject(change.ref(), document)))
                    .toList();
        }
    }
}

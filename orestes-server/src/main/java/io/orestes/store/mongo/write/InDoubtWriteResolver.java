package io.orestes.store.mongo.write;

import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.async.Backoff;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.document.TombstoneCollection.TombstoneRecord;
import io.orestes.store.mongo.document.WriteId;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.vertx.core.Future;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resolver of in-doubt writes, which decides by completion records or sends the write again. It
 * first reads the {@linkplain CompletionRecords records} of the object and of its tombstone, with a
 * read concern that no failover undoes. Where they do not decide, it sends the write again under
 * its {@linkplain WriteId identity}. So at most one of both attempts finds the state that it
 * replaces. Used on the store's context only, and while no other code of this process writes the
 * object.
 */
public final class InDoubtWriteResolver {

    private static final Logger LOG = LoggerFactory.getLogger(InDoubtWriteResolver.class);

    /** Time within which a healthy MongoDB responds. */
    static final Duration HEALTHY_RESPONSE_TIME = Duration.ofSeconds(1);

    private static final Duration MIN_PAUSE = Duration.ofMillis(5);
    private static final Duration MAX_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final MongoCollections mongoCollections;
    private final TombstoneCollection tombstoneCollection;
    private final Function<ConditionalWrite, Future<WriteOutcome>> sender;
    private final Duration maxTime;

    /**
     * Creates the resolver of one store.
     *
     * @param sender executes a write in a transaction, as {@link WriteCommands#execute} does
     * @param maxTime time after which a write stays in doubt
     */
    InDoubtWriteResolver(
            Vertx vertx,
            MongoCollections mongoCollections,
            TombstoneCollection tombstoneCollection,
            Function<ConditionalWrite, Future<WriteOutcome>> sender,
            Duration maxTime) {
        this.vertx = vertx;
        this.mongoCollections = mongoCollections;
        this.tombstoneCollection = tombstoneCollection;
        this.sender = sender;
        this.maxTime = maxTime;
    }

    /** Creates the resolver of one store, which sends writes again by these commands. */
    public static InDoubtWriteResolver of(
            Vertx vertx,
            MongoCollections mongoCollections,
            TombstoneCollection tombstoneCollection,
            WriteCommands writeCommands) {
        return new InDoubtWriteResolver(
                vertx,
                mongoCollections,
                tombstoneCollection,
                writeCommands::executeInTransaction,
                HEALTHY_RESPONSE_TIME);
    }

    /** The result of a look at the stored records of a write. */
    private enum Verdict {
        MADE,
        NOT_MADE,
        UNDECIDED,

        /** MongoDB did not respond in time, or failed. */
        UNANSWERED
    }

    /**
     * Returns the outcome of a write that was made. Fails with {@link RetriableWriteException}, or
     * as {@link WriteCommands#execute} does, if it was not made and never will be. Fails with
     * {@code lost} if that cannot be determined in time. Before that it waits for an attempt in
     * flight, which therefore cannot arrive late.
     */
    Future<WriteOutcome> resolve(ConditionalWrite conditionalWrite, Throwable lost) {
        return new Resolution(conditionalWrite, lost).begin();
    }

    private final class Resolution {

        private final ConditionalWrite conditionalWrite;
        private final Throwable lost;
        private final Backoff pauses = new Backoff(MIN_PAUSE, MAX_PAUSE, new SplittableRandom());
        private final long end = System.nanoTime() + maxTime.toNanos();

        private Resolution(ConditionalWrite conditionalWrite, Throwable lost) {
            this.conditionalWrite = conditionalWrite;
            this.lost = lost;
        }

        /**
         * Reads the records before it sends: an insertion would otherwise be repeated after another
         * process has deleted its object.
         */
        private Future<WriteOutcome> begin() {
            return readVerdictInTime().compose(verdict -> switch (verdict) {
                case MADE -> Future.succeededFuture(conditionalWrite.outcome());
                case NOT_MADE -> Future.failedFuture(RetriableWriteException.byConcurrentWrite());
                case UNDECIDED -> sendAgain();
                case UNANSWERED -> retryLater();
            });
        }

        private Future<WriteOutcome> sendAgain() {
            return sender.apply(conditionalWrite).recover(this::handleFailure);
        }

        private Future<WriteOutcome> handleFailure(Throwable failure) {
            if (failure instanceof RetriableWriteException || MongoErrors.isDuplicate(failure)) {
                return decideAfterFailure(failure);
            }
            // a collection that takes no transactions may have taken the first attempt, which was
            // not in one
            boolean isRefused =
                    MongoErrors.isContentError(failure) && !MongoErrors.isTransactionUnsupportedError(failure);
            return isRefused ? Future.failedFuture(failure) : retryLater();
        }

        private Future<WriteOutcome> decideAfterFailure(Throwable failure) {
            return readVerdictInTime().compose(verdict -> switch (verdict) {
                case MADE -> Future.succeededFuture(conditionalWrite.outcome());
                case NOT_MADE -> Future.failedFuture(failure);
                case UNDECIDED ->
                    conditionalWrite.isRefusedByOtherKey(failure) ? Future.failedFuture(failure) : retryLater();
                case UNANSWERED -> retryLater();
            });
        }

        private Future<WriteOutcome> retryLater() {
            if (System.nanoTime() - end > 0) {
                LOG.warn(
                        "A write of {} stays in doubt: {}",
                        conditionalWrite.ref().id(),
                        lost.getMessage());
                return Future.failedFuture(lost);
            }
            return vertx.timer(pauses.nextDelayMillis()).compose(now -> sendAgain());
        }

        /**
         * Returns the verdict, or {@link Verdict#UNANSWERED} after {@code maxTime}. Without the
         * limit an unreachable MongoDB would delay it until the driver gives up, as long as a write
         * may take.
         */
        private Future<Verdict> readVerdictInTime() {
            Future<Verdict> verdict = readVerdict().otherwise(Verdict.UNANSWERED);
            Timer late = vertx.timer(maxTime.toMillis());
            return Future.any(verdict, late).map(first -> {
                boolean unused = late.cancel();
                return verdict.succeeded() ? verdict.result() : Verdict.UNANSWERED;
            });
        }

        /**
         * Reads the records. The tombstone is read last: a read that sees a deletion also sees all
         * writes that were committed with it.
         */
        private Future<Verdict> readVerdict() {
            String bucket = conditionalWrite.ref().bucket();
            return read(mongoCollections.newest(bucket))
                    .compose(newest -> read(mongoCollections.committed(bucket)).compose(committed -> tombstoneCollection
                            .lastRecord(conditionalWrite.ref())
                            .map(end -> verdict(newest, committed, end.orElse(null)))));
        }

        private Future<List<BsonDocument>> read(MongoCollection<BsonDocument> objects) {
            return mongoCollections.publishers().all(objects.find(DocumentIds.only(conditionalWrite.ref())), 2);
        }

        private Verdict verdict(
                List<BsonDocument> newest, List<BsonDocument> committed, @Nullable TombstoneRecord end) {
            CompletionRecords ended = end == null ? CompletionRecords.NONE : end.completionRecords();
            if (isIn(committed) || ended.contain(conditionalWrite.id())) {
                return Verdict.MADE;
            }
            boolean isSettled = !isIn(newest) && states(newest).equals(states(committed));
            boolean isTraced = newest.isEmpty()
                    ? ended.areCompleteFor(conditionalWrite.id())
                    : newest.stream().allMatch(this::isComplete);
            return isSettled && isTraced && !conditionalWrite.isApplicable(newest, end)
                    ? Verdict.NOT_MADE
                    : Verdict.UNDECIDED;
        }

        /** True if no other program has written the document and left the records out. */
        private boolean isComplete(BsonDocument document) {
            return DocumentDecoder.hasMetadata(document)
                    && CompletionRecords.in(document, MongoCollections.WRITES).areCompleteFor(conditionalWrite.id());
        }

        private boolean isIn(List<BsonDocument> documents) {
            return documents.stream().anyMatch(document -> CompletionRecords.in(document, MongoCollections.WRITES)
                    .contain(conditionalWrite.id()));
        }

        private List<BsonDocument> states(List<BsonDocument> documents) {
            return ConditionalWrite.states(conditionalWrite.ref(), documents);
        }
    }
}

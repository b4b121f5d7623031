package io.orestes.write;

import io.orestes.auth.rights.RightsChange;
import io.orestes.caching.CacheInvalidator;
import io.orestes.group.Replication;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of a write after its commit: invalidate, match, replicate and confirm. They are the
 * same for writes of clients, transactions, imports, truncations and other programs. Thread-safe.
 */
public final class WritePublisher {

    private static final Logger log = LoggerFactory.getLogger(WritePublisher.class);

    private final CacheInvalidator caches;
    private final InvalidbClient matching;
    private final Replication replication;
    private final Consumer<WriteOutcome> afterCommit;
    private final VisibilityReductionStage visibilityReductionStage;

    /** Creates the publisher of a single server. */
    public WritePublisher(
            ObjectStore store, CacheInvalidator caches, InvalidbClient matching, Consumer<WriteOutcome> afterCommit) {
        this(store, caches, matching, Replication.STANDALONE, afterCommit);
    }

    /**
     * @param afterCommit receives every committed write, of any server, before it is acknowledged;
     *     must be quick
     */
    public WritePublisher(
            ObjectStore store,
            CacheInvalidator caches,
            InvalidbClient matching,
            Replication replication,
            Consumer<WriteOutcome> afterCommit) {
        this.caches = caches;
        this.matching = matching;
        this.replication = replication;
        this.afterCommit = afterCommit;
        this.visibilityReductionStage = new VisibilityReductionStage(store, caches);
    }

    /** Fails with {@code UNAVAILABLE} while the other servers would not receive a write. */
    void requireMembership() {
        replication.requireMembership();
    }

    /** Reads before the commit what {@link #confirm} compares. */
    Future<VisibilityReductionStage.PriorVisibility> capturePrior(Batch.StoreOperation operation) {
        return visibilityReductionStage.capturePrior(operation);
    }

    /**
     * Publishes a write that no server announced; succeeds when all caches, queries and servers
     * have applied it.
     */
    public Future<Void> publish(WriteOutcome outcome) {
        return Future.succeededFuture(outcome)
                .map(CommittedWrite::of)
                .compose(write -> {
                    requireMembership();
                    return publish(write);
                })
                .mapEmpty();
    }

    /** Publishes one committed write. */
    Future<?> publish(CommittedWrite committed) {
        return publishAll(List.of(committed));
    }

    /**
     * Publishes writes that are acknowledged together, but users and roles first: clients that lose
     * rights must not receive the rest. Publishes all of them, whether or not others fail.
     */
    Future<List<WriteResult>> publishAll(List<CommittedWrite> committed) {
        List<CommittedWrite> rightsFirst = committed.stream()
                .sorted(Comparator.comparing(
                        write -> RightsChange.of(write.outcome()).isEmpty()))
                .toList();
        return trackEach(rightsFirst, write -> Future.succeededFuture(write)
                .map(this::invalidate)
                .map(this::match)
                .compose(this::replicate)
                .compose(this::confirm));
    }

    /**
     * Takes each write through the stages. All of them count as unacknowledged until the last one
     * is through.
     */
    Future<List<WriteResult>> trackEach(
            List<CommittedWrite> committed, Function<CommittedWrite, Future<WriteResult>> stages) {
        List<WriteOutcome> outcomes =
                committed.stream().map(CommittedWrite::outcome).toList();
        return matching.unansweredWrites().track(outcomes, () -> Future.join(
                        committed.stream().map(stages).toList())
                .map(all -> all.<WriteResult>list()));
    }

    /**
     * Publishes a committed write of any server to this server's caches and queries; idempotent.
     * The shared caches may be {@link CacheInvalidator#awaitInvalidated} later.
     *
     * @return time for which the results of the object's class that this server cached have not
     *     changed; empty if they may have. Never fails
     */
    public Future<Optional<Duration>> applyLocally(WriteOutcome outcome) {
        return match(invalidate(CommittedWrite.of(outcome))).resultsUnchangedFor();
    }

    /** Invalidates the copies of earlier states of the object, and informs the listener. */
    CommittedWrite invalidate(CommittedWrite committed) {
        WriteOutcome outcome = committed.outcome();
        afterCommit.accept(outcome);
        if (outcome.isCreation()) {
            caches.objectInserted(outcome.ref().id());
        } else {
            caches.objectWritten(outcome.ref().id());
        }
        return committed;
    }

    /**
     * A write that this server is matching.
     *
     * @param resultsUnchangedFor completes when it was matched; see {@link #applyLocally}
     */
    record MatchedWrite(CommittedWrite committed, Future<Optional<Duration>> resultsUnchangedFor) {}

    /** Begins to match queries against the write, which the other servers do at the same time. */
    MatchedWrite match(CommittedWrite committed) {
        String bucket = committed.outcome().ref().bucket();
        long changes = caches.results().count(bucket);
        return new MatchedWrite(
                committed,
                awaitMatching(committed.outcome())
                        .map(matched -> matched ? caches.results().unchangedSince(bucket, changes) : Optional.empty()));
    }

    /**
     * Returns whether the write was matched. It stays committed whatever the outcome of its
     * publication.
     */
    private Future<Boolean> awaitMatching(WriteOutcome outcome) {
        return matching.publish(outcome).map(true).otherwise(failure -> {
            log.error(
                    "The write of {} was committed but not matched",
                    outcome.ref().id(),
                    failure);
            return false;
        });
    }

    /**
     * A write that all servers have invalidated and matched.
     *
     * @param resultsUnchangedFor as in {@link WriteResult}
     */
    record ReplicatedWrite(CommittedWrite committed, @Nullable Duration resultsUnchangedFor) {}

    /** Sends the write to the other servers, and waits until all of them have matched it. */
    Future<ReplicatedWrite> replicate(MatchedWrite matched) {
        CommittedWrite committed = matched.committed();
        return replication
                .replicate(committed.outcome(), matched.resultsUnchangedFor())
                .map(unchanged -> new ReplicatedWrite(committed, unchanged.orElse(null)));
    }

    /**
     * Waits until the shared caches have removed their copies. Fails with {@code UNAVAILABLE} if
     * they may continue to serve an object that the write hides.
     */
    Future<WriteResult> confirm(ReplicatedWrite replicated) {
        CommittedWrite committed = replicated.committed();
        return visibilityReductionStage
                .awaitConfirmation(committed.prior(), committed.outcome())
                .map(new WriteResult(committed.outcome(), replicated.resultsUnchangedFor()));
    }
}

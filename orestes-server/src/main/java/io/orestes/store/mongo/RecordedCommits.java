package io.orestes.store.mongo;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Writes several objects together where MongoDB has no transactions: all objects are marked and what they become is put beside them, then a record
 * decides, and then it is put in their place. Used on the store's context only.
 */
final class RecordedCommits {

    private static final long TRY_AGAIN_MILLIS = 100;

    private final Vertx vertx;
    private final CommitRecords records;
    private final PreparedWrites prepared;
    private final CommitAccount account;
    private final Settlement settlement;
    private final Duration longest;

    /** @param longest time for which who asked waits for what was committed to be in place */
    RecordedCommits(
            Vertx vertx,
            CommitRecords records,
            PreparedWrites prepared,
            CommitAccount account,
            Settlement settlement,
            Duration longest) {
        this.vertx = vertx;
        this.records = records;
        this.prepared = prepared;
        this.account = account;
        this.settlement = settlement;
        this.longest = longest;
    }

    /** Makes changes each of which names the state it is made to, by one request for each bucket. The record stays until it is {@link #announced}. */
    Future<Optional<CommitRecord>> atOnce(List<Change> changes, Supplier<Future<?>> stillHolds) {
        Map<String, List<Change>> byBucket = changes.stream()
                .collect(Collectors.groupingBy(change -> change.ref().bucket()));
        return run(
                changes,
                stillHolds,
                // what is still under way must not come after it was rolled back
                record -> Future.join(byBucket.entrySet().stream()
                        .<Future<?>>map(bucket -> prepared.write(record.id(), bucket.getKey(), bucket.getValue()))
                        .toList()));
    }

    /** The same one by one, which tells what is wrong with which. */
    Future<Optional<CommitRecord>> oneByOne(List<Change> changes, Supplier<Future<?>> stillHolds) {
        return run(changes, stillHolds, record -> prepared.writeOneByOne(record.id(), changes));
    }

    /**
     * Fails with {@link Overtaken} if it may be begun again; then as in all failures nothing is written, unless nobody knows what became of the
     * decision, or what it has decided takes too long.
     *
     * @param stillHolds fails if anything that the changes depend on is not as it was; asked when nobody else can change the objects any more
     */
    private Future<Optional<CommitRecord>> run(
            List<Change> changes, Supplier<Future<?>> stillHolds, Function<CommitRecord, Future<?>> preparation) {
        if (changes.isEmpty()) {
            return stillHolds.get().map(Optional.empty());
        }
        CommitRecord record = CommitRecord.of(changes);
        Promise<Void> over = Promise.promise();
        Future<Void> committed = account.standBack(record.buckets())
                .compose(now -> records.insert(record))
                .compose(noted -> preparation.apply(record))
                // who has asked meanwhile need not wait until all are over that were on their way
                .compose(written -> Future.all(stillHolds.get(), account.standBack(record.buckets())))
                .compose(holds -> account.begin(record.id(), record.buckets()))
                .compose(begun -> records.commit(record.id()))
                .compose(
                        isDone -> isDone
                                ? finished(record, System.nanoTime() + longest.toNanos())
                                : concluded(record, Overtaken.byAnother()),
                        failure -> concluded(record, failure));
        return settlement
                .during(record.id(), over.future(), committed)
                .onComplete(done -> over.complete())
                .map(done -> Optional.of(record));
    }

    /** Somebody tells of what was committed; its record is not needed any more when all know. */
    void announced(CommitRecord record, Future<?> announcement) {
        settlement.announced(record, announcement);
    }

    /** A failure to hear the answer is not one to commit. */
    private Future<Void> concluded(CommitRecord record, Throwable failure) {
        return settlement
                .conclude(record)
                .transform(end -> end.result() == Settlement.End.COMMITTED
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure));
    }

    private Future<Void> finished(CommitRecord record, long end) {
        return settlement.apply(record).<Void>mapEmpty().recover(failure -> {
            if (System.nanoTime() - end > 0) {
                return Future.failedFuture(
                        Refusals.unavailable("MongoDB does not answer; what was asked for is committed"));
            }
            Promise<Void> later = Promise.promise();
            long unused = vertx.setTimer(TRY_AGAIN_MILLIS, now -> later.complete());
            return later.future().compose(now -> finished(record, end));
        });
    }
}

package io.orestes.store.mongo;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Brings commits to their end, whoever began them. Who meets one gives its process a second. Then he finishes it if it is decided; else he aborts it,
 * which its process finds out before anything is done. So nobody has to know whether that process lives. Used on the store's context only.
 */
final class Settlement {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long LOOK_AGAIN_MILLIS = 5;

    private final Vertx vertx;
    private final CommitRecords records;
    private final PreparedWrites prepared;
    private final CommitAccount account;
    private final Untold untold;

    /** Those of this process that are under way. */
    private final Map<ObjectId, Future<Void>> own = new HashMap<>();

    /** Those of this process that are done, while it tells of them. */
    private final Set<ObjectId> applied = new HashSet<>();

    private final Map<ObjectId, Future<End>> settling = new HashMap<>();
    private Set<ObjectId> seen = Set.of();

    Settlement(Vertx vertx, CommitRecords records, PreparedWrites prepared, CommitAccount account, Untold untold) {
        this.vertx = vertx;
        this.records = records;
        this.prepared = prepared;
        this.account = account;
        this.untold = untold;
    }

    /** How a commit ended. */
    enum End {
        COMMITTED,
        ABORTED,
        /** It ended before, or never began: what is there of it came later. */
        FORGOTTEN
    }

    /** Counts a commit among those of this process until it is over; if it succeeds it has to be {@link #announced}. */
    <T> Future<T> during(ObjectId commit, Future<Void> over, Future<T> work) {
        own.put(commit, over);
        return work.onSuccess(done -> applied.add(commit)).onComplete(done -> own.remove(commit));
    }

    /** Its record stays for whoever looks what was left over, unless all know. */
    void announced(CommitRecord record, Future<?> announcement) {
        announcement.compose(known -> records.delete(record.id())).onComplete(done -> applied.remove(record.id()));
    }

    /**
     * Waits until the commits are over that have marked some documents of a bucket; comes to whether there were any, as the documents are others
     * then.
     */
    Future<Boolean> over(String bucket, List<BsonDocument> documents) {
        Map<ObjectId, List<BsonValue>> marked = Marks.byCommit(documents);
        List<Future<?>> ends = marked.entrySet().stream()
                .<Future<?>>map(commit -> over(commit.getKey(), bucket, commit.getValue()))
                .toList();
        return ends.isEmpty() ? Future.succeededFuture(false) : Future.all(ends).map(true);
    }

    /** What is still marked then came too late, from a process that stood still. */
    private Future<?> over(ObjectId commit, String bucket, List<BsonValue> ids) {
        return settle(commit)
                .compose(end ->
                        end == End.FORGOTTEN ? prepared.rollBack(commit, bucket, ids) : Future.succeededFuture());
    }

    /** The same without those that are known not to be committed: they have not changed anything yet. Others may have, also if nobody knows them any more. */
    Future<Boolean> applied(String bucket, List<BsonDocument> documents) {
        return records.uncommitted(Marks.byCommit(documents).keySet())
                .compose(undone -> over(
                        bucket,
                        documents.stream()
                                .filter(document -> Marks.commit(document)
                                        .filter(undone::contains)
                                        .isEmpty())
                                .toList()));
    }

    /** Waits until those are over that have begun in a bucket, by the account of it. */
    Future<?> overAll(String bucket, Collection<ObjectId> commits) {
        return Future.all(commits.stream()
                .<Future<?>>map(commit -> settle(commit)
                        .compose(end ->
                                end == End.FORGOTTEN ? account.end(commit, List.of(bucket)) : Future.succeededFuture()))
                .toList());
    }

    /** Waits until all are over that are to change something in a bucket. */
    Future<?> overIn(String bucket) {
        return records.unfinished(bucket).compose(this::all);
    }

    private Future<?> all(Collection<ObjectId> commits) {
        return Future.all(commits.stream().<Future<?>>map(this::settle).toList());
    }

    private Future<End> settle(ObjectId commit) {
        if (applied.contains(commit)) {
            return Future.succeededFuture(End.COMMITTED);
        }
        Future<End> underWay = settling.get(commit);
        if (underWay != null) {
            return underWay;
        }
        Promise<End> end = Promise.promise();
        settling.put(commit, end.future());
        own.getOrDefault(commit, Future.succeededFuture())
                .otherwiseEmpty()
                .compose(over -> look(commit, System.nanoTime() + PATIENCE.toNanos()))
                .onComplete(done -> {
                    settling.remove(commit);
                    end.handle(done);
                });
        return end.future();
    }

    private Future<End> look(ObjectId commit, long patientUntil) {
        return records.find(commit).compose(found -> found.map(record -> look(record, patientUntil))
                .orElse(Future.succeededFuture(End.FORGOTTEN)));
    }

    private Future<End> look(CommitRecord record, long patientUntil) {
        return switch (record.state()) {
            case ROLLED_BACK -> Future.succeededFuture(End.FORGOTTEN);
            case ABORTED -> rollBack(record).map(End.ABORTED);
            case COMMITTED, PREPARING ->
                System.nanoTime() - patientUntil < 0
                        ? moment().compose(then -> look(record.id(), patientUntil))
                        : end(record, patientUntil);
        };
    }

    private Future<End> end(CommitRecord record, long patientUntil) {
        return record.state() == CommitRecord.State.COMMITTED
                ? apply(record).onSuccess(done -> untold.add(record)).map(End.COMMITTED)
                : records.abort(record.id()).compose(decided -> look(record.id(), patientUntil));
    }

    /** Ends one of this process at once, which tells of it itself. What others ended may have been prepared only after that. */
    Future<End> conclude(CommitRecord record) {
        return records.find(record.id())
                .compose(found -> switch (found.map(CommitRecord::state).orElse(CommitRecord.State.ROLLED_BACK)) {
                    case COMMITTED -> apply(record).map(End.COMMITTED);
                    case PREPARING -> records.abort(record.id()).compose(decided -> conclude(record));
                    case ABORTED, ROLLED_BACK -> rollBack(record).map(End.ABORTED);
                });
    }

    /** Does what is left to be done for one that is committed; may be repeated. */
    Future<?> apply(CommitRecord record) {
        return inEach(record, bucket -> prepared.apply(record, bucket))
                .compose(applied -> account.end(record.id(), record.buckets()));
    }

    private Future<?> rollBack(CommitRecord record) {
        return inEach(record, bucket -> prepared.rollBack(record, bucket))
                .compose(gone -> account.end(record.id(), record.buckets()))
                .onSuccess(ended -> {
                    Future<?> unused = records.rolledBack(record.id());
                });
    }

    /** Comes to an end when nothing is under way any more. */
    private static Future<?> inEach(CommitRecord record, Function<String, Future<?>> action) {
        return Future.join(record.buckets().stream().<Future<?>>map(action).toList());
    }

    private Future<?> moment() {
        Promise<Void> over = Promise.promise();
        long unused = vertx.setTimer(LOOK_AGAIN_MILLIS, later -> over.complete());
        return over.future();
    }

    /** Settles what was left over since the last time, and tells of it; to be called now and then. */
    Future<?> sweep() {
        return records.unfinished()
                .compose(unfinished -> {
                    Set<ObjectId> left = new HashSet<>(unfinished);
                    left.retainAll(seen);
                    left.removeAll(own.keySet());
                    left.removeAll(applied);
                    seen = Set.copyOf(unfinished);
                    return all(left);
                })
                .onComplete(settled -> untold.tellAll());
    }

    /** Settles what an earlier process left over; to be called when there is no other. */
    Future<?> settleAll() {
        return records.unfinished()
                .compose(unfinished -> Future.all(unfinished.stream()
                        .<Future<?>>map(commit -> look(commit, System.nanoTime()))
                        .toList()));
    }
}

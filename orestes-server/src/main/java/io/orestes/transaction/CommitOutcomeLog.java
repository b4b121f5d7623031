package io.orestes.transaction;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The durable log of transaction outcomes, which records atomically whether each was committed or
 * aborted. It is stored in a bucket that no client can name. The record of a commit is the last
 * part of the commit itself, so it exists if and only if all other writes do. The record of an
 * abort is inserted alone, and only one of the two can exist. A server that needs the outcome of
 * another server's transaction inserts the record of an abort. Either that succeeds and the
 * transaction is never committed, or the server finds the record of the commit. ORESTES (ICDE
 * workshops 2014, section IV.3) uses its commit log in this way. Thread-safe.
 */
public final class CommitOutcomeLog {

    private static final String BUCKET = "_commits";
    private static final String AT = "at";
    private static final String WRITTEN = "written";
    private static final String REQUEST = "request";
    private static final String REF = "ref";
    private static final String VERSION = "version";
    private static final int DELETE_BATCH_SIZE = 500;

    private final ObjectStore store;
    private final InstantSource clock;
    private final Duration retention;

    /**
     * @param kept retention of outcomes; longer than a transaction may be open, and than a server
     *     may be silent
     */
    public CommitOutcomeLog(ObjectStore store, InstantSource clock, Duration kept) {
        this.store = store;
        this.clock = clock;
        this.retention = kept;
    }

    /**
     * The outcome of a transaction: the digest of its request and the versions it wrote.
     *
     * @param request the committed request, as {@link CommitRequest#digest}; empty text if it was
     *     aborted
     * @param written with version 0 where the version was not known before the commit
     */
    record TransactionOutcome(String request, List<CommittedVersion> written) {}

    /** Returns the minimum retention of outcomes. */
    Duration retention() {
        return retention;
    }

    /** Creates the index; to be called before all other methods. */
    public Future<Void> prepare() {
        return store.createIndex(BUCKET, IndexSpec.ascending(AT));
    }

    /**
     * Creates the record of a commit.
     *
     * @param digest digest of the request
     * @param writes the checked writes, whose ids differ from the requested ones where the server
     *     assigns ids
     */
    Batch.InsertOperation commitRecord(String tid, String digest, List<Batch.StoreOperation> writes) {
        return new Batch.InsertOperation(ref(tid), record(digest, writtenVersions(writes)), store.schemaEpoch(BUCKET));
    }

    /**
     * Returns the versions after these writes, with version 0 where it depends on the stored state.
     */
    private static List<CommittedVersion> writtenVersions(List<Batch.StoreOperation> writes) {
        return writes.stream()
                .filter(Batch.StoreOperation::leavesObject)
                .map(write -> new CommittedVersion(write.ref(), versionAfter(write)))
                .toList();
    }

    private static long versionAfter(Batch.StoreOperation write) {
        return write.fold(
                insert -> 1L,
                replace -> versionAfter(replace.precondition()),
                update -> versionAfter(update.precondition()),
                delete -> 0L);
    }

    private static long versionAfter(Precondition expected) {
        OptionalLong version = expected.exactVersion();
        return version.isPresent() ? version.getAsLong() + 1 : 0;
    }

    /**
     * Aborts the transaction unless it was committed. Returns the outcome that it had before this
     * call, empty if it had none.
     */
    Future<Optional<TransactionOutcome>> abort(String tid) {
        return store.insert(ref(tid), record("", List.of()))
                .map(Optional.<TransactionOutcome>empty())
                .recover(failure -> exists(failure) ? outcome(tid) : Future.failedFuture(failure));
    }

    /** Returns the outcome; empty if there is none, or if its record was removed. */
    Future<Optional<TransactionOutcome>> outcome(String tid) {
        return store.find(ref(tid)).map(found -> found.map(CommitOutcomeLog::read));
    }

    /** Completes when the transaction was committed as a whole or will never be. */
    public Future<Void> resolve(String tid) {
        return abort(tid).mapEmpty();
    }

    /** Removes records older than the retention; to be called every minute. */
    public Future<Void> deleteExpired() {
        BsonDocument old =
                new BsonDocument(AT, new BsonDocument("$lt", new BsonDateTime(clock.millis() - retention.toMillis())));
        return store.query(new StoreQuery(BUCKET, Filter.parse(old), SortOrder.BY_ID, 0, DELETE_BATCH_SIZE))
                .compose(ended -> Future.join(
                                ended.stream().<Future<?>>map(this::delete).toList())
                        .compose(forgotten ->
                                ended.size() < DELETE_BATCH_SIZE ? Future.succeededFuture() : deleteExpired()));
    }

    /** Replaces unknown versions, written as 0, by the current ones. */
    Future<List<CommittedVersion>> versions(List<CommittedVersion> written) {
        List<ObjectRef> unknown = written.stream()
                .filter(object -> object.version() == 0)
                .map(CommittedVersion::ref)
                .toList();
        return store.findAll(unknown).map(now -> written.stream()
                .flatMap(object -> version(object, now).stream())
                .toList());
    }

    private static Optional<CommittedVersion> version(CommittedVersion written, Map<ObjectRef, StoredObject> now) {
        return written.version() > 0
                ? Optional.of(written)
                : Optional.ofNullable(now.get(written.ref()))
                        .map(object -> new CommittedVersion(object.ref(), object.version()));
    }

    static List<CommittedVersion> of(List<WriteOutcome> outcomes) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.storedObject().stream())
                .map(stored -> new CommittedVersion(stored.ref(), stored.version()))
                .toList();
    }

    private Future<?> delete(StoredObject ended) {
        return store.delete(ended.ref(), Precondition.none(), Principal.SERVER);
    }

    private static boolean exists(Throwable failure) {
        return ApiException.of(failure).code() == ErrorCode.OBJECT_EXISTS;
    }

    private BsonDocument record(String request, List<CommittedVersion> written) {
        BsonArray objects = new BsonArray();
        written.forEach(object ->
                objects.add(new BsonDocument(REF, new BsonString(object.ref().id()))
                        .append(VERSION, new BsonInt64(object.version()))));
        return new BsonDocument(REQUEST, new BsonString(request))
                .append(AT, new BsonDateTime(clock.millis()))
                .append(WRITTEN, objects);
    }

    private static TransactionOutcome read(StoredObject record) {
        List<CommittedVersion> written = record.document().getArray(WRITTEN).stream()
                .map(object -> read(object.asDocument()))
                .toList();
        return new TransactionOutcome(record.document().getString(REQUEST).getValue(), written);
    }

    private static CommittedVersion read(BsonDocument object) {
        return new CommittedVersion(
                ObjectRef.parse(object.getString(REF).getValue()).orElseThrow(),
                object.getInt64(VERSION).getValue());
    }

    private static ObjectRef ref(String tid) {
        return new ObjectRef(BUCKET, tid);
    }
}

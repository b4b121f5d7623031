package io.orestes.transaction;

import io.invalidb.query.Filter;
import io.invalidb.query.SortOrder;
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
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The durable log of transaction outcomes, which records atomically whether each was committed or
 * aborted. It is kept in a bucket that no client can name. The record of a commit is the last part
 * of the commit itself, so it exists if and only if everything else does. The record of an abort is
 * inserted alone, and only one of the two can exist. A server that needs the outcome of another
 * server's transaction inserts the record of an abort. Either that succeeds and the transaction is
 * never committed, or the server finds the record of the commit. ORESTES (ICDE workshops 2014,
 * section IV.3) does the same with its commit log. Thread-safe.
 */
public final class CommitLog {

    private static final String BUCKET = "_commits";
    private static final String AT = "at";
    private static final String WRITTEN = "written";
    private static final String REQUEST = "request";
    private static final String REF = "ref";
    private static final String VERSION = "version";
    private static final int FORGOTTEN_AT_ONCE = 500;

    private final ObjectStore store;
    private final InstantSource clock;
    private final Duration kept;

    /**
     * @param kept for how long the end of a transaction is remembered; longer than one may be open,
     *     and than a server may be silent
     */
    public CommitLog(ObjectStore store, InstantSource clock, Duration kept) {
        this.store = store;
        this.clock = clock;
        this.kept = kept;
    }

    /**
     * The outcome of a transaction: the digest of its request and the versions it wrote.
     *
     * @param request what was committed, as {@link CommitRequest#digest}; empty text if nothing was
     * @param written with version 0 where that was not known before
     */
    record TransactionOutcome(String request, List<CommittedVersion> written) {}

    /** For how long the end of a transaction is remembered at least. */
    Duration kept() {
        return kept;
    }

    /** To be called before anything else. */
    public Future<Void> prepare() {
        return store.createIndex(BUCKET, IndexSpec.ascending(AT));
    }

    /**
     * The record of a commit.
     *
     * @param digest of what was asked for
     * @param writes what became of it when it was checked: where a class gives ids of its own
     *     objects have others than were asked for
     */
    Batch.InsertOperation committed(String tid, String digest, List<Batch.StoreOperation> writes) {
        return new Batch.InsertOperation(ref(tid), record(digest, after(writes)), store.form(BUCKET));
    }

    /** What is there after these writes, with version 0 where that depends on what they meet. */
    private static List<CommittedVersion> after(List<Batch.StoreOperation> writes) {
        return writes.stream()
                .filter(write -> !(write instanceof Batch.DeleteOperation))
                .map(write -> new CommittedVersion(write.ref(), versionAfter(write)))
                .toList();
    }

    private static long versionAfter(Batch.StoreOperation write) {
        if (write instanceof Batch.InsertOperation) {
            return 1;
        }
        Precondition expected = write instanceof Batch.UpdateOperation revision
                ? revision.precondition()
                : ((Batch.ReplaceOperation) write).precondition();
        return expected instanceof Precondition.ExactVersion version ? version.expected() + 1 : 0;
    }

    /**
     * Sees to it that it is not committed any more, unless it was; tells how it ended before that
     * call, empty if it had not.
     */
    Future<Optional<TransactionOutcome>> abort(String tid) {
        return store.insert(ref(tid), record("", List.of()))
                .map(Optional.<TransactionOutcome>empty())
                .recover(failure -> exists(failure) ? end(tid) : Future.failedFuture(failure));
    }

    /** How it ended; empty if it has not, or that is forgotten. */
    Future<Optional<TransactionOutcome>> end(String tid) {
        return store.find(ref(tid)).map(found -> found.map(CommitLog::read));
    }

    /** Completes when the transaction was committed as a whole or will never be. */
    public Future<Void> resolve(String tid) {
        return abort(tid).mapEmpty();
    }

    /** Forgets what ended long ago; to be called every minute. */
    public Future<Void> sweep() {
        BsonDocument old =
                new BsonDocument(AT, new BsonDocument("$lt", new BsonDateTime(clock.millis() - kept.toMillis())));
        return store.query(new StoreQuery(BUCKET, Filter.parse(old), SortOrder.BY_ID, 0, FORGOTTEN_AT_ONCE))
                .compose(ended -> Future.join(
                                ended.stream().<Future<?>>map(this::forget).toList())
                        .compose(forgotten -> ended.size() < FORGOTTEN_AT_ONCE ? Future.succeededFuture() : sweep()));
    }

    /**
     * What was written, with the versions it has now where the one that was written is not known.
     */
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
                .filter(StoredObject.class::isInstance)
                .map(StoredObject.class::cast)
                .map(stored -> new CommittedVersion(stored.ref(), stored.version()))
                .toList();
    }

    private Future<?> forget(StoredObject ended) {
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

package io.orestes.store.mongo.write;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.driver.TransactionRunner;
import io.orestes.store.mongo.driver.WriteInDoubtException;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The MongoDB commands of writers, each sent alone or all within one transaction. */
public final class WriteCommands {

    private static final int PAGE_SIZE = 500;

    private static final FindOneAndReplaceOptions AFTER =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER);
    private static final FindOneAndReplaceOptions UPSERT =
            new FindOneAndReplaceOptions().returnDocument(ReturnDocument.AFTER).upsert(true);

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final TombstoneCollection tombstoneCollection;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;
    private final TransactionRunner transactionRunner;
    private final @Nullable ClientSession session;

    /** Creates commands that are each sent alone. */
    public WriteCommands(
            MongoCollections mongoCollections,
            TombstoneCollection tombstoneCollection,
            ForeignDocumentNormalizer foreignDocumentNormalizer,
            TransactionRunner transactionRunner) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
        this.tombstoneCollection = tombstoneCollection;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
        this.transactionRunner = transactionRunner;
        this.session = null;
    }

    private WriteCommands(WriteCommands outside, ClientSession session) {
        this.mongoCollections = outside.mongoCollections;
        this.publisherAdapter = outside.publisherAdapter;
        this.tombstoneCollection = outside.tombstoneCollection;
        this.foreignDocumentNormalizer = outside.foreignDocumentNormalizer.in(session);
        this.transactionRunner = outside.transactionRunner;
        this.session = session;
    }

    /**
     * Executes work in one transaction, by commands within it, which takes one at a time. Fails as
     * {@link TransactionRunner#run} does.
     */
    <T> Future<T> inTransaction(Function<WriteCommands, Future<T>> work) {
        return transactionRunner.run(transaction -> work.apply(new WriteCommands(this, transaction)));
    }

    /** Reads the newest states of existing objects, by one request for each bucket. */
    Future<Map<ObjectRef, CurrentObject>> current(Collection<ObjectRef> refs) {
        Map<ObjectRef, CurrentObject> found = new HashMap<>();
        Map<String, List<ObjectRef>> byBucket = refs.stream().collect(Collectors.groupingBy(ObjectRef::bucket));
        return Loop.forEach(byBucket.entrySet(), bucket -> current(bucket.getKey(), bucket.getValue())
                        .onSuccess(found::putAll))
                .map(all -> found);
    }

    /** Reads the newest states of existing objects of one bucket. */
    Future<Map<ObjectRef, CurrentObject>> current(String bucket, Collection<ObjectRef> refs) {
        return documents(bucket, refs)
                .compose(documents -> foreignDocumentNormalizer.currentObjects(bucket, documents));
    }

    private Future<List<BsonDocument>> documents(String bucket, Collection<ObjectRef> refs) {
        MongoCollection<BsonDocument> objects = mongoCollections.newest(bucket);
        BsonDocument ids = DocumentIds.anyOf(refs);
        return publisherAdapter.all(
                (session == null ? objects.find(ids) : objects.find(session, ids)).batchSize(PAGE_SIZE), PAGE_SIZE);
    }

    /** Returns the ends of last lives, as {@link TombstoneCollection#endsOfLastLives} does. */
    Future<Map<ObjectRef, Long>> endsOfLastLives(Collection<ObjectRef> refs) {
        return tombstoneCollection.endsOfLastLives(refs, session);
    }

    /**
     * Executes a change by a command of its own, whose response concerns nothing else. Fails with
     * {@link RetriableWriteException} if the object is not in the expected state any more. In a
     * transaction an insertion also fails so if the last life of the object ended after the
     * insertion was planned, be it that of an earlier attempt: one snapshot shows the object absent
     * and when its last life ended. Without a transaction it fails with {@link
     * WriteInDoubtException} if the change may have been made.
     */
    Future<WriteOutcome> execute(ConditionalWrite conditionalWrite) {
        Future<WriteOutcome> made = conditionalWrite.accept(new Sender());
        return session == null
                ? made.recover(failure -> Future.failedFuture(WriteInDoubtException.unlessRefused(failure)))
                : made;
    }

    /**
     * Executes one change in a transaction of its own. An insertion into a collection that takes no
     * transactions, a capped one, is made without one.
     */
    Future<WriteOutcome> executeInTransaction(ConditionalWrite conditionalWrite) {
        return inTransaction(commands -> commands.execute(conditionalWrite))
                .recover(failure ->
                        conditionalWrite.isTransactionOptional() && MongoErrors.isTransactionUnsupportedError(failure)
                                ? execute(conditionalWrite)
                                : Future.failedFuture(failure));
    }

    /** The command for each kind of write. */
    private final class Sender implements ConditionalWrite.Visitor<Future<WriteOutcome>> {

        @Override
        public Future<WriteOutcome> insert(ConditionalWrite.ConditionalInsert insertion) {
            return session == null
                    ? upsert(insertion)
                    : requireNoLaterDeletion(List.of(insertion)).compose(ended -> upsert(insertion));
        }

        @Override
        public Future<WriteOutcome> replace(ConditionalWrite.ConditionalReplace replacement) {
            return findAndReplace(
                    replacement.ref(),
                    DocumentIds.state(replacement.before()),
                    DocumentIds.replacement(replacement.ref(), replacement.document()),
                    AFTER);
        }

        @Override
        public Future<WriteOutcome> delete(ConditionalWrite.ConditionalDelete deletion) {
            MongoCollection<BsonDocument> objects =
                    mongoCollections.newest(deletion.ref().bucket());
            return recordDeletions(List.of(deletion))
                    .compose(recorded -> publisherAdapter.first(
                            objects.findOneAndDelete(transaction(), DocumentIds.state(deletion.last()))))
                    .map(deleted -> deleted.map(last -> deletion.outcome())
                            .orElseThrow(RetriableWriteException::byConcurrentWrite));
        }
    }

    /**
     * Creates the collection of a bucket unless it exists, since two transactions that create it
     * conflict.
     */
    Future<?> createCollection(String bucket) {
        return mongoCollections.create(bucket);
    }

    /**
     * Executes insertions of one bucket, all or none, in a transaction; fails as {@link #execute}
     * does.
     */
    Future<?> insertAll(String bucket, List<ConditionalWrite.ConditionalInsert> creations) {
        return requireNoLaterDeletion(creations).compose(ended -> bulk(bucket, creations, false));
    }

    private Future<?> requireNoLaterDeletion(List<ConditionalWrite.ConditionalInsert> creations) {
        List<ObjectRef> refs =
                creations.stream().map(ConditionalWrite.ConditionalInsert::ref).toList();
        return endsOfLastLives(refs).map(ends -> {
            if (creations.stream()
                    .anyMatch(creation -> creation.createdAt() <= ends.getOrDefault(creation.ref(), 0L))) {
                throw RetriableWriteException.byConcurrentWrite();
            }
            return ends;
        });
    }

    /** Inserts by an upsert, whose failure, unlike that of an insert, names the key. */
    private Future<WriteOutcome> upsert(ConditionalWrite.ConditionalInsert creation) {
        return findAndReplace(creation.ref(), creation.neverMatchingFilter(), creation.document(), UPSERT);
    }

    /**
     * Executes all changes of one bucket in their order. Fails with {@link RetriableWriteException}
     * if an object is not in the expected state any more. Some changes are made then: to be used in
     * a transaction.
     */
    Future<?> executeAll(String bucket, List<? extends ConditionalWrite> changes) {
        return bulk(bucket, changes, true).map(result -> {
            if (appliedCount(result) != changes.size()) {
                throw RetriableWriteException.byConcurrentWrite();
            }
            return result;
        });
    }

    /** Returns the number of changes that were made. */
    private static int appliedCount(BulkWriteResult result) {
        return result.getInsertedCount()
                + result.getMatchedCount()
                + result.getDeletedCount()
                + result.getUpserts().size();
    }

    private Future<BulkWriteResult> bulk(String bucket, List<? extends ConditionalWrite> changes, boolean isOrdered) {
        MongoCollection<BsonDocument> objects = mongoCollections.newest(bucket);
        BulkWriteOptions options = new BulkWriteOptions().ordered(isOrdered);
        var models = changes.stream().map(ConditionalWrite::model).toList();
        return recordDeletions(changes)
                .compose(noted -> publisherAdapter.first(objects.bulkWrite(transaction(), models, options)))
                .map(Optional::orElseThrow);
    }

    private Future<?> recordDeletions(List<? extends ConditionalWrite> changes) {
        List<TombstoneCollection.TombstoneRecord> ending = changes.stream()
                .flatMap(change -> change.tombstoneRecord().stream())
                .toList();
        return ending.isEmpty() ? Future.succeededFuture() : tombstoneCollection.recordAll(ending, transaction());
    }

    /** Returns the session of the transaction, which deletions and joint changes always have. */
    private ClientSession transaction() {
        return Objects.requireNonNull(session);
    }

    private Future<WriteOutcome> findAndReplace(
            ObjectRef ref, BsonDocument state, BsonDocument document, FindOneAndReplaceOptions options) {
        MongoCollection<BsonDocument> objects = mongoCollections.newest(ref.bucket());
        return stored(
                ref,
                publisherAdapter.first(
                        session == null
                                ? objects.findOneAndReplace(state, document, options)
                                : objects.findOneAndReplace(session, state, document, options)));
    }

    private static Future<WriteOutcome> stored(ObjectRef ref, Future<Optional<BsonDocument>> written) {
        return written.map(after -> after.map(stored -> DocumentDecoder.object(ref, stored))
                .orElseThrow(RetriableWriteException::byConcurrentWrite));
    }
}

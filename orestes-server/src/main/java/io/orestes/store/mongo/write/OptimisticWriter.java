package io.orestes.store.mongo.write;

import io.orestes.async.Batcher;
import io.orestes.async.ConflictBackoff;
import io.orestes.async.InFlightOperations;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.BatchValidator;
import io.orestes.store.BucketFence;
import io.orestes.store.WriteGuard;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.TransactionRunner;
import io.orestes.store.mongo.driver.WriteConflictException;
import io.orestes.store.mongo.driver.WriteInDoubtException;
import io.orestes.store.mongo.index.IndexManager;
import io.orestes.store.mongo.read.BatchLoader;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The executor of writes with optimistic concurrency control: read, check, write, and retry on
 * conflict. Used on the store's context only.
 */
public final class OptimisticWriter {

    private final Vertx vertx;
    private final WriteCommands writeCommands;
    private final InsertBatcher insertBatcher;
    private final BatchLoader newest;
    private final Optional<NoOpWriteConfirmation> confirmation;
    private final Batcher<ObjectRef, Long> ends;
    private final WritePlanner writePlanner;
    private final ConflictDiagnosis conflictDiagnosis;
    private final BucketFence bucketFence;
    private final KeyedMutex keyedMutex;
    private final InFlightOperations inFlightOperations;
    private final IndexManager indexManager;
    private final TransactionRunner transactionRunner;
    private final Duration maxWait;
    private final InDoubtWriteResolver inDoubt;
    private final RecentStateCache recent = new RecentStateCache();
    private final RandomGenerator random = new SplittableRandom();

    /**
     * @param newest reader of the newest states
     * @param confirmation confirmation of writes that change nothing; empty if the server has no
     *     linearizable reads
     * @param ends reader of the ends of objects' last lives, 0 where there is no tombstone
     * @param longest time after which a write is not retried
     */
    public OptimisticWriter(
            Vertx vertx,
            MongoCollections mongoCollections,
            PublisherAdapter publisherAdapter,
            TombstoneCollection tombstoneCollection,
            WriteCommands writeCommands,
            InsertBatcher insertBatcher,
            BatchLoader newest,
            Optional<NoOpWriteConfirmation> confirmation,
            Batcher<ObjectRef, Long> ends,
            WritePlanner writePlanner,
            ConflictDiagnosis conflictDiagnosis,
            BucketFence bucketFence,
            KeyedMutex keyedMutex,
            InFlightOperations inFlightOperations,
            IndexManager indexManager,
            TransactionRunner transactionRunner,
            Duration longest) {
        this.vertx = vertx;
        this.writeCommands = writeCommands;
        this.insertBatcher = insertBatcher;
        this.newest = newest;
        this.confirmation = confirmation;
        this.ends = ends;
        this.writePlanner = writePlanner;
        this.conflictDiagnosis = conflictDiagnosis;
        this.bucketFence = bucketFence;
        this.keyedMutex = keyedMutex;
        this.inFlightOperations = inFlightOperations;
        this.indexManager = indexManager;
        this.transactionRunner = transactionRunner;
        this.maxWait = longest;
        this.inDoubt = new InDoubtWriteResolver(
                vertx,
                mongoCollections,
                publisherAdapter,
                tombstoneCollection,
                conditionalWrite -> writeCommands.executeInTransaction(conditionalWrite, transactionRunner),
                InDoubtWriteResolver.HEALTHY_RESPONSE_TIME);
    }

    /** Executes one write of one object. */
    public Future<List<WriteOutcome>> write(Batch.StoreOperation write, WriteGuard guard) {
        WriteGuard gated = fenced(write, guard);
        Set<ObjectRef> refs = Set.of(write.ref());
        boolean[] isFirst = {true};
        return retryExclusively(refs, () -> {
            Future<Optional<CurrentObject>> before = isFirst[0] ? cachedState(write, gated) : newest.find(write.ref());
            isFirst[0] = false;
            return before.map(state ->
                            state.map(found -> Map.of(write.ref(), found)).orElse(Map.of()))
                    .compose(states -> confirmed(states, refs, some -> plan(write, gated, some)))
                    .compose(this::executeSingle);
        });
    }

    /**
     * Returns a guess at the state for the first attempt: absence for an insertion that no other
     * program can have made, else the state that this process wrote last. A wrong guess matches
     * nothing in MongoDB, and the next attempt reads the newest state.
     */
    private Future<Optional<CurrentObject>> cachedState(Batch.StoreOperation write, WriteGuard guard) {
        if (write instanceof Batch.InsertOperation && !DocumentIds.mayBeForeign(write.ref())) {
            return Future.succeededFuture(Optional.empty());
        }
        boolean isRead = write instanceof Batch.UpdateOperation || write instanceof Batch.InsertOperation;
        Optional<CurrentObject> known = isRead ? Optional.empty() : recent.of(write.ref());
        return known.filter(found -> isAllowed(write, guard, found.object()))
                .map(state -> Future.succeededFuture(Optional.of(state)))
                .orElseGet(() -> newest.find(write.ref()));
    }

    private static boolean isAllowed(Batch.StoreOperation write, WriteGuard guard, StoredObject state) {
        try {
            guard.check(write.ref(), Optional.of(state));
            return true;
        } catch (ApiException refused) {
            return false;
        }
    }

    /**
     * Plans the change of a write; empty if it deletes an absent object. Fails if the state does
     * not allow the write.
     */
    private Future<List<ConditionalWrite>> plan(
            Batch.StoreOperation write, WriteGuard guard, Map<ObjectRef, CurrentObject> states) {
        Optional<CurrentObject> state = Optional.ofNullable(states.get(write.ref()));
        guard.check(write.ref(), state.map(CurrentObject::object));
        Future<Long> end =
                WritePlanner.beginsLife(write, state) ? ends.submit(write.ref()) : Future.succeededFuture(0L);
        return end.map(ended -> writePlanner.of(write, state, ended).stream().toList());
    }

    /**
     * Plans by the states of the primary, {@linkplain NoOpWriteConfirmation confirmed} as far as
     * the commit does not prove the plan.
     */
    private Future<List<ConditionalWrite>> confirmed(
            Map<ObjectRef, CurrentObject> states,
            Set<ObjectRef> refs,
            Function<Map<ObjectRef, CurrentObject>, Future<List<ConditionalWrite>>> planner) {
        Future<List<ConditionalWrite>> plan = Future.succeededFuture(states).compose(planner);
        return confirmation.map(reads -> reads.confirm(plan, refs, planner)).orElse(plan);
    }

    private Future<WriteOutcome> execute(ConditionalWrite conditionalWrite) {
        return (conditionalWrite instanceof ConditionalWrite.ConditionalInsert creation
                        ? insertBatcher.insert(creation)
                        : executeAlone(conditionalWrite))
                .recover(failure -> failure instanceof WriteInDoubtException
                        ? inDoubt.resolve(conditionalWrite, failure)
                        : Future.failedFuture(failure))
                .onSuccess(outcome -> recent.put(outcome, conditionalWrite.completionRecords()))
                .onFailure(failure -> recent.evict(conditionalWrite.ref()))
                .recover(failure -> conflictDiagnosis.explain(failure, conditionalWrite));
    }

    /**
     * Executes a write alone. A deletion is committed together with its tombstone, by which it is
     * recognised if its response is lost.
     */
    private Future<WriteOutcome> executeAlone(ConditionalWrite conditionalWrite) {
        return conditionalWrite instanceof ConditionalWrite.ConditionalDelete
                ? writeCommands.executeInTransaction(conditionalWrite, transactionRunner)
                : writeCommands.execute(conditionalWrite);
    }

    /** Evicts the cached state of an object that another program may have written. */
    public void evict(ObjectRef ref) {
        recent.evict(ref);
    }

    /** Evicts the cached state of an object that a later one, of any program, has followed. */
    public void evictBefore(WriteOutcome later) {
        recent.evictBefore(later);
    }

    /** Commits all writes of a batch or none. */
    public Future<List<WriteOutcome>> commit(Batch batch) {
        Set<ObjectRef> ordered = Stream.concat(
                        batch.reads().stream().map(Batch.ReadSetEntry::ref),
                        batch.writes().stream().map(Batch.StoreOperation::ref))
                .collect(Collectors.toUnmodifiableSet());
        // many batches share the same assertions, and need not wait for one another
        Set<ObjectRef> refs = Stream.concat(
                        ordered.stream(), batch.assertions().stream().map(Batch.StateAssertion::ref))
                .collect(Collectors.toUnmodifiableSet());
        return retryExclusively(ordered, () -> commitOnce(batch, refs))
                .onComplete(done -> ordered.forEach(recent::evict));
    }

    /**
     * Makes one attempt. All reads must hold at one moment, even if almost nothing is written, and
     * several finds would be several moments.
     */
    private Future<List<WriteOutcome>> commitOnce(Batch batch, Set<ObjectRef> refs) {
        if (batch.writes().size() <= 1
                && batch.reads().size() <= 1
                && batch.assertions().isEmpty()) {
            return planAndExecute(batch, refs, (attempt, all) -> executeSingle(all), writeCommands)
                    .map(OptimisticWriter::outcomes);
        }
        return commitInTransaction(batch, refs, this::executeByBucket)
                .recover(failure -> MongoErrors.isSingleWriteError(failure)
                        ? commitInTransaction(batch, refs, this::oneByOne)
                        : Future.failedFuture(failure));
    }

    /** Commits by a transaction of MongoDB. */
    private Future<List<WriteOutcome>> commitInTransaction(Batch batch, Set<ObjectRef> refs, ChangeExecutor making) {
        return transactionRunner
                .run(session -> planAndExecute(batch, refs, making, writeCommands.in(session)))
                .map(OptimisticWriter::outcomes);
    }

    private static List<WriteOutcome> outcomes(List<ConditionalWrite> all) {
        return all.stream().map(ConditionalWrite::outcome).toList();
    }

    private Future<List<ConditionalWrite>> planAndExecute(
            Batch batch, Set<ObjectRef> refs, ChangeExecutor making, WriteCommands attempt) {
        return attempt.current(refs)
                .compose(states -> confirmed(states, refs, some -> plan(batch, some, attempt)))
                .compose(all -> making.execute(attempt, all).map(made -> all));
    }

    /** Plans the changes of a batch. Fails if the states do not allow it. */
    private Future<List<ConditionalWrite>> plan(
            Batch batch, Map<ObjectRef, CurrentObject> states, WriteCommands attempt) {
        requireCurrent(batch, states);
        return changes(batch, states, attempt);
    }

    private void requireCurrent(Batch batch, Map<ObjectRef, CurrentObject> states) {
        BatchValidator batchValidator = new BatchValidator(
                batch.writer(), ref -> Optional.ofNullable(states.get(ref)).map(CurrentObject::object));
        batch.writes()
                .forEach(write ->
                        batchValidator.compare(write.ref(), fenced(write, guardInBatch(write, batch.writer()))));
        batch.reads().forEach(batchValidator::compare);
        batch.assertions().forEach(batchValidator::compare);
        batchValidator.requireValid();
    }

    private Future<List<ConditionalWrite>> changes(
            Batch batch, Map<ObjectRef, CurrentObject> states, WriteCommands attempt) {
        List<ObjectRef> newObjects = batch.writes().stream()
                .filter(write -> WritePlanner.beginsLife(write, Optional.ofNullable(states.get(write.ref()))))
                .map(Batch.StoreOperation::ref)
                .toList();
        Future<Map<ObjectRef, Long>> ends =
                newObjects.isEmpty() ? Future.succeededFuture(Map.of()) : attempt.endsOfLastLives(newObjects);
        return ends.map(
                ended -> batch.writes().stream()
                        .flatMap(write -> writePlanner
                                .of(
                                        write,
                                        Optional.ofNullable(states.get(write.ref())),
                                        ended.getOrDefault(write.ref(), 0L))
                                .stream())
                        .toList());
    }

    /** A way to execute several changes, each of which must succeed. */
    private interface ChangeExecutor {
        Future<?> execute(WriteCommands attempt, List<ConditionalWrite> all);
    }

    /** Executes changes by one request for each bucket. */
    private Future<?> executeByBucket(WriteCommands attempt, List<ConditionalWrite> all) {
        Map<String, List<ConditionalWrite>> byBucket = all.stream()
                .collect(Collectors.groupingBy(
                        conditionalWrite -> conditionalWrite.ref().bucket(), LinkedHashMap::new, Collectors.toList()));
        Future<?> made = Future.succeededFuture();
        for (Map.Entry<String, List<ConditionalWrite>> bucket : byBucket.entrySet()) {
            made = made.compose(before -> attempt.executeAll(bucket.getKey(), bucket.getValue()));
        }
        return made;
    }

    /** Executes changes one after the other, so that a failure belongs to one of them. */
    private Future<?> oneByOne(WriteCommands attempt, List<ConditionalWrite> all) {
        Future<?> made = Future.succeededFuture();
        for (ConditionalWrite conditionalWrite : all) {
            made = made.compose(before -> attempt.execute(conditionalWrite))
                    .recover(failure -> conflictDiagnosis.explain(failure, conditionalWrite, all));
        }
        return made;
    }

    /** Executes at most one change, without a transaction of several. */
    private Future<List<WriteOutcome>> executeSingle(List<ConditionalWrite> all) {
        return Future.all(all.stream().map(this::execute).toList()).map(CompositeFuture::list);
    }

    private static WriteGuard guardInBatch(Batch.StoreOperation write, Principal writer) {
        return write instanceof Batch.UpdateOperation revision
                ? WriteGuard.permittedInBatch(revision, writer)
                : guard(write, writer);
    }

    /** Returns the guard of a write that is made alone. */
    public static WriteGuard guard(Batch.StoreOperation write, Principal writer) {
        if (write instanceof Batch.InsertOperation) {
            return WriteGuard.absent();
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return WriteGuard.permitted(replacement.precondition(), writer);
        }
        return write instanceof Batch.UpdateOperation revision
                ? WriteGuard.permittedExisting(revision.precondition(), writer)
                : WriteGuard.permitted(((Batch.DeleteOperation) write).precondition(), writer);
    }

    private WriteGuard fenced(Batch.StoreOperation write, WriteGuard guard) {
        if (write instanceof Batch.InsertOperation insertion) {
            return bucketFence.guardEpoch(guard, insertion.schemaEpoch());
        }
        if (write instanceof Batch.ReplaceOperation replacement) {
            return bucketFence.guardEpoch(guard, replacement.schemaEpoch());
        }
        return write instanceof Batch.UpdateOperation revision
                ? bucketFence.guardEpoch(guard, revision.schemaEpoch())
                : bucketFence.guardDrop(guard, ((Batch.DeleteOperation) write).schemaEpoch());
    }

    /**
     * Registers the attempts as operations in flight of all buckets concerned, nested in one
     * another.
     */
    private Future<List<WriteOutcome>> retryExclusively(
            Set<ObjectRef> refs, Supplier<Future<List<WriteOutcome>>> attempt) {
        Set<String> ids = refs.stream().map(ObjectRef::id).collect(Collectors.toUnmodifiableSet());
        // a write that has waited for so long fails at once in its turn, so that later ones do not
        // wait one by one
        long end = System.nanoTime() + maxWait.toNanos();
        Supplier<Future<List<WriteOutcome>>> visit =
                () -> System.nanoTime() - end > 0 ? Future.failedFuture(tooMany()) : new RetryLoop(attempt, end).next();
        for (String bucket : refs.stream().map(ObjectRef::bucket).collect(Collectors.toSet())) {
            Supplier<Future<List<WriteOutcome>>> inner = visit;
            visit = () -> inFlightOperations.track(bucket, inner);
        }
        return keyedMutex.runExclusively(ids, visit);
    }

    private static ApiException tooMany() {
        return MongoErrors.unavailable("Too many concurrent writes of the same objects");
    }

    /**
     * Repeated attempts until no other write is faster. Delays between them also limit the load
     * while a departed process still locks the objects.
     */
    private final class RetryLoop {

        private final Supplier<Future<List<WriteOutcome>>> attempt;
        private final ConflictBackoff conflictBackoff;

        /** @param end of the time for all attempts, by {@link System#nanoTime()} */
        private RetryLoop(Supplier<Future<List<WriteOutcome>>> attempt, long end) {
            this.attempt = attempt;
            this.conflictBackoff = new ConflictBackoff(vertx, end, random);
        }

        private Future<List<WriteOutcome>> next() {
            return Future.<Void>succeededFuture()
                    .compose(now -> attempt.get())
                    .recover(failure -> failure instanceof WriteConflictException writeConflictException
                            ? resolveIndexConflict(writeConflictException)
                                    .compose(done -> pause())
                                    .compose(over -> next())
                            : Future.failedFuture(failure));
        }

        private Future<Void> pause() {
            return conflictBackoff.isExpired() ? Future.failedFuture(tooMany()) : conflictBackoff.awaitNext();
        }
    }

    private Future<?> resolveIndexConflict(WriteConflictException writeConflictException) {
        return writeConflictException
                .parallelArraysBucket()
                .<Future<?>>map(indexManager::reduce)
                .orElseGet(Future::succeededFuture);
    }
}

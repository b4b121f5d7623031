package io.orestes.store.mongo.write;

import io.orestes.async.Loop;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.mongo.driver.MongoErrors;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The committer of batches, which commits all writes of a batch or none, by a transaction of
 * MongoDB. Used on the store's context only.
 */
public final class BatchCommitter {

    private final BatchPlanner batchPlanner;
    private final WriteCommands writeCommands;
    private final WriteRetrier writeRetrier;
    private final SingleWriteExecutor executor;
    private final WriteFailureDiagnosis writeFailureDiagnosis;

    public BatchCommitter(
            BatchPlanner batchPlanner,
            WriteCommands writeCommands,
            WriteRetrier writeRetrier,
            SingleWriteExecutor executor,
            WriteFailureDiagnosis writeFailureDiagnosis) {
        this.batchPlanner = batchPlanner;
        this.writeCommands = writeCommands;
        this.writeRetrier = writeRetrier;
        this.executor = executor;
        this.writeFailureDiagnosis = writeFailureDiagnosis;
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
        return writeRetrier
                .runExclusively(ordered, () -> commitOnce(batch, refs))
                .onComplete(done -> ordered.forEach(executor::evict));
    }

    /**
     * Makes one attempt. All reads must hold at one moment, even if almost nothing is written, and
     * several finds would be several moments.
     */
    private Future<List<WriteOutcome>> commitOnce(Batch batch, Set<ObjectRef> refs) {
        if (batch.writes().size() <= 1
                && batch.reads().size() <= 1
                && batch.assertions().isEmpty()) {
            return planAndExecute(batch, refs, writeCommands, (commands, all) -> executor.execute(all));
        }
        return commitInTransaction(batch, refs, BatchCommitter::executeByBucket)
                .recover(failure -> MongoErrors.isSingleWriteError(failure)
                        ? commitInTransaction(batch, refs, this::executeOneByOne)
                        : Future.failedFuture(failure));
    }

    private Future<List<WriteOutcome>> commitInTransaction(Batch batch, Set<ObjectRef> refs, ChangeExecutor execution) {
        return writeCommands.inTransaction(commands -> planAndExecute(batch, refs, commands, execution));
    }

    private Future<List<WriteOutcome>> planAndExecute(
            Batch batch, Set<ObjectRef> refs, WriteCommands commands, ChangeExecutor execution) {
        return batchPlanner.plan(batch, refs, commands).compose(all -> execution
                .execute(commands, all)
                .map(done -> all.stream().map(ConditionalWrite::outcome).toList()));
    }

    /** A way to execute several changes, each of which must succeed. */
    private interface ChangeExecutor {
        Future<?> execute(WriteCommands commands, List<ConditionalWrite> all);
    }

    /** Executes changes by one request for each bucket. */
    private static Future<?> executeByBucket(WriteCommands commands, List<ConditionalWrite> all) {
        Map<String, List<ConditionalWrite>> byBucket = all.stream()
                .collect(Collectors.groupingBy(
                        conditionalWrite -> conditionalWrite.ref().bucket(), LinkedHashMap::new, Collectors.toList()));
        return Loop.forEach(byBucket.entrySet(), bucket -> commands.executeAll(bucket.getKey(), bucket.getValue()));
    }

    /** Executes changes one after the other, so that a failure belongs to one of them. */
    private Future<?> executeOneByOne(WriteCommands commands, List<ConditionalWrite> all) {
        return Loop.forEach(all, conditionalWrite -> commands.execute(conditionalWrite)
                .recover(failure -> writeFailureDiagnosis.explain(failure, conditionalWrite, all)));
    }
}

package io.orestes.store.mongo.write;

import io.orestes.model.ObjectRef;
import io.orestes.store.Batch;
import io.orestes.store.BatchValidator;
import io.orestes.store.mongo.document.CurrentObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The planner of batches, which validates the states that a batch expects and plans all of its
 * changes. Used on the store's context only.
 */
public final class BatchPlanner {

    private final BucketFenceGuards bucketFenceGuards;
    private final WritePlanner writePlanner;
    private final UnchangedWriteConfirmation confirmation;

    public BatchPlanner(
            BucketFenceGuards bucketFenceGuards, WritePlanner writePlanner, UnchangedWriteConfirmation confirmation) {
        this.bucketFenceGuards = bucketFenceGuards;
        this.writePlanner = writePlanner;
        this.confirmation = confirmation;
    }

    /**
     * Plans the changes of a batch by the states that commands read. Fails if the states do not
     * allow it.
     *
     * @param refs all objects that the batch reads, asserts or writes
     */
    Future<List<ConditionalWrite>> plan(Batch batch, Set<ObjectRef> refs, WriteCommands writeCommands) {
        return writeCommands
                .current(refs)
                .compose(states -> confirmation.plan(states, refs, current -> plan(batch, current, writeCommands)));
    }

    private Future<List<ConditionalWrite>> plan(
            Batch batch, Map<ObjectRef, CurrentObject> states, WriteCommands writeCommands) {
        requireCurrent(batch, states);
        return writePlanner.plan(batch.writes(), states, writeCommands::endsOfLastLives);
    }

    private void requireCurrent(Batch batch, Map<ObjectRef, CurrentObject> states) {
        BatchValidator batchValidator = new BatchValidator(
                batch.writer(), ref -> Optional.ofNullable(states.get(ref)).map(CurrentObject::object));
        batch.writes()
                .forEach(
                        write -> batchValidator.compare(write.ref(), bucketFenceGuards.inBatch(write, batch.writer())));
        batch.reads().forEach(batchValidator::compare);
        batch.assertions().forEach(batchValidator::compare);
        batchValidator.requireValid();
    }
}

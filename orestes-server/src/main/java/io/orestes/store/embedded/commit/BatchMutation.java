package io.orestes.store.embedded.commit;

import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.BatchValidator;
import java.util.ArrayList;
import java.util.List;

/**
 * A mutation of several objects that is applied atomically, after validation of its read set. Only
 * one thread commits, so nothing changes between the validation and the changes.
 */
public final class BatchMutation extends Mutation<List<WriteOutcome>> {

    private final Batch batch;
    private final List<ObjectMutation<?>> changes;

    /**
     * @param changes the writes of the batch as mutations; their own promises are never completed
     */
    public BatchMutation(
            Batch batch, List<ObjectMutation<?>> changes, CallerContextPromise<List<WriteOutcome>> callerPromise) {
        super(callerPromise);
        this.batch = batch;
        this.changes = changes;
    }

    @Override
    List<UpdateMutation> updates() {
        return changes.stream().flatMap(change -> change.updates().stream()).toList();
    }

    @Override
    List<WriteOutcome> apply(CommitGroup commitGroup) {
        requireCurrent(commitGroup);
        return commitGroup.atomically(() -> applyAll(commitGroup));
    }

    private List<WriteOutcome> applyAll(CommitGroup commitGroup) {
        List<WriteOutcome> outcomes = new ArrayList<>();
        long unprepared = 0;
        for (ObjectMutation<?> change : changes) {
            change.applyInBatch(commitGroup).ifPresent(outcomes::add);
            unprepared += change.unpreparedBytes();
            if (unprepared > UpdateMutation.MAX_UNPREPARED_BYTES) {
                throw new PreparationRequiredException();
            }
        }
        return outcomes;
    }

    private void requireCurrent(CommitGroup commitGroup) {
        BatchValidator batchValidator = new BatchValidator(batch.writer(), commitGroup::current);
        changes.forEach(change -> batchValidator.compare(change.ref(), change.guard()));
        batch.reads().forEach(batchValidator::compare);
        batch.assertions().forEach(batchValidator::compare);
        batchValidator.requireValid();
    }
}

package io.orestes.store.mongo.write;

import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.WriteGuard;
import io.orestes.store.mongo.document.CurrentObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The writer of single objects by optimistic concurrency control. It reads the state of the object,
 * plans the next one and commits it only if the object is still in the state that was read. Used on
 * the store's context only.
 */
public final class OptimisticWriter {

    private final CurrentStateReader states;
    private final WritePlanner writePlanner;
    private final UnchangedWriteConfirmation confirmation;
    private final WriteRetrier writeRetrier;
    private final SingleWriteExecutor executor;

    public OptimisticWriter(
            CurrentStateReader states,
            WritePlanner writePlanner,
            UnchangedWriteConfirmation confirmation,
            WriteRetrier writeRetrier,
            SingleWriteExecutor executor) {
        this.states = states;
        this.writePlanner = writePlanner;
        this.confirmation = confirmation;
        this.writeRetrier = writeRetrier;
        this.executor = executor;
    }

    /** Executes one write of one object; returns no outcome for a deletion of nothing. */
    public Future<List<WriteOutcome>> write(Batch.StoreOperation write, WriteGuard guard) {
        Set<ObjectRef> refs = Set.of(write.ref());
        boolean[] isFirst = {true};
        return writeRetrier.runExclusively(refs, () -> {
            Future<Optional<CurrentObject>> before =
                    isFirst[0] ? states.guess(write, guard) : states.newest(write.ref());
            isFirst[0] = false;
            return before.map(state ->
                            state.map(found -> Map.of(write.ref(), found)).orElse(Map.of()))
                    .compose(found -> confirmation.plan(found, refs, some -> plan(write, guard, some)))
                    .compose(executor::execute);
        });
    }

    /** Plans the change of a write. Fails if the state does not allow the write. */
    private Future<List<ConditionalWrite>> plan(
            Batch.StoreOperation write, WriteGuard guard, Map<ObjectRef, CurrentObject> current) {
        CurrentObject state = current.get(write.ref());
        guard.check(write.ref(), state == null ? null : state.object());
        return writePlanner.plan(List.of(write), current, states::endsOfLastLives);
    }
}

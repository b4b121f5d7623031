package io.orestes.write;

import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes that keep an active admin, with the assertions and guard writes that ensure it at the
 * commit.
 *
 * @param writes in order
 * @param premises states that show it; empty if the writes cannot take an admin away
 * @param guards written with them, so that no other commit ends the premises at the same moment
 */
record AdminCheckedWrites(
        List<Batch.StoreOperation> writes, List<Batch.StateAssertion> premises, List<Batch.StoreOperation> guards) {

    AdminCheckedWrites {
        writes = List.copyOf(writes);
        premises = List.copyOf(premises);
        guards = List.copyOf(guards);
    }

    /** Whether they may be done without a batch. */
    boolean areIndependent() {
        return premises.isEmpty();
    }

    /** These as writes that fail in a batch as they would alone if there is no object. */
    AdminCheckedWrites alone() {
        return new AdminCheckedWrites(
                writes.stream().map(AdminCheckedWrites::alone).toList(), premises, guards);
    }

    /** An update of no object fails for its absence where its condition allows that. */
    private static Batch.StoreOperation alone(Batch.StoreOperation write) {
        return write instanceof Batch.UpdateOperation revision
                ? new Batch.UpdateOperation(
                        revision.ref(),
                        revision.update(),
                        revision.form(),
                        new Precondition.AnyCondition(
                                List.of(new Precondition.ObjectAbsent(), revision.precondition())))
                : write;
    }

    /** A batch of them and of records that are inserted beside them. */
    Batch batch(List<Batch.ReadSetEntry> reads, List<Batch.InsertOperation> records, Principal writer) {
        List<Batch.StoreOperation> all = Stream.of(writes, guards, records)
                .<Batch.StoreOperation>flatMap(List::stream)
                .toList();
        return new Batch(reads, premises, all, writer);
    }

    /** Outcomes of a batch without those of guards and records, each of which always has one. */
    List<WriteOutcome> own(Batch batch, List<WriteOutcome> outcomes) {
        return outcomes.subList(0, outcomes.size() - (batch.writes().size() - writes.size()));
    }
}

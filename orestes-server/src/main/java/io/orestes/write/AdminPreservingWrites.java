package io.orestes.write;

import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes that preserve an active admin, with the assertions and guard writes that ensure it at the
 * commit.
 *
 * @param writes in order
 * @param assertions states that prove it; empty if the writes cannot remove an admin
 * @param guards guard writes of the same batch, so that no concurrent commit invalidates the
 *     assertions
 */
record AdminPreservingWrites(
        List<Batch.StoreOperation> writes, List<Batch.StateAssertion> assertions, List<Batch.StoreOperation> guards) {

    AdminPreservingWrites {
        writes = List.copyOf(writes);
        assertions = List.copyOf(assertions);
        guards = List.copyOf(guards);
    }

    /** True if the writes may be committed without a batch. */
    boolean areIndependent() {
        return assertions.isEmpty();
    }

    /**
     * Returns these writes in a form that fails in a batch as each would alone if there is no
     * object.
     */
    AdminPreservingWrites withExistenceChecks() {
        return new AdminPreservingWrites(
                writes.stream().map(AdminPreservingWrites::alone).toList(), assertions, guards);
    }

    /**
     * Lets an update of an absent object fail for its absence, where its precondition allows that.
     */
    private static Batch.StoreOperation alone(Batch.StoreOperation write) {
        return write.mapUpdate(update -> new Batch.UpdateOperation(
                update.ref(),
                update.update(),
                update.schemaEpoch(),
                new Precondition.AnyCondition(List.of(new Precondition.ObjectAbsent(), update.precondition()))));
    }

    /** Creates a batch of the writes, the guard writes and records that are inserted with them. */
    Batch batch(List<Batch.ReadSetEntry> reads, List<Batch.InsertOperation> records, Principal writer) {
        List<Batch.StoreOperation> all = Stream.of(writes, guards, records)
                .<Batch.StoreOperation>flatMap(List::stream)
                .toList();
        return new Batch(reads, assertions, all, writer);
    }

    /** Returns the outcomes without those of guards and records, each of which always has one. */
    List<WriteOutcome> ownOutcomes(Batch batch, List<WriteOutcome> outcomes) {
        return outcomes.subList(0, outcomes.size() - (batch.writes().size() - writes.size()));
    }
}

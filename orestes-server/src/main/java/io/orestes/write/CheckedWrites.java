package io.orestes.write;

import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.Batch;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes that leave an active admin.
 *
 * @param writes in order
 * @param premises states that show it; empty if the writes cannot take an admin away
 * @param guards written with them, so that no other commit ends the premises at the same moment
 */
record CheckedWrites(List<Batch.Write> writes, List<Batch.Premise> premises, List<Batch.Write> guards) {

    CheckedWrites {
        writes = List.copyOf(writes);
        premises = List.copyOf(premises);
        guards = List.copyOf(guards);
    }

    /** Whether they may be done without a batch. */
    boolean areIndependent() {
        return premises.isEmpty();
    }

    /** These as writes that fail in a batch as they would alone if there is no object. */
    CheckedWrites alone() {
        return new CheckedWrites(writes.stream().map(CheckedWrites::alone).toList(), premises, guards);
    }

    /** An update of no object fails for its absence where its condition allows that. */
    private static Batch.Write alone(Batch.Write write) {
        return write instanceof Batch.Revision revision
                ? new Batch.Revision(
                        revision.ref(),
                        revision.update(),
                        revision.form(),
                        new Precondition.OneOf(List.of(new Precondition.NoObject(), revision.precondition())))
                : write;
    }

    /** A batch of them and of records that are inserted beside them. */
    Batch batch(List<Batch.Read> reads, List<Batch.Insertion> records, Principal writer) {
        List<Batch.Write> all = Stream.of(writes, guards, records)
                .<Batch.Write>flatMap(List::stream)
                .toList();
        return new Batch(reads, premises, all, writer);
    }

    /** Outcomes of a batch without those of guards and records, each of which always has one. */
    List<Outcome> own(Batch batch, List<Outcome> outcomes) {
        return outcomes.subList(0, outcomes.size() - (batch.writes().size() - writes.size()));
    }
}

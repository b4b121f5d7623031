package io.orestes.store.embedded;

import io.orestes.model.Outcome;
import io.orestes.store.Batch;
import io.orestes.store.Expectations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes of several objects, all or none. As one thread commits, what it finds while it checks is what its changes
 * follow.
 */
final class Commit extends Mutation<List<Outcome>> {

    private final Batch batch;
    private final List<SingleMutation<?>> changes;

    /** @param changes that the writes of the batch are; their own replies stay unanswered */
    Commit(Batch batch, List<SingleMutation<?>> changes, Reply<List<Outcome>> reply) {
        super(reply);
        this.batch = batch;
        this.changes = changes;
    }

    @Override
    List<Revision> revisions() {
        return changes.stream().flatMap(change -> change.revisions().stream()).toList();
    }

    @Override
    List<Outcome> apply(Group group) {
        requireCurrent(group);
        return group.whole(() -> applyAll(group));
    }

    private List<Outcome> applyAll(Group group) {
        List<Outcome> outcomes = new ArrayList<>();
        long unprepared = 0;
        for (SingleMutation<?> change : changes) {
            outcome(change.apply(group)).ifPresent(outcomes::add);
            unprepared += change.unprepared();
            if (unprepared > Revision.MOST_UNPREPARED) {
                throw new Unprepared();
            }
        }
        return outcomes;
    }

    /** A deletion of nothing has none. */
    private static Optional<Outcome> outcome(Object applied) {
        return (applied instanceof Optional<?> maybe ? maybe : Optional.of(applied)).map(Outcome.class::cast);
    }

    private void requireCurrent(Group group) {
        Expectations expectations = new Expectations(batch.writer(), group::current);
        changes.forEach(change -> expectations.compare(change.ref(), change.guard()));
        batch.reads().forEach(expectations::compare);
        batch.premises().forEach(expectations::compare);
        expectations.requireMet();
    }
}

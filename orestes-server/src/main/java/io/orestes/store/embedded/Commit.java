package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Outcome;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Changes of several objects, all or none. As one thread commits, what it finds while it checks is what its changes
 * follow.
 */
final class Commit extends Mutation<List<Outcome>> {

    private final List<Batch.Read> reads;
    private final List<SingleMutation<?>> changes;
    private final Principal writer;

    /** @param changes their own replies stay unanswered */
    Commit(List<Batch.Read> reads, List<SingleMutation<?>> changes, Principal writer, Reply<List<Outcome>> reply) {
        super(reply);
        this.reads = reads;
        this.changes = changes;
        this.writer = writer;
    }

    @Override
    List<Outcome> apply(Group group) {
        requireCurrent(group);
        return group.whole(() -> applyAll(group));
    }

    private List<Outcome> applyAll(Group group) {
        List<Outcome> outcomes = new ArrayList<>();
        for (SingleMutation<?> change : changes) {
            outcome(change.apply(group)).ifPresent(outcomes::add);
        }
        return outcomes;
    }

    /** A deletion of nothing has none. */
    private static Optional<Outcome> outcome(Object applied) {
        return (applied instanceof Optional<?> maybe ? maybe : Optional.of(applied)).map(Outcome.class::cast);
    }

    /** Other reasons than stale versions count at once; of stale objects all are told. */
    private void requireCurrent(Group group) {
        Set<String> stale = new LinkedHashSet<>();
        for (SingleMutation<?> change : changes) {
            if (isStale(change, group)) {
                stale.add(change.ref().id());
            }
        }
        for (Batch.Read read : reads) {
            if (!read.precondition().allows(readable(group.current(read.ref())))) {
                stale.add(read.ref().id());
            }
        }
        if (!stale.isEmpty()) {
            throw outOfDate(stale);
        }
    }

    private static boolean isStale(SingleMutation<?> change, Group group) {
        try {
            change.check(group);
            return false;
        } catch (ApiException refused) {
            if (refused.code() == ErrorCode.OBJECT_OUT_OF_DATE) {
                return true;
            }
            throw refused;
        }
    }

    private Optional<StoredObject> readable(Optional<StoredObject> found) {
        return found.filter(object -> object.acl().read().permits(writer));
    }

    private static ApiException outOfDate(Set<String> stale) {
        BsonArray ids = new BsonArray(stale.stream().map(BsonString::new).toList());
        String first = stale.iterator().next();
        return new ApiException(
                        ErrorCode.OBJECT_OUT_OF_DATE,
                        stale.size() == 1
                                ? "The object " + first + " is out of date"
                                : "The object " + first + " is out of date, and " + (stale.size() - 1) + " more")
                .withData(new BsonDocument("stale", ids));
    }
}

package io.orestes.store.embedded;

import io.invalidb.query.Filter;
import io.invalidb.query.PathConstraint;
import io.orestes.model.StoredObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/** Chooses the access path for a filter: ids if it names them, else the index that narrows most, else all of the bucket. */
final class Planner {

    private Planner() {}

    /**
     * The path to take.
     *
     * @param indexes those that may be used, oldest first
     */
    static AccessPath plan(String bucket, Filter filter, List<IndexDefinition> indexes) {
        List<PathConstraint> constraints = filter.constraints();
        Optional<AccessPath> byId = constraints.stream()
                .filter(constraint -> constraint.path().equals(StoredObject.ID))
                .flatMap(constraint -> lookup(bucket, constraint).stream())
                .findFirst();
        return byId.or(() -> byIndex(constraints, indexes))
                .orElseGet(() -> new AccessPath.Scan(KeyRange.bucket(bucket)));
    }

    private static Optional<AccessPath> lookup(String bucket, PathConstraint constraint) {
        if (!(constraint instanceof PathConstraint.OneOf oneOf)) {
            return Optional.empty();
        }
        String prefix = "/db/" + bucket + "/";
        return Optional.of(new AccessPath.Lookup(oneOf.anyOf().stream()
                .filter(BsonValue::isString)
                .map(id -> id.asString().getValue())
                .filter(id -> id.startsWith(prefix) && id.chars().allMatch(c -> c < 128))
                .distinct()
                .sorted()
                .toList()));
    }

    private static Optional<AccessPath> byIndex(List<PathConstraint> constraints, List<IndexDefinition> indexes) {
        List<IndexUse> uses = new ArrayList<>();
        indexes.forEach(index -> uses.add(IndexUse.of(index, constraints)));
        return uses.stream()
                .filter(IndexUse::narrows)
                .max(Comparator.comparingInt(IndexUse::rank))
                .map(IndexUse::path);
    }
}

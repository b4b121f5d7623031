package io.orestes.store.embedded;

import io.invalidb.query.PathConstraint;
import io.invalidb.query.Requirement;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonValue;

/**
 * Chooses how to reach the objects that a query is about: by ids if it names them, else by the index that narrows most, by one
 * such way for each branch of an {@code $or}, else through all of the bucket.
 */
final class Planner {

    /** Of a list of ids. */
    private static final int BEST_RANK = Integer.MAX_VALUE;

    private final String bucket;
    private final List<IndexDefinition> indexes;

    /** @param indexes those that may be used, oldest first */
    Planner(String bucket, List<IndexDefinition> indexes) {
        this.bucket = bucket;
        this.indexes = indexes;
    }

    /**
     * A way.
     *
     * @param rank how far it narrows, 0 if not at all
     */
    record Plan(AccessPath path, int rank) {}

    Plan plan(Requirement requirement) {
        return best(requirement).orElseGet(() -> new Plan(new AccessPath.Scan(KeyRange.bucket(bucket)), 0));
    }

    /**
     * A way that leads to objects in the order of the query's page, if an index has that order and narrows at least as far as
     * another way would.
     */
    Optional<OrderedPath> ordered(StoreQuery query, int least) {
        List<Requirement> parts = parts(query.filter().lookups());
        return query.limit() == StoreQuery.UNLIMITED
                ? Optional.empty()
                : indexes.stream()
                        .map(index -> IndexUse.of(index, parts))
                        .filter(use -> use.rank() >= least)
                        .sorted(Comparator.comparingInt(IndexUse::rank).reversed())
                        .flatMap(use -> OrderedPath.of(use, query).stream())
                        .findFirst();
    }

    private Optional<Plan> best(Requirement requirement) {
        List<Requirement> parts = parts(requirement);
        return Stream.concat(
                        parts.stream().flatMap(part -> byIds(part).stream()),
                        Stream.concat(
                                byIndex(parts).stream(), parts.stream().flatMap(part -> byBranches(part).stream())))
                .max(Comparator.comparingInt(Plan::rank));
    }

    private static List<Requirement> parts(Requirement requirement) {
        List<Requirement> parts = requirement instanceof Requirement.All all ? all.parts() : List.of(requirement);
        return parts.stream()
                .map(part -> part instanceof PathConstraint.Prefix prefix ? prefix.range() : part)
                .toList();
    }

    private Optional<Plan> byIds(Requirement part) {
        return part instanceof PathConstraint.OneOf oneOf && oneOf.path().equals(StoredObject.ID)
                ? Optional.of(new Plan(lookup(oneOf), BEST_RANK))
                : Optional.empty();
    }

    private AccessPath lookup(PathConstraint.OneOf ids) {
        String prefix = "/db/" + bucket + "/";
        return new AccessPath.Lookup(ids.anyOf().stream()
                .filter(BsonValue::isString)
                .map(id -> id.asString().getValue())
                .filter(id -> id.startsWith(prefix) && id.chars().allMatch(c -> c < 128))
                .distinct()
                .sorted()
                .toList());
    }

    private Optional<Plan> byIndex(List<Requirement> parts) {
        return indexes.stream()
                .map(index -> IndexUse.of(index, parts))
                .filter(use -> use.rank() > 0)
                .max(Comparator.comparingInt(IndexUse::rank))
                .map(use -> new Plan(use.path(), use.rank()));
    }

    /** Is no better than its worst branch. */
    private Optional<Plan> byBranches(Requirement part) {
        if (!(part instanceof Requirement.Any any)) {
            return Optional.empty();
        }
        int rank = BEST_RANK;
        List<AccessPath> paths = new ArrayList<>();
        for (Requirement branch : any.branches()) {
            Optional<Plan> plan = best(branch);
            if (plan.isEmpty()) {
                return plan;
            }
            rank = Math.min(rank, plan.get().rank());
            paths.add(plan.get().path());
        }
        return Optional.of(new Plan(new AccessPath.Union(KeyRange.bucket(bucket), paths), rank));
    }
}

package io.orestes.store.embedded.query;

import io.invalidb.query.filter.NecessaryCondition;
import io.invalidb.query.filter.PathConstraint;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonValue;

/**
 * A query planner that chooses the most selective access path: ids, an index, a union, or a full
 * scan. It reads objects by ids if the query names them. Else it takes the most selective index, or
 * one path for each branch of an {@code $or}. Else it scans the whole bucket.
 */
final class QueryPlanner {

    /** Rank of a list of ids. */
    private static final int BEST_RANK = Integer.MAX_VALUE;

    private final String bucket;
    private final List<EmbeddedIndexDefinition> indexes;

    /** @param indexes those that may be used, oldest first */
    QueryPlanner(String bucket, List<EmbeddedIndexDefinition> indexes) {
        this.bucket = bucket;
        this.indexes = indexes;
    }

    /**
     * A query plan: an access path and the rank of its selectivity.
     *
     * @param rank selectivity, 0 if it leads to all objects
     */
    record QueryPlan(AccessPath path, int rank) {}

    QueryPlan plan(NecessaryCondition necessaryCondition) {
        return best(necessaryCondition)
                .orElseGet(() -> new QueryPlan(new AccessPath.RangeScan(KeyRange.bucket(bucket)), 0));
    }

    /**
     * Returns a scan in the order of the query's page, if an index has that order and a rank of at
     * least {@code least}.
     */
    Optional<OrderedIndexScan> ordered(StoreQuery query, int least) {
        IndexableConditions conditions = IndexableConditions.of(query.filter().lookupCondition());
        return query.limit() == StoreQuery.UNLIMITED
                ? Optional.empty()
                : indexes.stream()
                        .map(index -> IndexCandidate.of(index, conditions))
                        .filter(use -> use.rank() >= least)
                        .sorted(Comparator.comparingInt(IndexCandidate::rank).reversed())
                        .flatMap(use -> OrderedIndexScan.of(use, query).stream())
                        .findFirst();
    }

    private Optional<QueryPlan> best(NecessaryCondition necessaryCondition) {
        IndexableConditions conditions = IndexableConditions.of(necessaryCondition);
        Stream<QueryPlan> byIds = conditions.equalities().stream()
                .filter(oneOf -> oneOf.path().equals(StoredObject.ID))
                .map(ids -> new QueryPlan(lookup(ids), BEST_RANK));
        Stream<QueryPlan> byBranches = conditions.disjunctions().stream().flatMap(any -> byBranches(any).stream());
        return Stream.concat(byIds, Stream.concat(byIndex(conditions).stream(), byBranches))
                .max(Comparator.comparingInt(QueryPlan::rank));
    }

    private AccessPath lookup(PathConstraint.OneOf ids) {
        String prefix = "/db/" + bucket + "/";
        return new AccessPath.IdLookup(ids.anyOf().stream()
                .filter(BsonValue::isString)
                .map(id -> id.asString().getValue())
                .filter(id -> id.startsWith(prefix) && id.chars().allMatch(c -> c < 128))
                .distinct()
                .sorted()
                .toList());
    }

    private Optional<QueryPlan> byIndex(IndexableConditions conditions) {
        return indexes.stream()
                .map(index -> IndexCandidate.of(index, conditions))
                .filter(use -> use.rank() > 0)
                .max(Comparator.comparingInt(IndexCandidate::rank))
                .map(use -> new QueryPlan(use.path(), use.rank()));
    }

    /**
     * Returns a plan for the branches of an {@code $or}, whose rank is that of its worst branch.
     */
    private Optional<QueryPlan> byBranches(NecessaryCondition.Any any) {
        int rank = BEST_RANK;
        List<AccessPath> paths = new ArrayList<>();
        for (NecessaryCondition branch : any.branches()) {
            Optional<QueryPlan> queryPlan = best(branch);
            if (queryPlan.isEmpty()) {
                return queryPlan;
            }
            rank = Math.min(rank, queryPlan.get().rank());
            paths.add(queryPlan.get().path());
        }
        return Optional.of(new QueryPlan(new AccessPath.UnionScan(KeyRange.bucket(bucket), paths), rank));
    }
}

package io.orestes.bench.matching;

import io.invalidb.matching.cell.FilterCell;
import io.invalidb.matching.cell.RetentionLimits;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.query.filter.Filter;
import io.orestes.bench.harness.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/** Measures one cell of the matching grid, and the naive loops over all queries as a comparison. */
final class Cells {

    private static final Instant NOW = Instant.EPOCH;
    private static final int SETTLING = 1_000;

    private Cells() {}

    static FilterCell empty() {
        return new FilterCell(new RetentionLimits(Duration.ofSeconds(30), 1_000), failed -> {});
    }

    static FilterCell filled(Workload workload, int queries) {
        FilterCell cell = empty();
        for (int i = 0; i < queries; i++) {
            var ignored = cell.subscribe(workload.query(i), new StreamPosition(0), Map.of());
        }
        return cell;
    }

    /** Consumes the events of a write; returns a number, so that no compiler removes the work. */
    interface Delivery {
        long deliver(List<MatchEvent> events);
    }

    /** Returns writes per second of a cell, after a warm-up by which it learns the selectivity. */
    static double writesPerSecond(FilterCell cell, Workload workload, Delivery delivery) {
        Writes writes = new Writes(workload.documents());
        for (long number = 0; number < SETTLING; number++) {
            long ignored = delivery.deliver(cell.onWrite(number, writes.write(number), NOW));
        }
        return Loop.perSecond(
                number -> delivery.deliver(cell.onWrite(number + SETTLING, writes.write(number + SETTLING), NOW)));
    }

    static double writesPerSecond(FilterCell cell, Workload workload) {
        return writesPerSecond(cell, workload, List::size);
    }

    /** Writes per second when every filter is evaluated on every document. */
    static double naivePerSecond(Workload workload, int queries) {
        List<Filter> filters = IntStream.range(0, queries)
                .mapToObj(i -> Filter.parse(workload.filter(i)))
                .toList();
        List<BsonDocument> documents = workload.documents();
        return Loop.slowPerSecond(number -> {
            BsonDocument document = documents.get((int) (number % documents.size()));
            long matches = 0;
            for (int i = 0; i < filters.size(); i++) {
                matches += filters.get(i).matches(document) ? 1 : 0;
            }
            return matches;
        });
    }

    /**
     * Writes per second when every query is Java code that was written for it, called one after the
     * other.
     */
    static double compiledPerSecond(Workload workload, int queries) {
        List<Predicate<BsonDocument>> predicates =
                IntStream.range(0, queries).mapToObj(workload::compiled).toList();
        List<BsonDocument> documents = workload.documents();
        return Loop.slowPerSecond(number -> {
            BsonDocument document = documents.get((int) (number % documents.size()));
            long matches = 0;
            for (int i = 0; i < predicates.size(); i++) {
                matches += predicates.get(i).test(document) ? 1 : 0;
            }
            return matches;
        });
    }
}

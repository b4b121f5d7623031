package io.orestes.bench;

import io.invalidb.matching.FilterCell;
import io.invalidb.matching.Retention;
import io.invalidb.model.Position;
import io.invalidb.query.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/** Measures one cell of the matching grid, and the loops over all queries that it has to beat. */
final class Cells {

    private static final Instant NOW = Instant.EPOCH;

    private Cells() {}

    static FilterCell empty() {
        return new FilterCell(new Retention(Duration.ofSeconds(30), 1_000), failed -> {});
    }

    static FilterCell filled(Workload workload, int queries) {
        FilterCell cell = empty();
        for (int i = 0; i < queries; i++) {
            var ignored = cell.subscribe(workload.query(i), new Position(0), Map.of());
        }
        return cell;
    }

    /** Writes per second of a cell. */
    static double writesPerSecond(FilterCell cell, Workload workload) {
        Writes writes = new Writes(workload.documents());
        return Loop.perSecond(
                number -> cell.onWrite(number + 1, writes.write(number), NOW).size());
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

    /** Writes per second when every query is Java code that was written for it, called one after the other. */
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

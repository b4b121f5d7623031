package io.orestes.live;

import io.orestes.invalidb.GridLoadReport;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchingLatency;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriter;
import org.bson.json.JsonWriterSettings;

/**
 * The operator's view of all live queries of this server, with an operation that ends one.
 * Thread-safe.
 */
public final class LiveQueryInspector {

    private static final Comparator<Rank> BY_SUBSCRIBERS = Comparator.comparingInt(Rank::subscribers)
            .thenComparingLong(Rank::events)
            .reversed()
            .thenComparing(rank -> rank.live().epoch());

    /**
     * Maximum length of the text of a filter, in characters. A filter may be as long as a request,
     * and the rest is not rendered at all.
     */
    private static final int MAX_TEXT_LENGTH = 2_000;

    private static final JsonWriterSettings SHORT = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .maxLength(MAX_TEXT_LENGTH)
            .build();

    private final LiveQueries queries;
    private final InvalidbClient matching;
    private final MatchingLatency latency;

    public LiveQueryInspector(LiveQueries queries, InvalidbClient matching, MatchingLatency latency) {
        this.queries = queries;
        this.matching = matching;
        this.latency = latency;
    }

    /**
     * Returns some of the queries, those with most subscribers first.
     *
     * @param start number of queries to skip
     * @param most maximum number of returned queries
     */
    public LiveQueryPage page(int start, int most) {
        List<Rank> all = queries.all().stream()
                .map(live -> new Rank(live, live.subscriberCount(), live.eventCount()))
                .sorted(BY_SUBSCRIBERS)
                .toList();
        int subscribers = all.stream().mapToInt(Rank::subscribers).sum();
        return new LiveQueryPage(
                all.size(),
                subscribers,
                GridStatistics.of(matching.load()),
                latency.buckets().stream().map(LatencyCount::of).toList(),
                all.stream()
                        .skip(start)
                        .limit(most)
                        .map(LiveQueryInspector::state)
                        .toList());
    }

    /**
     * Ends a query and notifies its subscribers, which may subscribe again. False if the query does
     * not exist any more.
     */
    public boolean end(String id) {
        Optional<LiveQuery> found =
                queries.all().stream().filter(live -> live.epoch().equals(id)).findFirst();
        found.ifPresent(live -> queries.fail(
                live.query().id(),
                new ApiException(ErrorCode.UNAVAILABLE, "An admin has ended this live query; subscribe again")));
        return found.isPresent();
    }

    /** The sort key of a query, read once because it changes meanwhile. */
    private record Rank(LiveQuery live, int subscribers, long events) {}

    private static LiveQueryReport state(Rank rank) {
        LiveQuery live = rank.live();
        return new LiveQueryReport(
                live.epoch(),
                live.query().bucket(),
                text(live.query().filter().normalForm()),
                rank.subscribers(),
                rank.events(),
                live.sinceMillis(),
                live instanceof SortedQuery sorted ? sorted.window() : null,
                live instanceof AggregateQuery aggregate ? aggregate.spec().toString() : null);
    }

    private static String text(BsonDocument filter) {
        StringWriter text = new StringWriter();
        new JsonWriter(text, SHORT).pipe(new BsonDocumentReader(filter));
        return text.getBuffer().length() < MAX_TEXT_LENGTH ? text.toString() : text + "…";
    }

    /**
     * One page of the list of live queries, with totals over all of them.
     *
     * @param total number of live queries
     * @param subscribers number of subscribers of all queries
     * @param latency number of writes by matching latency
     */
    public record LiveQueryPage(
            int total,
            int subscribers,
            GridStatistics grid,
            List<LatencyCount> latency,
            List<LiveQueryReport> queries) {

        public LiveQueryPage {
            latency = List.copyOf(latency);
            queries = List.copyOf(queries);
        }
    }

    /**
     * Statistics of the matching grid: queries of each row and the work of each cell.
     *
     * @param queriesByRow number of queries in each row, including those of cached results
     * @param cells row by row; each column gets a share of the writes
     */
    public record GridStatistics(List<Integer> queriesByRow, List<List<CellStatistics>> cells) {

        public GridStatistics {
            queriesByRow = List.copyOf(queriesByRow);
            cells = cells.stream().map(List::copyOf).toList();
        }

        private static GridStatistics of(GridLoadReport load) {
            return new GridStatistics(
                    load.queriesByRow(),
                    load.cells().stream()
                            .map(row -> row.stream().map(CellStatistics::of).toList())
                            .toList());
        }
    }

    /**
     * Statistics of one cell since it was started: writes, filter evaluations and match events.
     *
     * @param writes writes that it received, to classes with queries
     * @param evaluations filters that were evaluated on them
     * @param events changes of results that they caused
     */
    public record CellStatistics(long writes, long evaluations, long events) {

        private static CellStatistics of(GridLoadReport.CellLoad cellStatistics) {
            return new CellStatistics(cellStatistics.writes(), cellStatistics.evaluations(), cellStatistics.events());
        }
    }

    /**
     * The number of writes whose matching latency lies in one interval.
     *
     * @param atMostMillis upper bound of the latency, above that of the interval before;
     *     infinite for the last
     */
    public record LatencyCount(double atMostMillis, long count) {

        private static LatencyCount of(MatchingLatency.LatencyBucket bucket) {
            return new LatencyCount(bucket.atMostMillis(), bucket.count());
        }
    }
}

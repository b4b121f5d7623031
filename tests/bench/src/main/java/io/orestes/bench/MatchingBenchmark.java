package io.orestes.bench;

import io.invalidb.matching.FilterCell;
import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.Retention;
import io.invalidb.model.Operation;
import io.invalidb.model.Position;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Writes per second that one cell matches against ranges of one field, of which each write meets about one (InvaliDB,
 * VLDB 2020, section 6).
 */
final class MatchingBenchmark implements Benchmark {

    private static final List<Integer> QUERIES = List.of(100, 1_000, 10_000);
    private static final Instant NOW = Instant.EPOCH;

    @Override
    public String group() {
        return "invalidb";
    }

    @Override
    public List<String> ids() {
        return QUERIES.stream().map(MatchingBenchmark::id).toList();
    }

    private static String id(int queries) {
        return "cell-ranges-" + queries;
    }

    @Override
    public void run(Lab lab, Consumer<Figure> report) {
        QUERIES.forEach(
                queries -> report.accept(new Figure(id(queries), writesPerSecond(queries), "writes/s", Goal.NONE, "")));
    }

    private static double writesPerSecond(int queries) {
        FilterCell cell = new FilterCell(new Retention(Duration.ofSeconds(30), 1_000), failed -> {});
        for (int i = 0; i < queries; i++) {
            var ignored = cell.subscribe(range(i), new Position(0), Map.of());
        }
        List<BsonDocument> documents =
                IntStream.range(0, 1_000).mapToObj(i -> document(i, queries)).toList();
        return Loop.perSecond(number ->
                cell.onWrite(number + 1, write(number, documents), NOW).size());
    }

    private static QuerySpec range(int from) {
        BsonDocument bounds = new BsonDocument("$gte", new BsonInt64(from)).append("$lt", new BsonInt64(from + 1));
        return new QuerySpec("range-" + from, "Test", Filter.parse(new BsonDocument("random", bounds)));
    }

    /** Five texts and five numbers, as in the paper. */
    private static BsonDocument document(int number, int queries) {
        BsonDocument document = new BsonDocument("_id", new BsonString("/db/Test/" + number));
        for (int i = 0; i < 5; i++) {
            document.append("text" + i, new BsonString("0123456789"))
                    .append("number" + i, new BsonInt64(number * 31L + i));
        }
        return document.append("random", new BsonInt64(number * 7919L % queries));
    }

    private static WriteEvent write(long number, List<BsonDocument> documents) {
        BsonDocument document = documents.get((int) (number % documents.size()));
        String id = document.getString("_id").getValue();
        return new WriteEvent.Upsert("Test", id, new Stamp(1, number + 1), Operation.UPDATE, document);
    }
}

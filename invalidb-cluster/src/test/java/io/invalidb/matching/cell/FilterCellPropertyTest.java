package io.invalidb.matching.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.query.filter.Filter;
import io.orestes.support.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client that only applies events ends up with the result of a fresh query. This is independent
 * of late, duplicate and reordered writes, and of the time of its subscription.
 */
final class FilterCellPropertyTest {

    private static final int COMMITS = 60;
    private static final QuerySpec QUERY =
            new QuerySpec("q", "Todo", Filter.parse(BsonDocument.parse("{n: {$gt: 0}}")));

    static LongStream seeds() {
        return Scope.seeds(200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void foldedEvents_equalFreshQuery(long seed) {
        Random random = new Random(seed);
        History history = History.random(random, COMMITS);
        int positionAt = random.nextInt(COMMITS);
        int executedAt = positionAt + random.nextInt(COMMITS - positionAt);
        Map<String, VersionStamp> initial = history.resultAfter(executedAt);

        List<MatchEvent> events = run(history, positionAt, initial, random);

        assertThat(History.folded(initial, events)).isEqualTo(history.resultAfter(COMMITS));
    }

    /**
     * Writes committed before the position may be published before or after it; those after it only
     * after it.
     */
    private static List<MatchEvent> run(
            History history, int positionAt, Map<String, VersionStamp> initial, Random random) {
        FilterCell cell = new FilterCell(new RetentionLimits(Duration.ofHours(1), 10 * COMMITS), failed -> {});
        int inTime = random.nextInt(positionAt + 1);
        List<WriteEvent> early = published(history.writes().subList(0, inTime), random);
        List<WriteEvent> late = published(history.writes().subList(inTime, COMMITS), random);
        int subscribedAt = random.nextInt(late.size() + 1);
        List<MatchEvent> events = new ArrayList<>();

        long sequence = feed(cell, early, 0, events);
        StreamPosition since = new StreamPosition(sequence);
        sequence = feed(cell, late.subList(0, subscribedAt), sequence, events);
        events.addAll(cell.subscribe(QUERY, since, initial));
        sequence = feed(cell, late.subList(subscribedAt, late.size()), sequence, events);
        assertThat(sequence).isEqualTo(early.size() + late.size());
        return events;
    }

    private static long feed(FilterCell cell, List<WriteEvent> writes, long sequence, List<MatchEvent> events) {
        long last = sequence;
        for (WriteEvent write : writes) {
            events.addAll(cell.onWrite(++last, write, Instant.EPOCH));
        }
        return last;
    }

    /**
     * Returns the writes, some twice, and in another order: every write is moved by up to some
     * positions.
     */
    private static List<WriteEvent> published(List<WriteEvent> committed, Random random) {
        List<WriteEvent> published = new ArrayList<>(committed);
        committed.stream().filter(write -> random.nextInt(5) == 0).forEach(published::add);
        if (random.nextBoolean()) {
            Collections.shuffle(published, random);
        }
        for (int i = 1; i < published.size(); i++) {
            Collections.swap(published, i, Math.max(0, i - random.nextInt(5)));
        }
        return published;
    }
}

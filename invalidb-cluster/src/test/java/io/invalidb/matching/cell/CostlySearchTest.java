package io.invalidb.matching.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.FailedQuery;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.MatchEvent;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.filter.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** A search for the maximum number of words, all with one hash code, on texts of such words. */
final class CostlySearchTest {

    private static final int WORDS = 300;
    private static final Duration TICK = Duration.ofSeconds(5);

    private final List<FailedQuery> failures = new ArrayList<>();
    private final FilterCell cell = new FilterCell(new RetentionLimits(Duration.ofSeconds(10), 100), failures::add);
    private Instant now = Instant.EPOCH;
    private long version;

    CostlySearchTest() {
        subscribe("honest", new BsonDocument("n", new BsonInt32(5)));
        subscribe("search", new BsonDocument("$text", new BsonDocument("$search", new BsonString(words(0, WORDS)))));
    }

    @Test
    void words_ofTheSearch_haveOneHashCode() {
        assertThat(words(0, WORDS).split(" "))
                .hasSize(WORDS)
                .extracting(String::hashCode)
                .containsOnly(word(0).hashCode());
    }

    @Test
    void onWrite_everyWordIsFound_matchesBoth() {
        assertThat(matchedIds(words(0, WORDS))).containsExactlyInAnyOrder("honest", "search");
        assertThat(failures).isEmpty();
    }

    /** Within a tick it may use the budget of the cell; then it ends, and no other query does. */
    @Test
    void onWrite_longTextsOfOtherWords_endTheSearchAndNothingElse() {
        String text = words(WORDS, 8_000);

        for (int i = 0; i < 1_000 && failures.isEmpty(); i++) {
            assertThat(matchedIds(text)).containsExactly("honest");
        }

        assertThat(matchedIds(text)).containsExactly("honest");
        assertThat(failures).singleElement().satisfies(failed -> {
            assertThat(failed.query().id()).isEqualTo("search");
            assertThat(failed.cause()).isInstanceOf(BudgetExceededException.class);
        });
    }

    @Test
    void onWrite_longTextsNowAndThen_endNothing() {
        String text = words(WORDS, 8_000);

        for (int i = 0; i < 120; i++) {
            assertThat(matchedIds(text)).containsExactly("honest");
            if (i % 10 == 0) {
                now = now.plus(TICK);
                cell.onTick(now);
            }
        }

        assertThat(failures).isEmpty();
    }

    private void subscribe(String id, BsonDocument filter) {
        QuerySpec query = new QuerySpec(id, "Text", Filter.parse(filter));
        assertThat(cell.subscribe(query, new StreamPosition(0), Map.of())).isEmpty();
    }

    private List<String> matchedIds(String text) {
        BsonDocument document = new BsonDocument("n", new BsonInt32(5)).append("text", new BsonString(text));
        WriteEvent write =
                new WriteEvent.Upsert("Text", "a", new VersionStamp(1, ++version), WriteOperation.UPDATE, document);
        return cell.onWrite(version, write, now).stream()
                .map(MatchEvent::queryId)
                .toList();
    }

    private static String words(int from, int to) {
        return IntStream.range(from, to).mapToObj(CostlySearchTest::word).collect(Collectors.joining(" "));
    }

    /**
     * Returns a word of pairs of letters with equal hashes; the words equal their search forms:
     * lower case and without accents.
     */
    private static String word(int number) {
        StringBuilder word = new StringBuilder();
        for (int bit = 0; bit < 14; bit++) {
            word.append((number >> bit & 1) == 0 ? "ба" : "ая");
        }
        return word.toString();
    }
}

package io.invalidb.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.filter.Filter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The budget of one evaluation. Without it, each of these filters would take seconds or minutes,
 * some all memory.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class StepBudgetTest {

    private static final BsonValue ONE = new BsonInt32(1);
    private static final int LONG = 900_000;
    private static final String PROSE = "The quick brown fox jumps over the lazy dog. ".repeat(LONG / 45) + "END";
    private static final String LONG_PHRASE =
            "a long phrase that is not there, although most of its letters are, and some of its beginnings, too";
    private static final String SAME = "a".repeat(LONG);

    @ParameterizedTest
    @ValueSource(strings = {"zebra", LONG_PHRASE, "the lazy cat", "^The quick brown cat", "dog$", "[Zz]ebra"})
    void matches_simplePatternThatIsNotInNearlyAMegabyte_isFalse(String pattern) {
        assertThat(regex(pattern, "").matches(text(PROSE))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"END", "^The quick brown fox", "lazy dog\\. END$", "[Ee]ND"})
    void matches_simplePatternThatIsInNearlyAMegabyte_isTrue(String pattern) {
        assertThat(regex(pattern, "").matches(text(PROSE))).isTrue();
    }

    @Test
    void matches_longPhraseInMoreThanAMegabyte_isAnswered() {
        assertThat(regex(LONG_PHRASE, "").matches(text(PROSE + PROSE))).isFalse();
    }

    @Test
    void matches_shortWordInAnyCaseOnNearlyAMegabyte_isAnswered() {
        assertThat(regex("zebra", "i").matches(text(PROSE))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(a?){300}b", "([ab]{1,20}){20}c", "[ab]{900}c", "(x+x+)+y$|(a|aa|aaa|aaaa|aaaaa)+z", "a{500}b"})
    void matches_largePatternOnNearlyAMegabyte_exceedsTheBudget(String pattern) {
        assertExceeds(regex(pattern, ""), text(SAME));
    }

    @Test
    void matches_manyPatternsThatPassAlone_exceedTheBudgetTogether() {
        BsonArray each = new BsonArray(IntStream.range(0, 50)
                .mapToObj(i -> new BsonDocument("a", new BsonDocument("$regex", new BsonString("[xy]z" + i))))
                .toList());

        assertThat(Filter.parse(each.get(0).asDocument()).matches(text(PROSE))).isFalse();
        assertExceeds(Filter.parse(new BsonDocument("$or", each)), text(PROSE));
    }

    @Test
    void matches_wordsInALongText_areAnswered() {
        assertThat(search("zebra").matches(text(PROSE.substring(0, LONG / 10)))).isFalse();
        assertThat(search("ending").matches(text("END " + PROSE.substring(0, LONG / 10))))
                .isTrue();
    }

    /**
     * Prose, a word whose letters the stemmer moves repeatedly, and phrases that nearly match
     * everywhere.
     */
    @Test
    void matches_searchThatWouldTakeLong_exceedsTheBudget() {
        String phrases = IntStream.range(1, 90)
                .mapToObj(i -> '"' + "a".repeat(i) + "b\"")
                .collect(Collectors.joining(" "));

        assertExceeds(search("zebra"), text(PROSE + PROSE));
        assertExceeds(search("zebra"), text("ß".repeat(LONG / 10)).append("language", new BsonString("de")));
        assertExceeds(search("end " + phrases), text("END " + SAME));
    }

    private static Filter search(String words) {
        return Filter.parse(new BsonDocument("$text", new BsonDocument("$search", new BsonString(words))));
    }

    /**
     * The last text that passes and the first that does not differ by one character, in every
     * repetition.
     */
    @Test
    void matches_sameFilterAndText_alwaysEndAlike() {
        Filter filter = regex("[ab]{900}c", "");
        int longest = longest(filter);

        for (int i = 0; i < 3; i++) {
            assertThat(filter.matches(text(SAME.substring(0, longest)))).isFalse();
            assertExceeds(filter, text(SAME.substring(0, longest + 1)));
        }
        assertThat(longest).isBetween(5_000, 6_000);
    }

    private static int longest(Filter filter) {
        int passes = 0;
        int exceeds = LONG;
        while (exceeds - passes > 1) {
            int middle = (passes + exceeds) / 2;
            if (exceeds(filter, text(SAME.substring(0, middle)))) {
                exceeds = middle;
            } else {
                passes = middle;
            }
        }
        return passes;
    }

    @Test
    void matches_charactersBeyondTheBasicPlane_costAsMuchAsOthers() {
        String astral = "\uD83D\uDE00".repeat(10_000);
        String lone = "\uD83D".repeat(10_000);

        assertExceeds(regex("[^x]{900}c", ""), text(astral));
        assertExceeds(regex("[^x]{900}c", ""), text(lone));
    }

    @Test
    void matches_patternsOnManyShortTexts_exceedTheBudget() {
        Filter filter = Filter.parse(new BsonDocument("a", new BsonDocument("$in", patterns(100))));

        assertExceeds(filter, new BsonDocument("a", array(100_000, new BsonString("some tag"))));
    }

    private static BsonArray patterns(int count) {
        return new BsonArray(IntStream.range(0, count)
                .mapToObj(i -> new BsonRegularExpression("[xyz]+" + i + "$"))
                .toList());
    }

    @Test
    void matches_manyConditionsOnALongArray_exceedTheBudget() {
        List<BsonDocument> each = IntStream.range(0, 5_000)
                .mapToObj(i -> new BsonDocument("a", new BsonDocument("$gt", new BsonInt32(i + 10))))
                .toList();

        assertExceeds(
                Filter.parse(new BsonDocument("$or", new BsonArray(each))), new BsonDocument("a", array(100_000, ONE)));
    }

    @Test
    void matches_conditionWithinAHundredThousandElements_isAnswered() {
        Filter filter = Filter.parse(BsonDocument.parse("{a: {$elemMatch: {b: {$gt: 5}, c: {$regex: '^x'}}}}"));
        BsonValue element = BsonDocument.parse("{b: 7, c: 'a text'}");

        assertThat(filter.matches(new BsonDocument("a", array(100_000, element))))
                .isFalse();
    }

    @Test
    void matches_positionsInNestedArrays_exceedTheBudget() {
        BsonValue nested = ONE;
        for (int i = 0; i < 8; i++) {
            nested = array(6, BsonDocument.parse("{}").append("0", nested));
        }

        assertExceeds(Filter.parse(BsonDocument.parse("{'a.0.0.0.0.0.0.0.0': 5}")), new BsonDocument("a", nested));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$expr: {$eq: [{$concat: [%s]}, 'x']}}",
                "{$expr: {$and: [%s]}}",
                "{$expr: {$in: [5, [{$split: ['$a', 'a']}, %s]]}}"
            })
    void matches_formulaThatCopiesALongText_exceedsTheBudget(String form) {
        String fields = String.join(",", Collections.nCopies(1_000, "{$toUpper: '$a'}"));

        assertExceeds(Filter.parse(BsonDocument.parse(form.formatted(fields))), text(SAME));
    }

    @Test
    void matches_schemaWithManyPatterns_exceedsTheBudget() {
        StringBuilder patterns = new StringBuilder();
        IntStream.range(0, 50)
                .forEach(i -> patterns.append("'[ab]{5}").append(i).append("': {type: 'string'},"));
        Filter filter = Filter.parse(BsonDocument.parse("{$jsonSchema: {patternProperties: {" + patterns + "}}}"));
        BsonDocument document = new BsonDocument();
        IntStream.range(0, 50_000).forEach(i -> document.append("field" + i, ONE));

        assertExceeds(filter, document);
    }

    @Test
    void matches_largePolygonAndManyPlaces_exceedTheBudget() {
        String corners = IntStream.range(0, 900)
                .mapToObj(i -> "[%s, %s]".formatted(Math.cos(i / 150.0) * 10, Math.sin(i / 150.0) * 10))
                .collect(Collectors.joining(","));
        Filter filter = Filter.parse(BsonDocument.parse("{a: {$geoWithin: {$polygon: [" + corners + "]}}}"));

        assertExceeds(filter, new BsonDocument("a", array(50_000, BsonDocument.parse("{x: 90, y: 1}"))));
    }

    @Test
    void matches_hugeStoredArea_exceedsTheBudget() {
        BsonArray ring = new BsonArray();
        IntStream.range(0, 100_000)
                .mapToDouble(i -> i * Math.PI / 50_000)
                .forEach(angle -> ring.add(new BsonArray(
                        List.of(new BsonDouble(20 * Math.cos(angle)), new BsonDouble(20 * Math.sin(angle))))));

        assertExceeds(intersecting(), polygon(ring, ring.get(0)));
    }

    @Test
    void matches_storedAreaWithManyHoles_exceedsTheBudget() {
        BsonArray rings = new BsonArray();
        IntStream.range(0, 3_000).forEach(i -> rings.add(new BsonArray()));
        BsonDocument geometry = new BsonDocument("type", new BsonString("Polygon")).append("coordinates", rings);

        assertExceeds(intersecting(), new BsonDocument("a", geometry));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$geoWithin", "$geoIntersects"})
    void matches_zigzagThatCrossesAComb_exceedsTheBudget(String operator) {
        BsonArray ring = zigzag(996, (along, across) -> place(along, across + 5));
        List.of(place(60, 70), place(0, 70), place(0, 5)).forEach(ring::add);
        BsonDocument comb =
                new BsonDocument("type", new BsonString("Polygon")).append("coordinates", new BsonArray(List.of(ring)));
        BsonDocument region = new BsonDocument(operator, new BsonDocument("$geometry", comb));
        BsonDocument line = new BsonDocument("type", new BsonString("LineString"))
                .append("coordinates", zigzag(1_900, (along, across) -> place(across, along + 6)));

        assertExceeds(Filter.parse(new BsonDocument("a", region)), new BsonDocument("a", line));
    }

    /**
     * Returns a line that alternates between 0 and 60 on one axis while it moves from 0 to 60 on
     * the other.
     */
    private static BsonArray zigzag(int corners, BiFunction<Double, Double, BsonValue> place) {
        BsonArray zigzag = new BsonArray();
        IntStream.range(0, corners).forEach(i -> zigzag.add(place.apply(60.0 * i / corners, i % 2 == 0 ? 0.0 : 60.0)));
        return zigzag;
    }

    private static BsonValue place(double x, double y) {
        return new BsonArray(List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    private static Filter intersecting() {
        return Filter.parse(
                BsonDocument.parse("{a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}"));
    }

    private static BsonDocument polygon(BsonArray ring, BsonValue end) {
        ring.add(end);
        BsonDocument geometry =
                new BsonDocument("type", new BsonString("Polygon")).append("coordinates", new BsonArray(List.of(ring)));
        return new BsonDocument("a", geometry);
    }

    private static void assertExceeds(Filter filter, BsonDocument document) {
        assertThatThrownBy(() -> filter.matches(document))
                .isInstanceOf(BudgetExceededException.class)
                .hasMessageContaining("too long");
    }

    private static boolean exceeds(Filter filter, BsonDocument document) {
        try {
            boolean unused = filter.matches(document);
            return false;
        } catch (BudgetExceededException e) {
            return true;
        }
    }

    private static Filter regex(String pattern, String options) {
        return Filter.parse(new BsonDocument(
                "a", new BsonDocument("$regex", new BsonString(pattern)).append("$options", new BsonString(options))));
    }

    private static BsonDocument text(String text) {
        return new BsonDocument("a", new BsonString(text));
    }

    private static BsonArray array(int size, BsonValue element) {
        return new BsonArray(Collections.nCopies(size, element));
    }
}

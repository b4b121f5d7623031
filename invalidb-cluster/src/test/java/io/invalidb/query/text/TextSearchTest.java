package io.invalidb.query.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code $text}; the differential tests show that it agrees with MongoDB on texts of all kinds. */
final class TextSearchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "foo-bar ~ bar ~ true",
                "foo -bar ~ foo bar ~ false",
                "-foo-bar x ~ x bar ~ false",
                "foo - bar ~ bar ~ true",
                "'x -\"a b\" c' ~ x a b ~ false",
                "'x -\"a b\" c' ~ x b a ~ true",
                "'x -\"b' ~ x b ~ true",
                "'\"x y' ~ y ~ true",
                "'x\t-y' ~ y ~ true",
                "'x\n-y' ~ x y ~ false",
                "'\"\" x' ~ x ~ true",
                "'-\"\" x' ~ x ~ false"
            })
    void matches_searchString_isReadAsMongoDbDoes(String search, String text, boolean expected) {
        assertThat(find(search, "none", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "english, o'clock, O'CLOCK!, true",
        "english, o'clock, clock, false",
        "german, o'clock, clock, true",
        "english, don't, don't, false",
        "english, dying, dies, true",
        "english, ﬁx, fix, false",
        "english, Straße, strasse, false",
        "german, Straße, STRASSE, true",
        "german, Übungen, ubung, true",
        "german, dass, dass, false",
        "german, anderr, anderr, true",
        "spanish, corazones, corazón, true",
        "none, ΣΑΣ, σας, true",
        "none, İx, ix, false",
        "none, ꭰ, Ꭰ, true",
        "none, ᏸ, Ᏸ, true",
        "none, 𐓘, 𐒰, false",
        "none, \uFACF, \uD84A\uDC4A, true",
        "none, x\uFEFFy, xy, true"
    })
    void matches_wordInItsLanguage_isFoldedAsMongoDbDoes(
            String language, String search, String text, boolean expected) {
        assertThat(find(search, language, text)).isEqualTo(expected);
    }

    private static boolean find(String search, String language, String text) {
        BsonDocument document = new BsonDocument("language", new BsonString(language));
        return filter(search, language, false, false).matches(document.append("a", new BsonString(text)));
    }

    /**
     * With case "News" and "New" have one stem; without case, as in an index, "news" is a word of
     * its own.
     */
    @Test
    void matches_caseSensitive_wordsAreAlsoEqualWithoutCase() {
        assertThat(filter("News", "english", true, false).matches(document("News")))
                .isTrue();
        assertThat(filter("News", "english", true, false).matches(document("New")))
                .isFalse();
    }

    @Test
    void matches_negatedWord_isSoughtAmongStopWords() {
        BsonDocument german = document("die Hunde").append("language", new BsonString("german"));

        assertThat(filter("hund -dying", "english", false, false).matches(german))
                .isFalse();
    }

    @Test
    void matches_unknownLanguageOfAnObject_takesWordsAsTheyAre() {
        BsonDocument french = document("chevaux").append("language", new BsonString("french"));

        assertThat(filter("chevaux", "none", false, false).matches(french)).isTrue();
        assertThat(filter("french", "none", false, false).matches(french)).isFalse();
    }

    /** U+FFFF stands for such letters while a word is stemmed. */
    @Test
    void matches_letterOfTwoCharactersBesideItsStandIn_bothKeepTheirPlaces() {
        assertThat(find("\uFFFF😀", "english", "\uFFFF😀")).isTrue();
        assertThat(find("😀\uFFFF", "english", "\uFFFF😀")).isFalse();
    }

    @Test
    void matches_letterOfTwoCharacters_countsAsOne() {
        assertThat(filter("\uD83D\uDE00", "none", false, false).matches(document("\uD83D\uDE00'")))
                .isFalse();
        assertThat(filter("\uD83D\uDE00running", "english", false, false).matches(document("\uD83D\uDE00runs")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$text: 'x'}",
                "{$text: {}}",
                "{$text: {$search: 1}}",
                "{$text: {$search: 'x', $language: 1}}",
                "{$text: {$search: 'x', $caseSensitive: 1}}",
                "{$text: {$search: 'x', $diacriticSensitive: null}}",
                "{$text: {$search: 'x', $more: 1}}",
                "{$nor: [{$text: {$search: 'x'}}]}",
                "{$nor: [{$or: [{}, {$text: {$search: 'x'}}]}]}",
                "{$and: [{$text: {$search: 'x'}}, {$text: {$search: 'x'}}]}",
                "{a: {$elemMatch: {$text: {$search: 'x'}}}}",
                "{a: {$elemMatch: {$and: [{$text: {$search: 'x'}}]}}}",
                "{$text: {$search: 'x'}, a: {$near: [0, 0]}}"
            })
    void parse_malformed_isSyntaxError(String filter) {
        assertThatThrownBy(() -> Filter.parse(BsonDocument.parse(filter))).isInstanceOf(QuerySyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a: {$text: {$search: 'x'}}}", "{a: {$not: {$text: {$search: 'x'}}}}"})
    void parse_onAPath_isNotSupported(String filter) {
        assertThatThrownBy(() -> Filter.parse(BsonDocument.parse(filter)))
                .isInstanceOf(QueryNotSupportedException.class)
                .hasMessageContaining("$text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"french", "klingon", "de-DE", "danish"})
    void parse_otherLanguage_isNotSupportedAndNamed(String language) {
        assertThatThrownBy(() -> filter("x", language, false, false))
                .isInstanceOf(QueryNotSupportedException.class)
                .hasMessageContaining(language)
                .hasMessageContaining("german");
    }

    @Test
    void matches_anyCharacterAtAll_isAnswered() {
        Filter phrase = filter("\"not there\"", "none", false, false);

        for (int first = 0; first <= Character.MAX_CODE_POINT; first += 0x1000) {
            String text = IntStream.range(first, first + 0x1000)
                    .mapToObj(Character::toString)
                    .collect(Collectors.joining(" "));
            assertThat(phrase.matches(document(text))).isFalse();
        }
    }

    @Test
    void parse_longSearch_isNotSupported() {
        String words = IntStream.range(0, 2_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));

        assertThatThrownBy(() -> filter(words, "none", false, false)).isInstanceOf(QueryNotSupportedException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "coffee cake ~ Cake,  coffee",
                "'\"Big Cake\" x' ~ 'x \"big cake\"'",
                "-a.b x ~ x -b -a",
                "'x -\"a\"\"b\"' ~ 'x -\"b\" -\"a\"'"
            })
    void equals_otherSpelling_isTrue(String one, String other) {
        Filter first = filter(one, "en", false, false);

        assertThat(first).isEqualTo(filter(other, "English", false, false));
        assertThat(first).isNotEqualTo(filter(one, "none", false, false));
        assertThat(first).isNotEqualTo(filter(one, "en", true, false));
    }

    /** Below the maximum number of levels. */
    @Test
    void withoutSearch_hasTheOtherFilterInThePlaceOfTheSearch() {
        Function<Set<String>, Filter> other =
                words -> Filter.parse(new BsonDocument("w", new BsonString(String.join(" ", new TreeSet<>(words)))));
        Filter search = Filter.parse(BsonDocument.parse(
                "{$or: [{a: 1}, {b: 2, $text: {$search: 'The Houses run -cat', $language: 'en'}}]}"));

        assertThat(search.withoutSearch(other))
                .contains(Filter.parse(BsonDocument.parse("{$or: [{a: 1}, {b: 2, w: 'hous run'}]}")));
        assertThat(search.withoutSearch(words -> Filter.ALL))
                .contains(Filter.parse(BsonDocument.parse("{$or: [{a: 1}, {b: 2}]}")));
        assertThat(Filter.parse(BsonDocument.parse("{a: {$eq: {$text: 1}}}")).withoutSearch(other))
                .isEmpty();
    }

    /** The depth limit is for clients, who did not write the other filter. */
    @Test
    void withoutSearch_deepFilter_isNoFailure() {
        BsonDocument deep = BsonDocument.parse("{$text: {$search: 'x'}}");
        for (int i = 0; i < 49; i++) {
            String operator = i % 2 == 0 ? "$or" : "$and";
            deep = new BsonDocument(
                    operator, new BsonArray(List.of(deep, new BsonDocument("a", new BsonString("" + i)))));
        }

        assertThat(Filter.parse(deep).withoutSearch(words -> Filter.parse(BsonDocument.parse("{a: {b: {c: [[1]]}}}"))))
                .isPresent();
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /** The normal form preserves the meaning of a search, however odd its punctuation. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void normalForm_ofAnySearch_findsTheSame(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            Filter filter = filter(
                    scribble(random),
                    random.nextBoolean() ? "english" : "none",
                    random.nextBoolean(),
                    random.nextBoolean());
            Filter normal = Filter.parse(filter.normalForm());
            BsonDocument document = document(scribble(random));

            assertThat(normal).isEqualTo(filter);
            assertThat(normal.matches(document)).isEqualTo(filter.matches(document));
        }
    }

    private static String scribble(Random random) {
        List<String> pieces =
                List.of("a", "b", "Bs", "é", "é", "'", "\"", "\"", "-", " -", " ", " ", "\n", ".", "\uFEFF", "\u0301");
        return random.ints(random.nextInt(12), 0, pieces.size())
                .mapToObj(pieces::get)
                .collect(Collectors.joining());
    }

    private static BsonDocument document(String text) {
        return new BsonDocument("a", new BsonString(text));
    }

    private static Filter filter(String search, String language, boolean caseSensitive, boolean diacriticSensitive) {
        BsonDocument options = new BsonDocument("$search", new BsonString(search))
                .append("$language", new BsonString(language))
                .append("$caseSensitive", BsonBoolean.valueOf(caseSensitive))
                .append("$diacriticSensitive", BsonBoolean.valueOf(diacriticSensitive));
        return Filter.parse(new BsonDocument("$text", options));
    }
}

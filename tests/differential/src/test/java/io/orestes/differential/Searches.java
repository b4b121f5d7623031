package io.orestes.differential;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Texts in English and German, and some in other languages, searched with phrases, negations and
 * all options.
 */
final class Searches implements Family {

    private static final List<String> ENGLISH = List.of(
            "coffee",
            "Coffee",
            "COFFEE",
            "coffees",
            "run",
            "running",
            "runs",
            "Running",
            "ran",
            "the",
            "The",
            "THE",
            "a",
            "not",
            "don't",
            "dogs",
            "dog's",
            "dogs'",
            "dog",
            "sky",
            "skies",
            "skis",
            "general",
            "generally",
            "Generals",
            "happy",
            "happiness",
            "yes",
            "say",
            "easily",
            "dying",
            "café",
            "CAFÉ",
            "cafe",
            "naïve",
            "resume",
            "résumé",
            "'tis",
            "o'clock",
            "News",
            "New",
            "news");
    private static final List<String> GERMAN = List.of(
            "Haus", "Häuser", "häuser", "HÄUSER", "Hauses", "haus", "Straße", "Strasse", "STRASSE", "STRAẞE", "Übung",
            "Übungen", "ubung", "Katze", "Katzen", "katzen", "der", "Der", "die", "und", "über", "Über", "für",
            "größer", "grösser", "groß", "können", "konnte", "laufen", "läuft", "Mädchen", "schön", "schöne", "schönes",
            "ich", "Ich");
    private static final List<String> ODD = List.of(
            "",
            "_",
            "a_b",
            "x",
            "İx",
            "ıx",
            "Ix",
            "ix",
            "ﬁx",
            "´",
            "x\u0301",
            "e\u0301",
            "é",
            "\u0301",
            "日本語",
            "テスト",
            "\uD83D\uDE00",
            "ǅ",
            "ς",
            "σ",
            "Σ",
            "ſ",
            "s",
            "µ",
            "Ω",
            "Å",
            "ё",
            "Е",
            "й",
            "\uFEFFx",
            "1",
            "2nd",
            "Ꭰ",
            "ꭰ",
            "\uFACF",
            "\uD84A\uDC4A",
            "^",
            "`",
            "ÿ",
            "ø");
    private static final List<String> NORDIC_AND_IBERIAN = List.of(
            "canções",
            "canção",
            "não",
            "corazón",
            "corazones",
            "está",
            "más",
            "är",
            "flickorna",
            "flicka",
            "och",
            "ikke",
            "husene",
            "huset");
    private static final List<String> BETWEEN = List.of(
            " ", " ", " ", " ", " ", "  ", "-", " -", "- ", ".", ", ", "'", "’", "\n", "\t", "\r", "\f", "\u000b",
            "\u00a0", "/", "\u2013", "\u3000", "·", "\u00ad", "&", "+", "\u00b4", "");
    private static final List<String> LANGUAGES = List.of(
            "english", "en", "german", "de", "German", "DE", "none", "NONE", "spanish", "portuguese", "nb", "swedish");
    private static final List<String> FIELDS = List.of("a", "b", "title", "0", "$c");

    private final SeededRandom dice;

    Searches(SeededRandom dice) {
        this.dice = dice;
    }

    @Override
    public List<BsonDocument> indexes() {
        return List.of(new BsonDocument("$**", new BsonString("text")));
    }

    @Override
    public BsonDocument document() {
        return object(2);
    }

    private BsonDocument object(int depth) {
        BsonDocument object = new BsonDocument();
        if (dice.chance(35)) {
            object.put("language", new BsonString(dice.one(LANGUAGES)));
        }
        IntStream.range(0, 1 + dice.below(2)).forEach(i -> object.put(dice.one(FIELDS), value(depth)));
        return object;
    }

    private BsonValue value(int depth) {
        return switch (dice.below(depth > 0 ? 10 : 7)) {
            case 7 -> object(depth - 1);
            case 8, 9 -> dice.some(0, 3, () -> value(depth - 1));
            case 6 -> new BsonInt32(1);
            default -> new BsonString(text(8));
        };
    }

    private String text(int most) {
        return IntStream.range(0, dice.below(most + 1))
                .mapToObj(i -> word() + dice.one(BETWEEN))
                .collect(Collectors.joining());
    }

    private String word() {
        return switch (dice.below(20)) {
            case 0, 1 -> dice.one(ODD);
            case 2 -> dice.one(NORDIC_AND_IBERIAN);
            case 3, 4, 5, 6, 7, 8, 9 -> dice.one(GERMAN);
            default -> dice.one(ENGLISH);
        };
    }

    @Override
    public BsonDocument filter() {
        BsonDocument search = new BsonDocument("$text", options());
        return switch (dice.below(12)) {
            case 0 -> new BsonDocument("$and", new BsonArray(List.of(search, id())));
            case 1 -> new BsonDocument("$or", new BsonArray(List.of(search, id())));
            case 2 -> search.append("$nor", new BsonArray(List.of(id())));
            default -> search;
        };
    }

    private BsonDocument id() {
        return new BsonDocument("_id", new BsonDocument("$lt", new BsonInt32(dice.below(400))));
    }

    private BsonDocument options() {
        BsonDocument options = new BsonDocument("$search", new BsonString(search()));
        put(options, "$language", 60, () -> new BsonString(dice.one(LANGUAGES)));
        put(options, "$caseSensitive", 30, () -> BsonBoolean.valueOf(dice.chance(80)));
        put(options, "$diacriticSensitive", 30, () -> BsonBoolean.valueOf(dice.chance(80)));
        return options;
    }

    private void put(BsonDocument options, String name, int percent, Supplier<BsonValue> value) {
        if (dice.chance(percent)) {
            options.put(name, value.get());
        }
    }

    private String search() {
        return IntStream.range(0, 1 + dice.below(5))
                .mapToObj(i -> part() + (dice.chance(80) ? " " : dice.one(BETWEEN)))
                .collect(Collectors.joining());
    }

    private String part() {
        return switch (dice.below(12)) {
            case 0 -> "-" + word();
            case 1 -> '"' + text(1).strip() + '"';
            case 2 -> '"' + text(2) + '"';
            case 3 -> "-\"" + text(2) + '"';
            case 4 -> dice.one(List.of("\"", "-", "--", "\"\"", "-\"\"", "' -", ".-"));
            case 5 -> '"' + fragment(word()) + '"';
            default -> word();
        };
    }

    /** Returns a part of a word: phrases are found within words, too. */
    private String fragment(String word) {
        int length = word.codePointCount(0, word.length());
        return word.substring(0, word.offsetByCodePoints(0, (length + 1) / 2));
    }
}

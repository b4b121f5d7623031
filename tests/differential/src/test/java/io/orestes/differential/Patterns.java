package io.orestes.differential;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;

/** Regular expressions with all options, well-formed or not. */
final class Patterns implements Family {

    private static final List<String> CHARACTERS = List.of(
            "a",
            "b",
            "c",
            "A",
            "B",
            "s",
            "S",
            "k",
            "i",
            "I",
            "1",
            "9",
            "_",
            "-",
            ".",
            "$",
            "^",
            "]",
            "#",
            " ",
            "\n",
            "\n",
            "\r",
            "\t",
            "\u000b",
            "\f",
            "\u0085",
            "\u00a0",
            "\u2028",
            "é",
            "É",
            "ß",
            "\u1e9e",
            "\u017f",
            "\u212a",
            "\u0130",
            "\u0131",
            "σ",
            "ς",
            "Σ",
            "ǆ",
            "ǅ",
            "Ǆ",
            "\uD83D\uDE00",
            "\uD801\uDC00",
            "\uD801\uDC28",
            "\0",
            "\u007f",
            "µ",
            "μ",
            "\u2126",
            "ω",
            "\u0345",
            "\u03b9",
            "\u1fbe",
            "Ա",
            "\u10d0",
            "日");

    private static final List<String> ESCAPES = List.of(
            "\\d",
            "\\D",
            "\\w",
            "\\W",
            "\\s",
            "\\S",
            "\\b",
            "\\B",
            "\\A",
            "\\z",
            "\\Z",
            "\\h",
            "\\H",
            "\\v",
            "\\V",
            "\\N",
            "\\n",
            "\\r",
            "\\t",
            "\\f",
            "\\e",
            "\\a",
            "\\0",
            "\\07",
            "\\x41",
            "\\x{e9}",
            "\\xe9",
            "\\x",
            "\\.",
            "\\$",
            "\\^",
            "\\-",
            "\\/",
            "\\_",
            "\\ ",
            "\\é",
            "\\Qa.b\\E",
            "\\Qa",
            "\\E",
            "\\pL",
            "\\p{Lu}",
            "\\P{Ll}",
            "\\p{^Nd}",
            "\\p{Greek}",
            "\\1",
            "\\R",
            "\\K",
            "\\G",
            "\\X",
            "\\cA",
            "\\g1",
            "\\k<a>",
            "\\u0041",
            "\\y",
            "\\8",
            "\\12",
            "\\101",
            "\\x{110000}",
            "\\p{Foo}",
            "\\o{101}");

    private static final List<String> CLASS_ITEMS = List.of(
            "a",
            "b-c",
            "A-Z",
            "a-z",
            "0-9",
            "\\d",
            "\\D",
            "\\w",
            "\\W",
            "\\s",
            "\\S",
            "\\h",
            "\\v",
            "[:alpha:]",
            "[:^alpha:]",
            "[:upper:]",
            "[:^lower:]",
            "[:space:]",
            "[:punct:]",
            "[:word:]",
            "[:cntrl:]",
            "[:print:]",
            "[:graph:]",
            "[:xdigit:]",
            "[:blank:]",
            "[:ascii:]",
            "-",
            "\\-",
            "\\]",
            "\\b",
            "é",
            "À-Þ",
            "ſ",
            "\\n",
            "\\x41-\\x43",
            "\\\\",
            ".",
            "$",
            "[",
            "^",
            "a-\\d",
            "\\d-z",
            "z-a",
            "[:foo:]",
            "[=a=]",
            "\\Q]\\E",
            " ",
            "#",
            "\\p{Lu}",
            "\\pL",
            "\uD801\uDC00-\uD801\uDC27",
            "Α-Ω");

    private static final List<String> QUANTIFIERS = List.of(
            "*", "+", "?", "{2}", "{0}", "{0,1}", "{1,}", "{1,2}", "*?", "+?", "??", "{1,2}?", "++", "*+", "{,2}",
            "{a}", "{2,1}", "**", "{2}{3}", " +", "+ ?");

    private static final List<String> GROUPS = List.of(
            "(",
            "(",
            "(?:",
            "(?:",
            "(?i:",
            "(?-i:",
            "(?s:",
            "(?m:",
            "(?x:",
            "(?<n>",
            "(?P<n>",
            "(?'n'",
            "(?=",
            "(?!",
            "(?<=",
            "(?<!",
            "(?>",
            "(?|",
            "(?i)(",
            "(?m)(",
            "(?s-i)(",
            "(?#c)(",
            "(*ACCEPT)(",
            "( ?:",
            "(?im-sx:");

    private final SeededRandom dice;

    Patterns(SeededRandom dice) {
        this.dice = dice;
    }

    @Override
    public BsonDocument document() {
        BsonDocument document = new BsonDocument("a", text(7));
        if (dice.chance(10)) {
            document.put("a", new BsonArray(List.of(text(3), text(3))));
        } else if (dice.chance(5)) {
            document.put("a", dice.chance(50) ? new BsonSymbol("a") : new BsonRegularExpression("a", options()));
        }
        return document;
    }

    private BsonString text(int most) {
        return new BsonString(repeat(most, () -> dice.one(dice.chance(50) ? CHARACTERS.subList(0, 5) : CHARACTERS)));
    }

    private String repeat(int most, Supplier<String> part) {
        return IntStream.range(0, dice.below(most + 1))
                .mapToObj(i -> part.get())
                .collect(Collectors.joining());
    }

    @Override
    public BsonDocument filter() {
        String pattern = dice.chance(5) ? "a" : pattern(2);
        BsonRegularExpression regex = new BsonRegularExpression(pattern, options());
        return new BsonDocument(
                "a",
                switch (dice.below(5)) {
                    case 0 -> regex;
                    case 1 -> new BsonDocument("$in", new BsonArray(List.of(regex, new BsonString("b"))));
                    case 2 -> new BsonDocument("$not", regex);
                    default -> spelled(pattern);
                });
    }

    private BsonValue spelled(String pattern) {
        BsonDocument spelled = new BsonDocument("$regex", new BsonString(pattern));
        return dice.chance(50)
                ? spelled.append("$options", new BsonString(dice.chance(80) ? options() : "mi"))
                : spelled;
    }

    private String options() {
        return dice.one(List.of("", "", "i", "m", "s", "x", "im", "is", "ix", "ims", "imsx"));
    }

    private String pattern(int depth) {
        String start = dice.chance(20) ? "^" : "";
        String end = dice.chance(20) ? "$" : "";
        String more = dice.chance(15) ? "|" + pattern(0) : "";
        return start + repeat(3, () -> part(depth)) + end + more;
    }

    private String part(int depth) {
        String atom = atom(depth);
        return dice.chance(30) ? atom + dice.one(dice.chance(70) ? QUANTIFIERS.subList(0, 12) : QUANTIFIERS) : atom;
    }

    private String atom(int depth) {
        return switch (dice.below(depth > 0 ? 12 : 10)) {
            case 0, 1, 2 -> dice.one(List.of("a", "b", "c"));
            case 3 -> dice.one(CHARACTERS).replace("\0", "0");
            case 4 -> ".";
            case 5, 6 -> dice.one(dice.chance(60) ? ESCAPES.subList(0, 15) : ESCAPES);
            case 7, 8 ->
                "[" + dice.one(List.of("", "", "^")) + dice.one(List.of("", "", "", "]", "-"))
                        + repeat(2, () -> dice.one(CLASS_ITEMS)) + dice.one(CLASS_ITEMS) + "]";
            case 9 -> dice.one(List.of("^", "$", "{", "}", "]", " ", "# a\n", "{1}", "*"));
            default -> dice.one(dice.chance(50) ? GROUPS.subList(0, 4) : GROUPS) + pattern(depth - 1) + ")";
        };
    }
}

package io.orestes.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@link RandomData} with places and texts, and queries for these too; deterministic for a seed.
 */
public final class RandomQueries {

    private static final List<String> WORDS =
            List.of("Houses", "house", "running", "runs", "the", "Straße", "naïve", "cat", "cats", "über", "of", "x1");

    private final RandomData data;
    private final Random random;

    public RandomQueries(long seed) {
        this.data = new RandomData(seed);
        this.random = new Random(seed);
    }

    /** Returns indexes of all kinds, also on more than one path. */
    public static List<IndexSpec> indexes() {
        return List.of(
                IndexSpec.ascending("a"),
                IndexSpec.geo("place"),
                compound(key("b", false), key("n", true)),
                IndexSpec.ascending("u").asUnique(),
                compound(key("s", true), key("n", false), key("c", true)),
                IndexSpec.TEXT,
                compound(key("s", true), new IndexSpec.IndexedField("place", IndexSpec.IndexKind.GEO)),
                compound(key("d.e", true), key("d.e.f", false)),
                IndexSpec.ascending("n"));
    }

    private static IndexSpec compound(IndexSpec.IndexedField... keys) {
        return new IndexSpec(List.of(keys));
    }

    private static IndexSpec.IndexedField key(String path, boolean ascending) {
        return new IndexSpec.IndexedField(path, ascending);
    }

    /** Returns documents with these numbers at {@code u}, as text. */
    public Stream<BsonDocument> documents(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(number -> document().append("u", new BsonString("k" + number)));
    }

    private BsonDocument document() {
        BsonDocument document = data.document();
        if (random.nextInt(10) > 0) {
            document.append("place", places());
        }
        if (random.nextInt(3) == 0) {
            document.append("text", new BsonString(words(1 + random.nextInt(4))));
        }
        if (random.nextInt(20) > 0) {
            document.append("n", new BsonInt32(random.nextInt(500)));
        }
        return document.append("s", new BsonString(WORDS.get(random.nextInt(4))));
    }

    private BsonValue places() {
        return switch (random.nextInt(12)) {
            case 0 -> BsonNull.VALUE;
            case 1 -> new BsonString("nowhere");
            case 2 -> new BsonArray(List.of(place(), place(), place()));
            case 3 -> pair(longitude(), latitude());
            case 4 -> geometry("LineString", pairs(2 + random.nextInt(3)));
            case 5 -> polygon(longitude() / 2, latitude() / 2, random.nextDouble() * 20);
            case 6 -> pair(random.nextDouble() * 5_000, Double.POSITIVE_INFINITY);
            default -> place();
        };
    }

    private BsonDocument place() {
        return new BsonDocument("longitude", new BsonDouble(longitude()))
                .append("latitude", new BsonDouble(latitude()));
    }

    private static BsonDocument geometry(String type, BsonValue coordinates) {
        return new BsonDocument("type", new BsonString(type)).append("coordinates", coordinates);
    }

    private BsonArray pairs(int count) {
        BsonArray pairs = new BsonArray();
        IntStream.range(0, count).forEach(i -> pairs.add(pair(longitude() / 3, latitude())));
        return pairs;
    }

    private static BsonDocument polygon(double west, double south, double size) {
        BsonArray ring = new BsonArray(List.of(
                pair(west, south),
                pair(west + size, south),
                pair(west + size, south + size / 2),
                pair(west, south + size / 2),
                pair(west, south)));
        return geometry("Polygon", new BsonArray(List.of(ring)));
    }

    private static BsonArray pair(double x, double y) {
        return new BsonArray(List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    /**
     * Returns a longitude: most places are near each other, some far away, also beyond the date
     * line.
     */
    private double longitude() {
        return random.nextInt(3) == 0 ? random.nextDouble() * 360 - 180 : 10 + random.nextGaussian();
    }

    private double latitude() {
        return random.nextInt(3) == 0
                ? random.nextDouble() * 160 - 80
                : Math.max(-80, Math.min(80, 50 + random.nextGaussian()));
    }

    private String words(int count) {
        List<String> words = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> words.add(WORDS.get(random.nextInt(WORDS.size()))));
        return String.join(" ", words);
    }

    public BsonDocument filter() {
        return switch (random.nextInt(10)) {
            case 0 -> near();
            case 1 -> near().append("s", new BsonString(WORDS.get(random.nextInt(4))));
            case 2, 3 -> within();
            case 4 -> search();
            case 5 -> junction("$and", search(), data.filter());
            case 6 -> junction("$or", within(), data.filter(), number());
            case 7 -> junction("$and", number(), junction("$or", data.filter(), number()));
            default -> random.nextBoolean() ? data.filter() : number();
        };
    }

    private static BsonDocument junction(String operator, BsonDocument... branches) {
        return new BsonDocument(operator, new BsonArray(List.of(branches)));
    }

    private BsonDocument number() {
        int n = random.nextInt(500);
        return switch (random.nextInt(4)) {
            case 0 -> new BsonDocument("n", new BsonInt32(n)).append("s", new BsonString(WORDS.get(0)));
            case 1 -> new BsonDocument("n", new BsonDocument("$gte", new BsonInt32(n)));
            case 2 -> new BsonDocument("s", new BsonString(WORDS.get(random.nextInt(4))));
            default ->
                new BsonDocument(
                        "n",
                        new BsonDocument(
                                "$in", new BsonArray(List.of(new BsonInt32(n), new BsonInt32(n / 2), BsonNull.VALUE))));
        };
    }

    private BsonDocument near() {
        BsonDocument near = new BsonDocument("$geometry", geometry("Point", pair(longitude(), latitude())));
        if (random.nextBoolean()) {
            near.append("$maxDistance", new BsonDouble(Math.exp(random.nextDouble() * 16)));
        }
        if (random.nextInt(4) == 0) {
            near.append("$minDistance", new BsonDouble(1_000));
        }
        return new BsonDocument("place", new BsonDocument("$nearSphere", near));
    }

    private BsonDocument within() {
        double size = Math.exp(random.nextDouble() * 5 - 2);
        BsonDocument region =
                switch (random.nextInt(4)) {
                    case 0 ->
                        new BsonDocument(
                                "$box",
                                new BsonArray(List.of(pair(longitude(), latitude()), pair(longitude(), latitude()))));
                    case 1 ->
                        new BsonDocument(
                                "$center", new BsonArray(List.of(pair(longitude(), latitude()), new BsonDouble(size))));
                    case 2 ->
                        new BsonDocument(
                                "$centerSphere",
                                new BsonArray(List.of(pair(longitude(), latitude()), new BsonDouble(size / 60))));
                    default ->
                        new BsonDocument("$geometry", polygon(random.nextDouble() * 300 - 150, 48, Math.min(30, size)));
                };
        return new BsonDocument("place", new BsonDocument("$geoWithin", region));
    }

    private BsonDocument search() {
        String words = words(1 + random.nextInt(2));
        String search =
                switch (random.nextInt(4)) {
                    case 0 -> words + " -cat";
                    case 1 -> "\"" + words + "\"";
                    default -> words;
                };
        BsonDocument options = new BsonDocument("$search", new BsonString(search));
        if (random.nextInt(3) == 0) {
            options.append("$language", new BsonString("german"));
        }
        return new BsonDocument("$text", options);
    }

    /** Returns an indexed order in most cases, forwards or backwards. */
    public BsonDocument sort() {
        BsonInt32 one = new BsonInt32(random.nextBoolean() ? 1 : -1);
        BsonInt32 other = new BsonInt32(-one.getValue());
        return switch (random.nextInt(9)) {
            case 0 -> new BsonDocument("n", one);
            case 1 -> new BsonDocument("b", one).append("n", other);
            case 2 -> new BsonDocument("s", one).append("n", other).append("c", one);
            case 3 -> new BsonDocument("a", one).append("_id", other);
            case 4 -> new BsonDocument("d.e", one);
            case 5 -> data.sort();
            default -> new BsonDocument();
        };
    }

    public int upTo(int bound) {
        return random.nextInt(bound + 1);
    }

    /** Returns the size of a small page in most cases. */
    public int limit() {
        return random.nextInt(6) == 0 ? StoreQuery.UNLIMITED : 1 + random.nextInt(50);
    }
}

package io.orestes.bench.matching;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * W3: of twenty queries four are sorted with limit 20 (the newest of one of a thousand categories),
 * four have {@code $or} of a range and a text, two are prefixes of four letters, one is a rectangle
 * in degrees, and the others are ranges and equalities.
 */
record MixedWorkload() implements Workload {

    static final int KINDS = 20;

    private static final int CATEGORIES = 1_000;
    private static final double SIDE = 0.5;

    /** Returns whether the query of that number is a sorted one. */
    static boolean isSorted(int number) {
        return number % KINDS < 4;
    }

    @Override
    public BsonDocument filter(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int kind = number % KINDS;
        if (kind < 4) {
            return category(random).append("number1", new BsonDocument("$lt", new BsonInt32(100_000)));
        }
        if (kind < 8) {
            BsonDocument range = new BsonDocument("random", range(random.nextInt(1_000_000)));
            return new BsonDocument("$or", new BsonArray(List.of(range, text("text1", random))));
        }
        if (kind < 10) {
            String prefix = Workload.text(random).substring(0, 4);
            return new BsonDocument("text2", new BsonDocument("$regex", new BsonString("^" + prefix)));
        }
        if (kind < 11) {
            return new BsonDocument("place", box(random.nextDouble(-180, 180), random.nextDouble(-90, 90)));
        }
        return kind < 16 ? new BsonDocument("random", range(random.nextInt(1_000_000))) : text("text3", random);
    }

    private static BsonDocument category(SplittableRandom random) {
        return new BsonDocument("category", new BsonInt32(random.nextInt(CATEGORIES)));
    }

    private static BsonDocument range(int from) {
        return Workload.range(from, from + 10);
    }

    private static BsonDocument text(String field, SplittableRandom random) {
        return new BsonDocument(field, new BsonString(Workload.text(random)));
    }

    private static BsonDocument box(double x, double y) {
        BsonArray corners = new BsonArray(List.of(pair(x, y), pair(x + SIDE, y + SIDE)));
        return new BsonDocument("$geoWithin", new BsonDocument("$box", corners));
    }

    private static BsonValue pair(double x, double y) {
        return new BsonArray(List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    @Override
    public Predicate<BsonDocument> compiled(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int kind = number % KINDS;
        if (kind < 4) {
            int category = random.nextInt(CATEGORIES);
            return document ->
                    Workload.number(document, "category") == category && Workload.number(document, "number1") < 100_000;
        }
        if (kind < 8) {
            Predicate<BsonDocument> range = within(random.nextInt(1_000_000));
            return range.or(equal("text1", Workload.text(random)));
        }
        if (kind < 10) {
            String prefix = Workload.text(random).substring(0, 4);
            return document -> Workload.text(document, "text2").startsWith(prefix);
        }
        if (kind < 11) {
            return inBox(random.nextDouble(-180, 180), random.nextDouble(-90, 90));
        }
        return kind < 16 ? within(random.nextInt(1_000_000)) : equal("text3", Workload.text(random));
    }

    private static Predicate<BsonDocument> within(int from) {
        return document -> {
            int value = Workload.number(document, "random");
            return value >= from && value < from + 10;
        };
    }

    private static Predicate<BsonDocument> equal(String field, String text) {
        return document -> Workload.text(document, field).equals(text);
    }

    private static Predicate<BsonDocument> inBox(double west, double south) {
        return document -> {
            BsonArray place = document.getArray("place");
            double x = place.get(0).asDouble().getValue();
            double y = place.get(1).asDouble().getValue();
            return x >= west && x <= west + SIDE && y >= south && y <= south + SIDE;
        };
    }

    @Override
    public BsonDocument document(int number, SplittableRandom random) {
        return Workload.fields(random)
                .append("random", new BsonInt32(random.nextInt(1_000_000)))
                .append("category", new BsonInt32(random.nextInt(CATEGORIES)))
                .append("place", pair(random.nextDouble(-180, 180), random.nextDouble(-90, 90)));
    }
}

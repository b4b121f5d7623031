package io.orestes.bench.matching;

import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * W1: {@code random ≥ i AND random < j}. At 10,000 writes a second a thousand of the queries match
 * once a minute each, the others never: their ranges lie between the values that are written.
 */
record RangeWorkload(int queries) implements Workload {

    private static final int SPACING = 600;
    private static final int WIDTH = 300;
    private static final int MATCHED_QUERIES = 1_000;

    /** 10,000 writes a second are 600,000 a minute, of which 1,000 match. */
    private static final int WRITES_PER_MATCH = 600;

    @Override
    public BsonDocument filter(int number) {
        return new BsonDocument("random", Workload.range(number * SPACING, number * SPACING + WIDTH));
    }

    @Override
    public Predicate<BsonDocument> compiled(int number) {
        int from = number * SPACING;
        int to = from + WIDTH;
        return document -> {
            int value = Workload.number(document, "random");
            return value >= from && value < to;
        };
    }

    @Override
    public BsonDocument document(int number, SplittableRandom random) {
        return Workload.fields(random).append("random", new BsonInt32(value(number, random)));
    }

    /** Matched queries are spread over all. */
    private int value(int number, SplittableRandom random) {
        int within = random.nextInt(WIDTH);
        if (number % WRITES_PER_MATCH > 0) {
            return random.nextInt(queries) * SPACING + WIDTH + within;
        }
        int matched = number / WRITES_PER_MATCH % MATCHED_QUERIES;
        return (int) ((long) matched * queries / MATCHED_QUERIES) * SPACING + within;
    }
}

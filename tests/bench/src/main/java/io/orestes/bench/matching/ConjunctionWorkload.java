package io.orestes.bench.matching;

import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * W2: five conditions, each on a field of its own and independent of the others. They are met by
 * 1/26, 1/2, 1/4, 1/2 and a given share of the documents.
 *
 * @param narrowest number of a million documents that meet the narrowest condition
 */
record ConjunctionWorkload(int narrowest) implements Workload {

    private static final int QUARTER = 250_000;

    @Override
    public BsonDocument filter(int number) {
        Parts parts = Parts.of(number, narrowest);
        return new BsonDocument("text0", new BsonDocument("$regex", new BsonString("^" + parts.initial)))
                .append("text1", new BsonDocument("$gte", new BsonString("n")))
                .append("number0", Workload.range(parts.quarter, parts.quarter + QUARTER))
                .append("number1", new BsonDocument("$lt", new BsonInt32(500_000)))
                .append("random", Workload.range(parts.narrow, parts.narrow + narrowest));
    }

    @Override
    public Predicate<BsonDocument> compiled(int number) {
        Parts parts = Parts.of(number, narrowest);
        return document -> {
            int random = Workload.number(document, "random");
            int number0 = Workload.number(document, "number0");
            return random >= parts.narrow
                    && random < parts.narrow + narrowest
                    && number0 >= parts.quarter
                    && number0 < parts.quarter + QUARTER
                    && Workload.number(document, "number1") < 500_000
                    && Workload.text(document, "text0").charAt(0) == parts.initial
                    && Workload.text(document, "text1").compareTo("n") >= 0;
        };
    }

    @Override
    public BsonDocument document(int number, SplittableRandom random) {
        return Workload.fields(random).append("random", new BsonInt32(random.nextInt(1_000_000)));
    }

    /** The varying parts of a query. */
    private record Parts(char initial, int quarter, int narrow) {

        static Parts of(int number, int narrowest) {
            SplittableRandom random = new SplittableRandom(number);
            return new Parts(
                    (char) ('a' + random.nextInt(26)),
                    random.nextInt(1_000_000 - QUARTER),
                    random.nextInt(1_000_000 - narrowest));
        }
    }
}

package io.orestes.bench.cluster;

import io.orestes.bench.harness.Orestes;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The objects of the workload that transactions are measured with, and the choice of each
 * transaction's objects: all are equally likely. A transaction has ten operations: it reads eight
 * objects, and replaces two of these.
 */
final class Accounts {

    static final String CLASS = "Account";
    static final int OBJECTS = 10_000;
    static final int READS = 8;
    static final int WRITES = 2;

    private static final int IMPORTED_AT_ONCE = 1_000;
    private static final String TEXT = "x".repeat(150);

    private Accounts() {}

    /** Stores all objects. */
    static void fill(Orestes orestes) throws Exception {
        orestes.createClass(CLASS, new Orestes.Field("money", "Integer"), new Orestes.Field("text", "String"));
        for (int from = 0; from < OBJECTS; from += IMPORTED_AT_ONCE) {
            orestes.importAll(
                    CLASS,
                    IntStream.range(from, from + IMPORTED_AT_ONCE)
                            .mapToObj(number -> "{\"id\":\"" + id(number) + "\"," + fields(0) + "}")
                            .toList());
        }
    }

    static String id(int number) {
        return "/db/" + CLASS + "/a" + number;
    }

    /** Returns members of an object in JSON. */
    static String fields(int money) {
        return "\"money\":" + money + ",\"text\":\"" + TEXT + "\"";
    }

    /**
     * Chooses different ones out of the first {@code objects} for a transaction; it writes the
     * first of these.
     */
    static int[] choose(Random random, int objects) {
        return random.ints(0, objects).distinct().limit(READS).toArray();
    }
}

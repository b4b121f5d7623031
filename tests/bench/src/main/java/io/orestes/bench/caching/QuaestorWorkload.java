package io.orestes.bench.caching;

import io.orestes.bench.harness.Orestes;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The data of Quaestor's evaluation (VLDB 2017, section 6): ten classes of 10,000 objects, and for
 * each class 100 queries with ten results, which are a tenth of its objects. Popularity follows
 * Zipf's law, as in YCSB with its constant of 0.99, both among the objects of a class and among its
 * queries; classes are equally popular. Writes replace an object and leave it in its query.
 */
final class QuaestorWorkload {

    static final int CLASSES = 10;
    static final int OBJECTS = 10_000;
    static final int QUERIES = 100;
    private static final int MEMBERS = 10;

    private final Zipf objects = new Zipf(OBJECTS, 0.99);
    private final Zipf queries = new Zipf(QUERIES, 0.99);
    /** Objects by rank, and the objects in queries: random, but equal each time. */
    private final List<Integer> byRank = shuffled(1);

    private final List<Integer> groups = shuffled(2);

    private static List<Integer> shuffled(long seed) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, OBJECTS).boxed().toList());
        Collections.shuffle(numbers, new Random(seed));
        return numbers;
    }

    /** Stores everything. */
    void fill(Orestes orestes) throws Exception {
        for (int bucket = 0; bucket < CLASSES; bucket++) {
            int of = bucket;
            orestes.createClass(
                    name(bucket), new Orestes.Field("group", "Integer"), new Orestes.Field("text", "String"));
            orestes.createIndex(name(bucket), "group");
            for (int from = 0; from < OBJECTS; from += 1000) {
                orestes.importAll(
                        name(bucket),
                        IntStream.range(from, from + 1000)
                                .mapToObj(i -> json("\"id\":\"" + id(number(of, i)) + "\",", i))
                                .toList());
            }
        }
    }

    /** Returns all ids and keys. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        IntStream.range(0, CLASSES * OBJECTS).forEach(number -> keys.add(id(number)));
        IntStream.range(0, CLASSES * QUERIES).forEach(query -> keys.add(key(query)));
        return keys;
    }

    /** Returns a popular object. */
    int nextObject(Random random) {
        return number(random.nextInt(CLASSES), byRank.get(objects.next(random)));
    }

    /** Returns a popular query. */
    int nextQuery(Random random) {
        return random.nextInt(CLASSES) * QUERIES + queries.next(random);
    }

    /** Returns the objects in a query's result. */
    int[] members(int query) {
        int bucket = query / QUERIES;
        return IntStream.range(0, MEMBERS)
                .map(i -> number(bucket, groups.indexOf(query % QUERIES + i * QUERIES)))
                .toArray();
    }

    String id(int object) {
        return "/db/" + name(object / OBJECTS) + "/o" + object % OBJECTS;
    }

    String key(int query) {
        return "/db/" + name(query / QUERIES) + "/query?q=%7B%22group%22%3A" + query % QUERIES + "%7D";
    }

    /** Returns the body of a write. */
    Buffer body(int object) {
        return Buffer.buffer(json("", object % OBJECTS));
    }

    private String json(String id, int index) {
        int group = groups.get(index);
        return "{" + id + "\"group\":" + (group < QUERIES * MEMBERS ? group % QUERIES : -1) + ",\"text\":\""
                + "x".repeat(150) + "\"}";
    }

    private static int number(int bucket, int index) {
        return bucket * OBJECTS + index;
    }

    private static String name(int bucket) {
        return "S" + bucket;
    }
}

package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Cost of permissions for one user with one token and a role: reads of a class that only the role
 * may load and query, and of its objects that only the role may read, against the same reads of a
 * public class of public objects of equal size. Objects come from the response cache, query results
 * from the store: those of logged-in users are not cached. wrk sends requests to both in turn.
 */
public final class PermissionBenchmark implements Benchmark {

    private static final String OPEN = Documents.ITEM;
    private static final String GUARDED = "Guarded";
    private static final int OBJECTS = 100;
    private static final int BYTES = 1024;
    private static final int ROUNDS = 7;
    private static final int WARM_UP_SECONDS = 10;
    private static final int SECONDS = 3;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("permission-check-vs-none", "query-acl-vs-public");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Wrk wrk = Wrk.find(lab);
        try (Orestes orestes = Orestes.start(lab)) {
            Orestes.User user = orestes.register("reader");
            fill(orestes, user, orestes.createRole("readers", user));
            report.accept(cachedRead(wrk, orestes, user));
            report.accept(query(wrk, orestes, user));
        }
    }

    private static void fill(Orestes orestes, Orestes.User user, String role) throws IOException, InterruptedException {
        String only = "{\"" + role + "\":\"allow\"}";
        String acl = ",\"acl\":{\"read\":" + only + ",\"write\":{}}}";
        orestes.createClass(OPEN, Documents.itemFields());
        orestes.createClass(
                GUARDED, "\"load\":" + only + ",\"query\":" + only + ",\"update\":{}", Documents.itemFields());
        orestes.importAll(OPEN, items(OPEN, BYTES + only.length(), "}"));
        orestes.importAll(GUARDED, items(GUARDED, BYTES, acl));
        for (String name : List.of(OPEN, GUARDED)) {
            var ignored = orestes.getCached("/v1/db/" + name + "/p0", user);
        }
    }

    /** @param end replaces the brace at the end of each */
    private static List<String> items(String name, int bytes, String end) {
        return IntStream.range(0, OBJECTS)
                .mapToObj(i ->
                        Documents.item("p" + i, i, bytes).replace("/db/" + Documents.ITEM + "/", "/db/" + name + "/"))
                .map(item -> item.substring(0, item.length() - 1) + end)
                .toList();
    }

    private static Figure cachedRead(Wrk wrk, Orestes orestes, Orestes.User user)
            throws IOException, InterruptedException {
        BenchmarkEnvironment.say("permission-check-vs-none");
        AlternatingLoad turns = turns(wrk, orestes, user, "/p0");
        return figure("permission-check-vs-none", turns, turns.ratio(GUARDED, OPEN), Goal.atLeast(0.95));
    }

    private static Figure query(Wrk wrk, Orestes orestes, Orestes.User user) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("query-acl-vs-public");
        AlternatingLoad turns = turns(wrk, orestes, user, "/query?q=%7B%7D");
        return figure("query-acl-vs-public", turns, turns.ratio(OPEN, GUARDED), Goal.atMost(1.3));
    }

    private static AlternatingLoad turns(Wrk wrk, Orestes orestes, Orestes.User user, String path)
            throws IOException, InterruptedException {
        AlternatingLoad turns = new AlternatingLoad();
        for (String name : List.of(GUARDED, OPEN)) {
            turns.with(
                    name,
                    seconds -> wrk.rate(
                            seconds, orestes.url("/v1/db/" + name + path), "-H", "Authorization: " + user.header()));
        }
        return turns.run(WARM_UP_SECONDS, ROUNDS, SECONDS);
    }

    private static Figure figure(String id, AlternatingLoad turns, double ratio, Goal goal) {
        String against = String.format(
                "by one token: class and object by role %,.0f/s, both public %,.0f/s",
                turns.median(GUARDED), turns.median(OPEN));
        return new Figure(id, ratio, "ratio", goal, against);
    }
}

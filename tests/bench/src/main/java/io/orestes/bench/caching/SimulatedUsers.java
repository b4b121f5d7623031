package io.orestes.bench.caching;

import io.orestes.bench.client.Network;
import io.orestes.bench.client.Site;
import io.orestes.bench.client.Steps;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Users of a {@link QuaestorWorkload}, each doing one operation after the other: 1 % writes, and
 * reads of objects and queries in equal parts. Either all users have a browser with the SDK behind
 * Varnish, or all send requests to the server and demand the newest state. Records the acknowledged
 * version of each object, to detect stale reads. Used by one event loop alone.
 */
final class SimulatedUsers {

    private static final double WRITES = 0.01;
    private static final Map<String, String> NEWEST = Map.of("Cache-Control", "no-cache");
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private final QuaestorWorkload shop;
    private final Network network;
    private final Site direct;
    private final List<Browser> browsers;
    private final List<int[]> members;
    private final long[] acknowledged = new long[QuaestorWorkload.CLASSES * QuaestorWorkload.OBJECTS];
    private final Map<String, Long> fetched = new HashMap<>();
    private final Random random = new Random(1);
    private Tally tally = new Tally();

    SimulatedUsers(QuaestorWorkload shop, Network network, int users) {
        this.shop = shop;
        this.network = network;
        this.direct = network.direct(users);
        Site cached = network.cached(2 * users);
        this.browsers = Stream.generate(() -> new Browser(cached, Duration.ofSeconds(10)))
                .limit(users)
                .toList();
        this.members = IntStream.range(0, QuaestorWorkload.CLASSES * QuaestorWorkload.QUERIES)
                .mapToObj(shop::members)
                .toList();
    }

    /** Sets the maximum age of all users' filters from now on. */
    void bound(Duration bound) {
        network.home().runOnContext(now -> browsers.forEach(browser -> browser.bound(bound)));
    }

    /** Runs users with browsers for a time. */
    Tally cached(Duration time) throws Exception {
        return run(
                time,
                browsers.stream()
                        .<Steps.Step>map(browser -> () -> browse(browser))
                        .toList());
    }

    /** Runs users without any cache for a time. */
    Tally uncached(Duration time) throws Exception {
        return run(time, browsers.stream().<Steps.Step>map(any -> this::ask).toList());
    }

    private Tally run(Duration time, List<Steps.Step> users) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        Tally counted = new Tally();
        tally = counted;
        List<Future<Void>> all = new ArrayList<>();
        counted.begin();
        for (Steps.Step user : users) {
            all.add(Steps.during(network.home(), () -> System.nanoTime() < end, () -> timed(user)));
        }
        var ignored = Future.all(all).toCompletionStage().toCompletableFuture().get();
        counted.end();
        return counted;
    }

    private Future<?> timed(Steps.Step step) {
        long begin = System.nanoTime();
        return step.take().onSuccess(done -> tally.operation(System.nanoTime() - begin));
    }

    private Future<?> browse(Browser browser) {
        double choice = random.nextDouble();
        if (choice < WRITES) {
            int object = shop.nextObject(random);
            long begin = System.nanoTime();
            return browser.write(shop.id(object), shop.body(object))
                    .onSuccess(body -> acknowledge(object, body))
                    .onSuccess(body -> tally.share("writes", System.nanoTime() - begin));
        }
        return choice < (1 + WRITES) / 2 ? object(browser) : query(browser);
    }

    private Future<?> object(Browser browser) {
        int object = shop.nextObject(random);
        long least = acknowledged[object];
        long begin = System.nanoTime();
        return browser.read(shop.id(object))
                .onSuccess(read ->
                        tally.share(share(read, shop.id(object), version(read.body()), 1), System.nanoTime() - begin))
                .onSuccess(read -> tally.object(version(read.body()) < least));
    }

    private Future<?> query(Browser browser) {
        int query = shop.nextQuery(random);
        int[] objects = members.get(query);
        long begin = System.nanoTime();
        long[] least =
                IntStream.of(objects).mapToLong(each -> acknowledged[each]).toArray();
        return browser.read(shop.key(query))
                .onSuccess(read -> tally.share(
                        share(read, shop.key(query), versions(read.body(), objects), objects.length),
                        System.nanoTime() - begin))
                .onSuccess(read -> tally.query(isStale(read.body(), objects, least)));
    }

    private Future<?> ask() {
        double choice = random.nextDouble();
        if (choice < WRITES) {
            int object = shop.nextObject(random);
            return direct.send(HttpMethod.PUT, shop.id(object), JSON, shop.body(object))
                    .onSuccess(answer -> acknowledge(object, answer.body()));
        }
        String key = choice < (1 + WRITES) / 2 ? shop.id(shop.nextObject(random)) : shop.key(shop.nextQuery(random));
        return direct.send(HttpMethod.GET, key, NEWEST, Buffer.buffer());
    }

    /** Returns the component that answered; for the server's answers with the reason. */
    private String share(Browser.Read read, String key, long state, long initial) {
        return switch (read.source()) {
            case BROWSER -> "browsers";
            case VARNISH -> "Varnish";
            case SERVER -> "server: " + (isNew(key, state, initial) ? "changed" : cause(read.reason()));
        };
    }

    /** Returns whether no user had received this state from the server before. */
    private boolean isNew(String key, long state, long initial) {
        Long before = fetched.put(key, state);
        return state > (before == null ? initial : before);
    }

    private static String cause(Browser.Reason reason) {
        return switch (reason) {
            case PLAIN -> "expired";
            case WRITTEN -> "own write";
            case IN_FILTER -> "in filter";
            case NO_FILTER -> "no filter";
        };
    }

    private void acknowledge(int object, Buffer answer) {
        acknowledged[object] = Math.max(acknowledged[object], version(answer));
    }

    private static long version(Buffer object) {
        return number(object.toString(StandardCharsets.UTF_8), 0);
    }

    /** Returns the first version in a text behind a position. */
    private static long number(String text, int from) {
        int at = text.indexOf("\"version\":", from) + "\"version\":".length();
        int end = at;
        while (Character.isDigit(text.charAt(end))) {
            end++;
        }
        return Long.parseLong(text, at, end, 10);
    }

    /** Returns the sum of the versions in a result, which grows with each change. */
    private long versions(Buffer result, int[] objects) {
        String text = result.toString(StandardCharsets.UTF_8);
        return IntStream.of(objects)
                .mapToLong(each -> number(text, text.indexOf("\"id\":\"" + shop.id(each) + "\"")))
                .sum();
    }

    private boolean isStale(Buffer result, int[] objects, long[] least) {
        String text = result.toString(StandardCharsets.UTF_8);
        for (int i = 0; i < objects.length; i++) {
            int at = text.indexOf("\"id\":\"" + shop.id(objects[i]) + "\"");
            if (at < 0) {
                throw new IllegalStateException("A result lacks " + shop.id(objects[i]));
            }
            if (number(text, at) < least[i]) {
                return true;
            }
        }
        return false;
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.server.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * A change of the schema that rewrites all objects of a class, and a server that is killed when it
 * has rewritten some of them and not others. The log of the next one proves it.
 */
public enum KilledChange {
    RENAME("{\"operation\":\"renameField\",\"bucket\":\"/db/$bucket\",\"from\":\"n\",\"to\":\"m\"}", "m"),

    /** Remaining values show when such a field is added again. */
    REMOVAL("{\"operation\":\"removeField\",\"bucket\":\"/db/$bucket\",\"name\":\"n\"}", "n"),
    NARROWING(
            "{\"operation\":\"changeField\",\"bucket\":\"/db/$bucket\",\"field\":{\"name\":\"n\","
                    + "\"type\":\"/db/Integer\"}}",
            "n"),

    /** A value that is not converted has a fraction. */
    ELEMENT_TYPE(
            "{\"operation\":\"changeField\",\"bucket\":\"/db/$bucket\",\"lossy\":true,"
                    + "\"field\":{\"name\":\"many\",\"type\":\"/db/collection.List[/db/Integer]\"}}",
            "many");

    public static final int OBJECTS = 8_000;

    private static final String CLASS =
            """
            {"class": "/db/$bucket", "fields": {
              "n": {"type": "/db/Double"},
              "many": {"type": "/db/collection.List[/db/Double]"},
              "text": {"type": "/db/String"}}}
            """;
    private static final Pattern FINISHED =
            Pattern.compile("The change of the schema is finished: .* the last process had changed (\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 10;

    private final String request;
    private final String field;

    /** @param field of the value afterwards */
    KilledChange(String request, String field) {
        this.request = request;
        this.field = field;
    }

    /** Returns the value of an object of that number afterwards. */
    private BsonValue value(int number) {
        return switch (this) {
            case RENAME, NARROWING -> new BsonInt64(number);
            case REMOVAL -> BsonNull.VALUE;
            case ELEMENT_TYPE -> new BsonArray(List.of(new BsonInt64(number)));
        };
    }

    /**
     * An observer that waits until some objects may be changed and others are not, and inspects
     * what a dead server left.
     */
    public interface KillObserver {

        /**
         * Called when the change of the class has begun; returns when the server should be killed.
         */
        void awaitMiddle(String bucket, int attempt);

        /** Called when the server is dead. */
        void look(String bucket);
    }

    /**
     * Kills servers until one of them was in the middle, and compares the state found by the next
     * one with the expected one.
     *
     * @param start starts a server on the same objects; queries have to return all of them
     */
    public void run(Callable<ServerProcess> start, KillObserver witness) throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            String bucket = "Crash" + attempt;
            int number = attempt;
            killDuring(start, bucket, () -> witness.awaitMiddle(bucket, number));
            witness.look(bucket);
            try (ServerProcess again = start.call()) {
                long before = changedBefore(again);
                if (before > 0 && before < OBJECTS) {
                    assertFinished(Client.anonymous(again).login("root", Backend.ROOT_PASSWORD), bucket);
                    again.stop();
                    return;
                }
                again.stop();
            }
        }
        throw new AssertionError("In none of " + ATTEMPTS + " attempts was the server killed in the middle");
    }

    private void killDuring(Callable<ServerProcess> start, String bucket, Runnable awaitMiddle) throws Exception {
        try (ServerProcess server = start.call()) {
            Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
            fill(root, bucket);
            CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> send(root, bucket));
            awaitBegin(server, bucket, changing);
            awaitMiddle.run();
            server.kill();
            changing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void awaitBegin(ServerProcess server, String bucket, CompletableFuture<Void> changing) {
        await("the change has begun", () -> {
            if (changing.isCompletedExceptionally()) {
                changing.join();
            }
            return server.command().errors().contains("removed or converted in: [" + bucket + "]");
        });
    }

    private void send(Client root, String bucket) {
        try {
            assertThat(root.post("/schema", request.replace("$bucket", bucket)).status())
                    .isEqualTo(200);
        } catch (AssertionError killed) {
            assertThat(killed).hasMessageContaining("got no answer");
        }
    }

    /** Creates a class with {@link #OBJECTS} objects and an index. */
    public static void fill(Client root, String bucket) {
        assertThat(root.post("/schema", CLASS.replace("$bucket", bucket)).status())
                .isEqualTo(200);
        assertThat(root.post("/index/" + bucket, "{\"keys\":[{\"n\":\"asc\"}]}").status())
                .isEqualTo(202);
        String objects = IntStream.range(0, OBJECTS)
                .mapToObj(i ->
                        "{\"id\":\"/db/%s/k%d\",\"n\":%d,\"many\":[%d.5],\"text\":\"t\"}".formatted(bucket, i, i, i))
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(root.put("/db/" + bucket, objects).array()).isEmpty();
        // changes wait for an index that is being filled, and would begin later
        await("the index is full", () -> !root.get("/index/" + bucket).text().contains("building"));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /**
     * Returns the number of objects with the new form when the server that finished the change
     * began; -1 if there was none to finish.
     */
    private static long changedBefore(ServerProcess server) {
        Matcher finished = FINISHED.matcher(server.command().errors());
        return finished.find() ? Long.parseLong(finished.group(1)) : -1;
    }

    private void assertFinished(Client root, String bucket) {
        BsonDocument type = root.get("/schema/" + bucket).object();
        assertThat(type.getDocument("fields").keySet()).hasSize(this == REMOVAL ? 2 : 3);
        if (this == REMOVAL) {
            assertThat(root.post("/schema", CLASS.replace("$bucket", bucket)).status())
                    .isEqualTo(200);
        }
        List<BsonValue> all =
                root.get("/db/" + bucket + "/query?q=%7B%7D&count=" + OBJECTS).array();
        assertThat(all).hasSize(OBJECTS).allSatisfy(each -> assertRight(each.asDocument()));
        if (this == RENAME || this == NARROWING) {
            assertThat(root.query(bucket, "{\"" + field + "\":7}").array()).hasSize(1);
        }
    }

    private void assertRight(BsonDocument object) {
        String id = object.getString("id").getValue();
        int number = Integer.parseInt(id.substring(id.lastIndexOf('k') + 1));
        assertThat(comparable(object.get(field, BsonNull.VALUE))).as(id).isEqualTo(value(number));
        assertThat(object.getNumber("version").intValue()).as(id).isEqualTo(2);
        assertThat(object.getString("text").getValue()).isEqualTo("t");
    }

    /**
     * Normalises numbers, so that they are compared by value and not by the type with which the
     * test reads them.
     */
    private static BsonValue comparable(BsonValue read) {
        if (read.isArray()) {
            return new BsonArray(
                    read.asArray().stream().map(KilledChange::comparable).toList());
        }
        if (!read.isNumber()) {
            return read;
        }
        double number = read.asNumber().doubleValue();
        return number == Math.rint(number) ? new BsonInt64((long) number) : new BsonDouble(number);
    }
}

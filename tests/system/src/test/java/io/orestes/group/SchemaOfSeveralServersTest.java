package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One server changes stored objects for another schema while others write them, or is killed in the
 * middle of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SchemaOfSeveralServersTest {

    private static final int OBJECTS = 20_000;
    private static final int BATCH = 2_000;
    /** Limit of attempts to kill a server in the middle of the change. */
    private static final int ATTEMPTS = 5;

    private static final AtomicInteger CLASSES = new AtomicInteger();

    private final ServerGroup group;
    private final List<Client> roots = new ArrayList<>();

    SchemaOfSeveralServersTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder);
    }

    @BeforeAll
    void logIn() {
        IntStream.range(0, 3).forEach(number -> roots.add(group.root(number)));
    }

    @AfterAll
    void close() {
        group.close();
    }

    /** A write on any server is refused, or it is stored afterwards under the new name. */
    @Test
    void rename_whileAllServersWrite_losesNothingAndLeavesNothingInTheOldForm() {
        String bucket = newClass();
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<List<String>>> writers = IntStream.range(0, 3)
                .mapToObj(server -> CompletableFuture.supplyAsync(() -> writeUntil(isOver, server, bucket)))
                .toList();
        Waiting.pause(Duration.ofSeconds(1));

        Answer renamed = roots.get(1).post("/schema", rename(bucket));
        assertThat(renamed.status()).as(renamed.text()).isEqualTo(200);
        Waiting.pause(Duration.ofSeconds(1));
        isOver.set(true);

        List<String> written =
                writers.stream().flatMap(writer -> writer.join().stream()).toList();
        assertThat(written).isNotEmpty();
        for (int server = 0; server < 3; server++) {
            assertThat(schemaOf(server, bucket)).contains("\"after\"").doesNotContain("\"before\"");
            for (String id : written) {
                assertThat(group.anonymous(server).get(id).object().containsKey("after"))
                        .as(id)
                        .isTrue();
            }
        }
    }

    /**
     * A client that has seen one object in the new form sees none in the old one on any server;
     * afterwards all use one schema.
     */
    @Test
    void narrowing_whileAllServersReadAndWrite_isSeenOnAllAtOnceAndLosesNothing() {
        String bucket = newClass("Double");
        String first = group.anonymous(0).insert(bucket, "{\"before\":7.5}");
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicBoolean isSeen = new AtomicBoolean();
        List<CompletableFuture<List<String>>> writers =
                eachServer(server -> writeFractionsUntil(isOver, server, bucket));
        List<CompletableFuture<Integer>> readers =
                eachServer(server -> readUntil(isOver, server, bucket, first, isSeen));
        Waiting.pause(Duration.ofSeconds(1));

        Answer narrowed = roots.get(1).post("/schema", narrowing(bucket, true));
        assertThat(narrowed.status()).as(narrowed.text()).isEqualTo(200);
        isSeen.set(true);
        Waiting.pause(Duration.ofSeconds(1));
        isOver.set(true);

        assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isPositive());
        List<String> written =
                writers.stream().flatMap(writer -> writer.join().stream()).toList();
        assertThat(written).hasSizeGreaterThan(3);
        String schema = schemaOf(0, bucket);
        assertThat(schema).contains("/db/Integer").doesNotContain("/db/Double");
        for (int server = 0; server < 3; server++) {
            assertThat(schemaOf(server, bucket)).isEqualTo(schema);
            assertThat(group.anonymous(server)
                            .query(bucket, "{\"before\":{\"$ne\":7}}")
                            .array())
                    .isEmpty();
            assertThat(group.anonymous(server).count(bucket)).isEqualTo(written.size() + 1 + server);
            assertTakesIntegersOnly(server, bucket);
        }
        assertThat(group.countInStore(bucket, "{before: {$type: 'double'}}")).isZero();
    }

    @Test
    void removal_everyServerDropsTheClass() {
        String bucket = newClass();
        String id = group.anonymous(2).insert(bucket, "{\"before\":1}");
        assertThat(group.anonymous(1).get(id).status()).isEqualTo(200);

        Answer removed = roots.get(0).delete("/schema/" + bucket);

        assertThat(removed.status()).as(removed.text()).isBetween(200, 204);
        assertThat(group.anonymous(1).get(id).status()).isEqualTo(461);
        assertThat(group.anonymous(2).post("/db/" + bucket, "{\"before\":2}").status())
                .isEqualTo(461);
    }

    @Test
    void uniqueIndex_createdByOneServer_appliesToAll() {
        String bucket = newClass();
        Answer made = roots.get(0).post("/index/" + bucket, "{\"keys\":[{\"before\":\"asc\"}],\"unique\":true}");
        assertThat(made.status()).as(made.text()).isEqualTo(202);
        Waiting.until("all have the index", () -> IntStream.range(0, 3).allMatch(server -> hasIndex(server, bucket)));
        group.anonymous(1).insert(bucket, "{\"before\":1}");

        Answer second = group.anonymous(2).post("/db/" + bucket, "{\"before\":1}");

        assertThat(second.status()).as(second.text()).isEqualTo(409);
    }

    private boolean hasIndex(int server, String bucket) {
        String indexes = roots.get(server).get("/index/" + bucket).text();
        return indexes.contains("before") && !indexes.contains("building");
    }

    /**
     * The others wait until the server has left the group, and then one of them continues its
     * change.
     */
    @Test
    @Tag("full")
    void kill_theServerThatRenames_anotherOneFinishesIt() throws Exception {
        long renamed = 0;
        for (int attempt = 0; attempt < ATTEMPTS && !isInTheMiddle(renamed); attempt++) {
            String bucket = newClass();
            renamed = killDuring(
                    bucket,
                    () -> roots.get(0).post("/schema", rename(bucket)),
                    () -> renamed(bucket),
                    server -> schemaOf(server, bucket).contains("\"after\""));
            for (int server = 0; server < 3; server++) {
                assertThat(schemaOf(server, bucket)).contains("\"after\"").doesNotContain("\"before\"");
                assertAllRenamed(server, bucket);
            }
            assertThat(renamed(bucket)).as("renamed once").isEqualTo(OBJECTS);
            group.anonymous(1).insert(bucket, "{\"after\":1}");
        }
        assertThat(renamed).as("renamed when the server died").isBetween(1L, OBJECTS - 1L);
    }

    /** Some of the objects then have values of the new type, and the others of the old one. */
    @Test
    @Tag("full")
    void kill_theServerThatNarrows_anotherOneFinishesIt() throws Exception {
        long narrowed = 0;
        for (int attempt = 0; attempt < ATTEMPTS && !isInTheMiddle(narrowed); attempt++) {
            String bucket = newClass("Double");
            narrowed = killDuring(
                    bucket,
                    () -> roots.get(0).post("/schema", narrowing(bucket, false)),
                    () -> narrowed(bucket),
                    server -> schemaOf(server, bucket).contains("/db/Integer"));
            assertThat(narrowed(bucket)).as("narrowed once").isEqualTo(OBJECTS);
            for (int server = 0; server < 3; server++) {
                assertThat(schemaOf(server, bucket)).contains("/db/Integer").doesNotContain("/db/Double");
                // writers that waited for its end have inserted some
                assertThat(roots.get(server).get("/db/" + bucket).array())
                        .extracting(BsonValue::asDocument)
                        .filteredOn(object -> object.getNumber("version").intValue() == 2)
                        .hasSize(OBJECTS)
                        .allSatisfy(
                                object -> assertThat(object.getNumber("before").intValue())
                                        .isEqualTo(numberOf(object)));
                assertTakesIntegersOnly(server, bucket);
            }
            assertThat(group.countInStore(bucket, "{before: {$type: 'double'}}"))
                    .isZero();
        }
        assertThat(narrowed).as("narrowed when the server died").isBetween(1L, OBJECTS - 1L);
    }

    @Test
    @Tag("full")
    void kill_theServerThatRemovesAClass_anotherOneFinishesIt() throws Exception {
        long gone = 0;
        for (int attempt = 0; attempt < ATTEMPTS && !isInTheMiddle(gone); attempt++) {
            String bucket = newClass();
            gone = killDuring(
                    bucket,
                    () -> roots.get(0).delete("/schema/" + bucket),
                    () -> OBJECTS - group.countInStore(bucket, "{}"),
                    server -> statusOf(server, bucket) == 461);
            for (int server = 0; server < 3; server++) {
                assertThat(statusOf(server, bucket)).isEqualTo(461);
            }
            assertThat(group.countInStore(bucket, "{}")).isZero();
        }
        assertThat(gone).as("deleted when the server died").isBetween(1L, OBJECTS - 1L);
    }

    private static boolean isInTheMiddle(long changed) {
        return changed > 0 && changed < OBJECTS;
    }

    /**
     * Kills the first server when the change has reached some objects, so that it is recorded and
     * must be finished by the others, and starts it again after that. Returns how many objects it
     * had reached.
     */
    private long killDuring(String bucket, Supplier<Answer> change, LongSupplier reached, IntPredicate isDone)
            throws Exception {
        fill(bucket);
        CompletableFuture<Answer> changing = CompletableFuture.supplyAsync(change);
        Waiting.until("some objects are changed", () -> reached.getAsLong() > 0);
        group.kill(0);
        long when = reached.getAsLong();
        if (isInTheMiddle(when)) {
            assertThat(changing).failsWithin(Duration.ofSeconds(60));
        }
        Waiting.until(
                "it is finished",
                () -> isDone.test(1) && isDone.test(2) && !isPaused(1, bucket) && !isPaused(2, bucket));
        group.restart(0);
        roots.set(0, group.root(0));
        return when;
    }

    /** Counts the rewritten objects: each has another version. */
    private long renamed(String bucket) {
        return group.countInStore(bucket, "{version: 2, after: {$exists: true}}");
    }

    /** The fraction is truncated, as on a single server. */
    private void assertTakesIntegersOnly(int server, String bucket) {
        Answer written = group.anonymous(server).post("/db/" + bucket, "{\"before\":7.5}");
        assertThat(written.status()).as(written.text()).isEqualTo(201);
        assertThat(written.object().getNumber("before").doubleValue()).isEqualTo(7);
    }

    private long narrowed(String bucket) {
        return group.countInStore(bucket, "{version: 2, before: {$type: 'long'}}");
    }

    private void assertAllRenamed(int server, String bucket) {
        List<BsonValue> all = roots.get(server).get("/db/" + bucket).array();
        assertThat(all).hasSize(OBJECTS);
        assertThat(all).extracting(BsonValue::asDocument).allSatisfy(object -> {
            assertThat(object.getNumber("after").intValue()).isEqualTo(numberOf(object));
            assertThat(object.containsKey("before")).isFalse();
        });
    }

    private static int numberOf(BsonDocument object) {
        String id = object.getString("id").getValue();
        return Integer.parseInt(id.substring(id.lastIndexOf('/') + 1));
    }

    private boolean isPaused(int server, String bucket) {
        return group.anonymous(server).post("/db/" + bucket, "{\"before\":1}").status() == 503;
    }

    /** Writes all objects of a class, each with its number for a value. */
    private void fill(String bucket) {
        for (int first = 0; first < OBJECTS; first += BATCH) {
            String objects = IntStream.range(first, first + BATCH)
                    .mapToObj(i -> "{\"id\":\"/db/%s/%d\",\"before\":%d}".formatted(bucket, i, i))
                    .collect(Collectors.joining(",", "[", "]"));
            Answer failures = roots.get(1).put("/db/" + bucket, objects);
            assertThat(failures.array()).as(failures.text()).isEmpty();
        }
    }

    private List<String> writeUntil(AtomicBoolean isOver, int server, String bucket) {
        List<String> ids = new ArrayList<>();
        Client client = group.anonymous(server);
        while (!isOver.get()) {
            for (String name : List.of("before", "after")) {
                Answer answer = client.post("/db/" + bucket, "{\"" + name + "\":1}");
                if (answer.status() == 201) {
                    ids.add(answer.object().getString("id").getValue());
                } else {
                    assertThat(answer.status()).as(answer.text()).isIn(463, 503);
                }
            }
        }
        return ids;
    }

    private static <T> List<CompletableFuture<T>> eachServer(IntFunction<T> work) {
        return IntStream.range(0, 3)
                .mapToObj(server -> CompletableFuture.supplyAsync(() -> work.apply(server)))
                .toList();
    }

    /**
     * Writes values that the narrower type cannot have, so that one in the old form is
     * distinguished from all others.
     */
    private List<String> writeFractionsUntil(AtomicBoolean isOver, int server, String bucket) {
        List<String> ids = new ArrayList<>();
        Client client = group.anonymous(server);
        while (!isOver.get()) {
            Answer answer = client.post("/db/" + bucket, "{\"before\":7.5}");
            if (answer.status() == 201) {
                ids.add(answer.object().getString("id").getValue());
            } else {
                assertThat(answer.status()).as(answer.text()).isIn(463, 503);
            }
        }
        return ids;
    }

    /** Repeatedly reads an object and all of them, and returns the number of successes. */
    private int readUntil(AtomicBoolean isOver, int server, String bucket, String id, AtomicBoolean isSeen) {
        Client client = group.anonymous(server);
        int reads = 0;
        while (!isOver.get()) {
            for (String path : List.of(id, "/db/" + bucket + "/query?q=%7B%7D")) {
                boolean isNew = isSeen.get();
                Answer answer = client.get(path);
                if (answer.status() == 503) {
                    continue;
                }
                reads++;
                boolean isOld = answer.text().contains("\"before\":7.5");
                assertThat(isNew && isOld).as(answer.text()).isFalse();
                if (!isOld) {
                    isSeen.set(true);
                }
            }
        }
        return reads;
    }

    private String schemaOf(int server, String bucket) {
        return roots.get(server).get("/schema/" + bucket).text();
    }

    private int statusOf(int server, String bucket) {
        return roots.get(server).get("/schema/" + bucket).status();
    }

    private static String rename(String bucket) {
        return "{\"operation\":\"renameField\",\"bucket\":\"/db/" + bucket + "\",\"from\":\"before\",\"to\":\"after\"}";
    }

    private static String narrowing(String bucket, boolean lossy) {
        return ("{\"operation\":\"changeField\",\"bucket\":\"/db/%s\",\"lossy\":%s,"
                        + "\"field\":{\"name\":\"before\",\"type\":\"/db/Integer\"}}")
                .formatted(bucket, lossy);
    }

    private String newClass() {
        return newClass("Integer");
    }

    private String newClass(String type) {
        String name = "Shape" + CLASSES.incrementAndGet();
        Answer created = roots.get(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/" + name + "\",\"fields\":{\"before\":{\"name\":\"before\",\"type\":\"/db/"
                                + type + "\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return name;
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates: computed once over HTTP, live over event streams and WebSockets. */
@ExtendWith(SharedBackend.class)
final class AggregatesTest {

    private static final String BY_SHELF = "{\"_id\":\"$shelf\",\"n\":{\"$sum\":1},\"most\":{\"$max\":\"$p\"}}";
    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private final Backend backend;
    private final Client client;
    private final Client root;
    private final Map<String, String> rows = new TreeMap<>();
    private String bucket = "";

    AggregatesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket =
                backend.newClass("shelf", "String", "p", "Double", "at", "Time", "tags", "collection.List[/db/String]");
    }

    private void put(String key, String shelf, double p) {
        client.update("/db/" + bucket + "/" + key, "{\"shelf\":\"" + shelf + "\",\"p\":" + p + "}");
    }

    private Answer pull(Client as, String aggregate, String... more) {
        return as.get(path("query", aggregate) + String.join("", more), "Cache-Control", "no-cache");
    }

    private String path(String resource, String aggregate) {
        return "/db/" + bucket + "/" + resource + "?q=%7B%7D&aggregate=" + Client.encode(aggregate);
    }

    private LiveStream stream(String aggregate, String... headers) throws Exception {
        LiveStream live = LiveStream.open(client, bucket, "q=%7B%7D&aggregate=" + Client.encode(aggregate), headers);
        if (headers.length == 0) {
            result(live.next().array());
        }
        return live;
    }

    private static String member(String aggregate) {
        return ",\"aggregate\":\"" + aggregate.replace("\"", "\\\"") + "\"";
    }

    private void result(BsonArray result) {
        rows.clear();
        rows.putAll(byId(result));
    }

    private static Map<String, String> byId(BsonArray result) {
        Map<String, String> byId = new TreeMap<>();
        result.forEach(row -> byId.put(id(row.asDocument()), row.asDocument().toJson()));
        return byId;
    }

    private static String id(BsonDocument row) {
        return String.valueOf(row.get("_id"));
    }

    /** Applies a match as a client does, and returns its summary. */
    @CanIgnoreReturnValue
    private String match(BsonDocument match) {
        String type = match.getString("matchType").getValue();
        BsonDocument row = match.getDocument("data");
        String before = type.equals("remove") ? rows.remove(id(row)) : rows.put(id(row), row.toJson());
        assertThat(before == null).as("%s on %s", match, before).isEqualTo(type.equals("add"));
        return type + "/" + match.getString("operation").getValue() + " "
                + row.toJson().replace("\"", "");
    }

    @CanIgnoreReturnValue
    private String next(LiveStream live) throws Exception {
        LiveStream.Event event = live.next();
        assertThat(event.name()).as(event.text()).isEqualTo("match");
        return match(event.object());
    }

    @Test
    void pull_byGetAndPost_hasOneRowForEachGroupTheCallerMayRead() {
        put("a", "x", 1.5);
        put("b", "x", 2);
        put("c", "y", -1);
        root.update("/db/" + bucket + "/d", "{\"shelf\":\"y\",\"p\":9," + FOR_ROOT + "}");

        Answer rowsOfAll = pull(client, BY_SHELF);
        Answer posted = client.send(
                "POST",
                path("query", BY_SHELF),
                BodyPublishers.ofString("{\"p\":{\"$gt\":0}}"),
                "Content-Type",
                "text/plain");

        assertThat(rowsOfAll.text())
                .isEqualTo("[{\"_id\":\"x\",\"n\":2,\"most\":2},{\"_id\":\"y\",\"n\":1,\"most\":-1}]");
        assertThat(rowsOfAll.header("Cache-Control")).hasValue("public, no-cache");
        assertThat(posted.text()).isEqualTo("[{\"_id\":\"x\",\"n\":2,\"most\":2}]");
        assertThat(pull(root, BY_SHELF).text()).contains("{\"_id\":\"y\",\"n\":2,\"most\":9}");
        assertThat(pull(root, BY_SHELF).header("Cache-Control")).hasValue("private, no-cache");
    }

    @Test
    void pull_afterAWrite_isNeverAnOldOne() {
        put("a", "x", 1);
        String etag = client.get(path("query", BY_SHELF)).header("ETag").orElseThrow();

        assertThat(client.get(path("query", BY_SHELF), "If-None-Match", etag).status())
                .isEqualTo(304);
        put("b", "x", 2);

        assertThat(client.get(path("query", BY_SHELF), "If-None-Match", etag).text())
                .contains("\"n\":2");
    }

    @Test
    void pull_valuesOfFields_haveTheWireFormsOfTheirTypes() {
        client.update("/db/" + bucket + "/a", "{\"shelf\":\"x\",\"at\":\"05:06:07.080Z\",\"tags\":[\"u\",\"v\"]}");
        String stored =
                client.get("/db/" + bucket + "/a").object().getString("at").getValue();

        String one = pull(
                        client,
                        "{\"_id\":{\"at\":\"$at\",\"id\":\"$id\"},\"tags\":{\"$max\":\"$tags\"},"
                                + "\"mean\":{\"$avg\":\"$p\"}}")
                .text();

        assertThat(one)
                .isEqualTo("[{\"_id\":{\"at\":\"" + stored + "\",\"id\":\"/db/" + bucket
                        + "/a\"},\"tags\":[\"u\",\"v\"],\"mean\":null}]");
    }

    @Test
    void stream_objectsEnterMoveAndLeave_sendsRowByRow() throws Exception {
        put("a", "x", 1.5);
        try (LiveStream live = stream(BY_SHELF)) {
            assertThat(rows).hasSize(1);

            put("b", "x", 3);
            put("b", "y", 3);
            client.remove("/db/" + bucket + "/a");

            assertThat(next(live)).isEqualTo("change/insert {_id: x, n: 2, most: 3}");
            assertThat(List.of(next(live), next(live)))
                    .containsExactly("change/update {_id: x, n: 1, most: 1.5}", "add/update {_id: y, n: 1, most: 3}");
            assertThat(next(live)).isEqualTo("remove/delete {_id: x}");
            assertThat(rows).isEqualTo(byId(pull(client, BY_SHELF).array()));
        }
    }

    @Test
    void stream_resumedBetweenTheEventsOfOneWrite_continuesWithoutGapOrDuplicate() throws Exception {
        put("a", "x", 1);
        put("b", "x", 2);
        String seen;
        try (LiveStream live = stream(BY_SHELF)) {
            put("b", "y", 2);
            LiveStream.Event first = live.next();
            seen = first.id();
            assertThat(match(first.object())).startsWith("change/update {_id: x");
        }
        put("c", "y", 3);

        try (LiveStream resumed = stream(BY_SHELF, "Last-Event-ID", seen)) {
            assertThat(next(resumed)).isEqualTo("add/update {_id: y, n: 1, most: 2}");
            assertThat(next(resumed)).isEqualTo("change/insert {_id: y, n: 2, most: 3}");
        }
    }

    @Test
    void stream_objectThatBecomesUnreadable_leavesItsGroup() throws Exception {
        put("a", "x", 1);
        put("b", "x", 4711);
        try (LiveStream live = stream(BY_SHELF)) {
            root.update("/db/" + bucket + "/b", "{\"shelf\":\"x\",\"p\":4712," + FOR_ROOT + "}");

            assertThat(next(live)).isEqualTo("change/update {_id: x, n: 1, most: 1}");
        }
    }

    @Test
    void socket_resultThenRows_andMergedMatchTypes() throws Exception {
        put("a", "x", 1);
        try (LiveSocket all = LiveSocket.open(backend.server());
                LiveSocket merged = LiveSocket.open(backend.server())) {
            all.subscribe("s", bucket, "{\"p\":{\"$gt\":0}}", member(BY_SHELF));
            merged.subscribe("t", bucket, "{\"p\":{\"$gt\":0}}", member(BY_SHELF) + ",\"matchTypes\":[\"match\"]");
            result(all.next().getArray("data"));
            assertThat(merged.next().getArray("data")).hasSize(1);
            assertThat(rows).hasSize(1);

            put("b", "y", 2);
            put("a", "x", -1);

            assertThat(match(all.next())).isEqualTo("add/insert {_id: y, n: 1, most: 2}");
            assertThat(match(all.next())).isEqualTo("remove/update {_id: x}");
            assertThat(merged.next().getString("matchType").getValue()).isEqualTo("match");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{|471",
                "[]|471",
                "{}|471",
                "{\"_id\":\"$nothing\"}|471",
                "{\"_id\":\"$_readAllowed\"}|471",
                "{\"_id\":\"$_id\"}|471",
                "{\"_id\":\"$__proto__\"}|471",
                "{\"_id\":\"$shelf..x\"}|471",
                "{\"_id\":null,\"__proto__\":{\"$sum\":1}}|471",
                "{\"_id\":null,\"a.b\":{\"$sum\":1}}|471",
                "{\"_id\":null,\"n\":{\"$count\":1}}|471",
                "{\"_id\":{\"__proto__\":\"$shelf\"}}|471",
                "{\"_id\":\"$$ROOT\"}|468",
                "{\"_id\":\"shelf\"}|468",
                "{\"_id\":{\"$toUpper\":\"$shelf\"}}|468",
                "{\"_id\":{\"a\":{\"b\":\"$shelf\"}}}|468",
                "{\"_id\":null,\"n\":{\"$push\":\"$shelf\"}}|468",
                "{\"_id\":null,\"n\":{\"$accumulator\":\"$shelf\"}}|468",
                "{\"_id\":null,\"n\":{\"$sum\":{\"$add\":[1,\"$p\"]}}}|468",
                "{\"_id\":null,\"n\":{\"$max\":[\"$p\"]}}|468"
            })
    void aggregate_malformedOrUnsupported_isRefusedInEveryRequest(String aggregate, int status) throws Exception {
        assertThat(pull(client, aggregate).status()).isEqualTo(status);
        assertThat(client.get(path("events", aggregate)).status()).isEqualTo(status);
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, "{}", member(aggregate));

            assertThat(socket.nextError()).isEqualTo(status);
        }
    }

    @Test
    void aggregate_besideAnOrder_isRefused() throws Exception {
        for (String order : List.of("&sort=%7B%22p%22%3A1%7D", "&start=1", "&count=1")) {
            assertThat(pull(client, BY_SHELF, order).status()).isEqualTo(468);
            assertThat(client.get(path("events", BY_SHELF) + order).status()).isEqualTo(468);
        }
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, "{}", member(BY_SHELF) + ",\"limit\":1");

            assertThat(socket.nextError()).isEqualTo(468);
        }
    }

    @Test
    void aggregate_deepOrLong_isRefusedWithoutSideEffects() {
        String deep = "{\"_id\":".repeat(500) + "null" + "}".repeat(500);
        String path = "{\"_id\":\"$p" + ".p".repeat(1_000) + "\"}";

        assertThat(pull(client, deep).status()).isBetween(400, 471);
        assertThat(pull(client, path).status()).isEqualTo(471);
        assertThat(client.get(path("events", path)).status()).isEqualTo(471);
        backend.assertUnharmed();
    }

    @Test
    void aggregate_ofMoreGroupsThanAllowed_isRefusedAndEndsWhatIsLive() throws Exception {
        String byId = "{\"_id\":\"$id\"}";
        String objects = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"id\":\"/db/" + bucket + "/o" + i + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(root.put("/db/" + bucket, objects).array()).isEmpty();

        try (LiveStream live = stream(byId)) {
            assertThat(rows).hasSize(1_000);
            put("one-too-many", "x", 1);

            assertThat(live.next().name()).isEqualTo("error");
        }
        assertThat(pull(client, byId).status()).isEqualTo(468);
        assertThat(client.get(path("events", byId)).status()).isEqualTo(468);
    }

    @Test
    void streamAndSocket_whileManyWrite_becomeWhatAFreshAggregateIs() throws Exception {
        String all = "{\"_id\":\"$shelf\",\"n\":{\"$count\":{}},\"sum\":{\"$sum\":\"$p\"},\"mean\":{\"$avg\":\"$p\"},"
                + "\"least\":{\"$min\":\"$p\"},\"most\":{\"$max\":\"$p\"}}";
        try (LiveStream live = stream(all);
                LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, "{}", member(all));
            assertThat(socket.next().getArray("data")).isEmpty();
            writeFromManySides();
            Map<String, String> expected = byId(pull(client, all).array());

            while (!rows.equals(expected)) {
                next(live);
            }
            rows.clear();
            while (!rows.equals(expected)) {
                match(socket.next());
            }
        }
    }

    private void writeFromManySides() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            Random random = new Random(writer);
            writers.add(CompletableFuture.runAsync(() -> IntStream.range(0, 80).forEach(step -> writeOne(random))));
        }
        writers.forEach(CompletableFuture::join);
    }

    /** Writers conflict; a deletion that comes too late has no effect. */
    private void writeOne(Random random) {
        String key = "k" + random.nextInt(15);
        if (random.nextInt(4) == 0) {
            Answer gone = client.delete("/db/" + bucket + "/" + key);
            assertThat(gone.status()).isIn(204, 404);
        } else {
            put(key, "s" + random.nextInt(4), random.nextInt(100) / 10.0);
        }
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Live queries with sort, limit and offset, over event streams and WebSockets. */
@ExtendWith(SharedBackend.class)
final class SortedLiveQueryTest {

    private static final String BY_NAME = "{\"name\":1}";
    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private final Backend backend;
    private final Client client;
    private final Client root;
    private final LiveWindow window = new LiveWindow();
    private String bucket = "";

    SortedLiveQueryTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("name", "String", "n", "Integer");
    }

    private String id(String key) {
        return "/db/" + bucket + "/" + key;
    }

    private void name(String key, String name) {
        client.update(id(key), "{\"name\":\"" + name + "\"}");
    }

    private void objects(String... keys) {
        for (String key : keys) {
            name(key, key);
        }
    }

    private LiveStream stream(String parameters, String... headers) throws Exception {
        LiveStream live = LiveStream.open(client, bucket, parameters, headers);
        if (headers.length == 0) {
            window.result(live.next().array());
        }
        return live;
    }

    private LiveSocket socket(String more) throws Exception {
        LiveSocket socket = LiveSocket.open(backend.server());
        socket.subscribe("s", bucket, "{}", more);
        window.result(socket.next().getArray("data"));
        return socket;
    }

    @CanIgnoreReturnValue
    private String next(LiveStream live) throws Exception {
        LiveStream.Event event = live.next();
        assertThat(event.name()).as(event.text()).isEqualTo("match");
        return window.match(event.object());
    }

    @CanIgnoreReturnValue
    private String next(LiveSocket socket) throws Exception {
        return window.match(socket.next());
    }

    private static String sortedBy(String sort, int start, int count) {
        return "sort=" + Client.encode(sort) + "&start=" + start + "&count=" + count;
    }

    private List<String> pull(String parameters) {
        LiveWindow pulled = new LiveWindow();
        pulled.result(client.get("/db/" + bucket + "/query?q=%7B%7D&" + parameters, "Cache-Control", "no-cache")
                .array());
        return pulled.keys();
    }

    @Test
    void stream_near_isInOrderOfDistance() throws Exception {
        bucket = backend.newClass("place", "GeoPoint");
        assertThat(root.post("/index/" + bucket, "{\"keys\":[{\"place\":\"geo\"}]}")
                        .status())
                .isEqualTo(202);
        place("far", 60);
        place("close", 1);
        String near = "{\"place\":{\"$nearSphere\":{\"$geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}}}";

        try (LiveStream live = stream("q=" + Client.encode(near) + "&count=3")) {
            assertThat(window.keys()).containsExactly("close", "far");

            place("middle", -30);
            place("far", 0);
            client.remove(id("close"));

            assertThat(next(live)).isEqualTo("add/insert middle @1");
            assertThat(next(live)).isEqualTo("changeIndex/update far @0");
            assertThat(next(live)).isEqualTo("remove/delete close");
            assertThat(window.keys()).containsExactly("far", "middle");
        }
    }

    private void place(String key, int latitude) {
        client.update(id(key), "{\"place\":{\"latitude\":%d,\"longitude\":0}}".formatted(latitude));
    }

    @Test
    void stream_workedExampleOfTheProtocol_isSentLineByLine() throws Exception {
        objects("b", "c", "d");
        try (LiveStream live = stream(sortedBy(BY_NAME, 0, 3))) {
            assertThat(window.keys()).containsExactly("b", "c", "d");

            objects("a");
            name("b", "e");
            client.remove(id("d"));
            name("c", "0");
            client.update(id("a"), "{\"name\":\"a\",\"n\":1}");

            assertThat(List.of(next(live), next(live))).containsExactly("remove/none d", "add/insert a @0");
            assertThat(List.of(next(live), next(live))).containsExactly("remove/update b", "add/none d @2");
            assertThat(List.of(next(live), next(live))).containsExactly("remove/delete d", "add/none b @2");
            assertThat(next(live)).isEqualTo("changeIndex/update c @0");
            assertThat(next(live)).isEqualTo("change/update a @1");
            assertThat(window.keys()).containsExactly("c", "a", "b").isEqualTo(pull(sortedBy(BY_NAME, 0, 3)));
        }
    }

    @Test
    void stream_insertionBeforeTheOffset_shiftsTheWindow() throws Exception {
        objects("b", "c", "d", "e");
        try (LiveStream live = stream(sortedBy(BY_NAME, 1, 2))) {
            objects("a");

            assertThat(List.of(next(live), next(live))).containsExactly("remove/none d", "add/none b @0");
        }
    }

    @Test
    void stream_onlyCount_isOrderedById() throws Exception {
        objects("c", "b");
        try (LiveStream live = stream("count=2")) {
            assertThat(window.keys()).containsExactly("b", "c");

            objects("a");

            assertThat(List.of(next(live), next(live))).containsExactly("remove/none c", "add/insert a @0");
        }
    }

    @Test
    void stream_resumedBetweenTheEventsOfOneWrite_continuesWithoutGapOrDuplicate() throws Exception {
        objects("b", "c");
        String query = sortedBy(BY_NAME, 0, 2);
        String seen;
        try (LiveStream live = stream(query)) {
            objects("a");
            LiveStream.Event first = live.next();
            seen = first.id();
            assertThat(window.match(first.object())).isEqualTo("remove/none c");
        }
        name("b", "0");

        try (LiveStream resumed = stream(query, "Last-Event-ID", seen)) {
            assertThat(next(resumed)).isEqualTo("add/insert a @0");
            assertThat(next(resumed)).isEqualTo("changeIndex/update b @0");
        }
    }

    @Test
    void stream_objectThatBecomesUnreadable_leavesTheWindowAndIsReplaced() throws Exception {
        objects("a", "b", "c");
        root.update(id("0"), "{\"name\":\"0\"," + FOR_ROOT + "}");
        try (LiveStream live = stream(sortedBy(BY_NAME, 0, 2))) {
            assertThat(window.keys()).containsExactly("a", "b");

            root.update(id("a"), "{\"name\":\"a\",\"n\":4711," + FOR_ROOT + "}");

            LiveStream.Event removal = live.next();
            assertThat(removal.text()).doesNotContain("4711");
            assertThat(window.match(removal.object())).isEqualTo("remove/update a");
            assertThat(next(live)).isEqualTo("add/none c @1");
        }
        try (LiveStream mine = LiveStream.open(root, bucket, sortedBy(BY_NAME, 0, 2))) {
            window.result(mine.next().array());
            assertThat(window.keys()).containsExactly("0", "a");
        }
    }

    @Test
    void stream_filteredByMatchTypeOrOperation_sendsOnlyThose() throws Exception {
        objects("b", "c");
        try (LiveStream moves = stream(sortedBy(BY_NAME, 0, 2) + "&matchTypes=changeIndex");
                LiveStream pushed = stream(sortedBy(BY_NAME, 0, 2) + "&operations=none")) {
            objects("a");
            name("b", "0");

            assertThat(moves.next().summary()).isEqualTo("changeIndex update " + id("b"));
            assertThat(pushed.next().summary()).isEqualTo("remove none " + id("c"));
        }
    }

    @Test
    void socket_ordered_sendsIndexesAndMergedMatchTypes() throws Exception {
        objects("b", "c");
        String order = ",\"sort\":\"{\\\"name\\\":-1}\",\"limit\":2,\"offset\":0";
        try (LiveSocket all = socket(order);
                LiveSocket merged = socket(order + ",\"matchTypes\":[\"match\"]")) {
            assertThat(window.keys()).containsExactly("c", "b");

            name("b", "d");
            client.remove(id("c"));

            assertThat(next(all)).isEqualTo("changeIndex/update b @0");
            assertThat(next(all)).isEqualTo("remove/delete c");
            BsonDocument match = merged.next();
            assertThat(match.getString("matchType").getValue()).isEqualTo("match");
            assertThat(match.getNumber("index").intValue()).isZero();
        }
    }

    @Test
    void socket_limitAboveTheMaximum_isCapped() throws Exception {
        objects("a", "b");
        try (LiveSocket socket = socket(",\"limit\":100000,\"offset\":1")) {
            assertThat(window.keys()).containsExactly("b");

            objects("c");

            assertThat(next(socket)).isEqualTo("add/insert c @1");
        }
    }

    @Test
    void stream_whileManyWrite_becomesWhatThePullQueryReturns() throws Exception {
        String query = sortedBy("{\"n\":1}", 2, 5);
        try (LiveStream live = stream(query)) {
            writeFromManySides();
            List<String> expected = pull(query);

            while (!window.keys().equals(expected)) {
                next(live);
            }
        }
    }

    @Test
    void socket_whileManyWrite_becomesWhatThePullQueryReturns() throws Exception {
        try (LiveSocket socket = socket(",\"sort\":\"{\\\"n\\\":-1}\",\"limit\":5,\"offset\":2")) {
            writeFromManySides();
            List<String> expected = pull(sortedBy("{\"n\":-1}", 2, 5));

            while (!window.keys().equals(expected)) {
                next(socket);
            }
        }
    }

    /**
     * Inserts more objects than the window's slack, moves objects, and deletes so many that the
     * query is executed again.
     */
    private void writeFromManySides() {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            int number = writer;
            writers.add(CompletableFuture.runAsync(() -> writeSome(number)));
        }
        writers.forEach(CompletableFuture::join);
    }

    private void writeSome(int writer) {
        Random random = new Random(writer);
        IntStream.range(0, 20).forEach(i -> number(writer, i, random));
        for (int step = 0; step < 60; step++) {
            number(writer, random.nextInt(20), random);
        }
        IntStream.range(0, 15).forEach(i -> client.remove(id("w" + writer + "-" + i)));
    }

    private void number(int writer, int object, Random random) {
        client.update(id("w" + writer + "-" + object), "{\"n\":" + random.nextInt(30) + "}");
    }
}

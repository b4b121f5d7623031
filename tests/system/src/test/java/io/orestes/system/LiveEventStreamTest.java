package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.http.RawHttp;
import io.orestes.support.process.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Live queries over event streams: the result, then every change, once and in order, across
 * reconnections.
 */
@ExtendWith(SharedBackend.class)
final class LiveEventStreamTest {

    private static final String OPEN_TASKS = "q=" + Client.encode("{\"done\":false}");
    /**
     * Lead of the writer over the reader in writes: fewer than the events that the server retains.
     */
    private static final int LEAD = 20;

    private static final int LARGE = 9_000;

    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    LiveEventStreamTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "done", "Boolean", "n", "Integer");
    }

    private String id(Object key) {
        return "/db/" + bucket + "/" + key;
    }

    private void task(Object key) {
        client.update(id(key), "{\"done\":false}");
    }

    private LiveStream open(String parameters, String... headers) throws Exception {
        return LiveStream.open(client, bucket, parameters, headers);
    }

    @Test
    void stream_startsWithTheResult() throws Exception {
        task("a");
        client.update(id("b"), "{\"done\":true}");

        try (LiveStream live = open(OPEN_TASKS)) {
            LiveStream.Event result = live.next();

            assertThat(result.array()).hasSize(1);
            assertThat(result.array().get(0)).isEqualTo(client.get(id("a")).object());
            assertThat(result.id()).isNotEmpty();
        }
    }

    @Test
    void stream_everyKindOfChange_isSent() throws Exception {
        try (LiveStream live = open(OPEN_TASKS)) {
            assertThat(live.next().array()).isEmpty();

            task("a");
            client.update(id("a"), "{\"done\":false,\"text\":\"x\"}");
            client.update(id("a"), "{\"done\":true}");
            client.update(id("a"), "{\"done\":false}");
            client.remove(id("a"));

            assertThat(live.next().summary()).isEqualTo("add insert " + id("a"));
            assertThat(live.next().data().getString("text").getValue()).isEqualTo("x");
            assertThat(live.next().summary()).isEqualTo("remove update " + id("a"));
            assertThat(live.next().summary()).isEqualTo("add update " + id("a"));
            assertThat(live.next().summary()).isEqualTo("remove delete " + id("a"));
        }
    }

    @Test
    void stream_objectThatLeft_isCompleteAndADeletedOneIsOnlyItsId() throws Exception {
        task("a");
        try (LiveStream live = open(OPEN_TASKS)) {
            assertThat(live.next().array()).hasSize(1);

            client.update(id("a"), "{\"done\":true,\"text\":\"x\"}");
            client.update(id("a"), "{\"done\":false}");
            client.remove(id("a"));

            assertThat(live.next().data().keySet()).contains("version", "text", "acl");
            assertThat(live.next().summary()).isEqualTo("add update " + id("a"));
            assertThat(live.next().data().keySet()).containsExactly("id");
        }
    }

    @Test
    void stream_writesThatDoNotMatch_areNotSent() throws Exception {
        try (LiveStream live = open(OPEN_TASKS)) {
            assertThat(live.next().array()).isEmpty();

            client.update(id("other"), "{\"done\":true}");
            client.remove(id("other"));
            task("a");

            assertThat(live.next().summary()).isEqualTo("add insert " + id("a"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matchTypes=add        | add insert, add update",
                "matchTypes=change     | change update",
                "matchTypes=remove     | remove update, remove delete",
                "matchTypes=add,remove | add insert, remove update, add update, remove delete",
                "matchTypes=all        | add insert, change update, remove update, add update, remove delete",
                "matchTypes=match      | match insert, match update, match update",
                "operations=insert     | add insert",
                "operations=update     | change update, remove update, add update",
                "operations=delete     | remove delete",
                "operations=any        | add insert, change update, remove update, add update, remove delete",
            })
    void stream_filtered_sendsOnlyThose(String filter, String expected) throws Exception {
        task("before");
        try (LiveStream filtered = open(OPEN_TASKS + "&" + filter);
                LiveStream all = open(OPEN_TASKS)) {
            assertThat(filtered.next().array()).hasSize(1);
            assertThat(all.next().array()).hasSize(1);

            task("a");
            client.update(id("a"), "{\"done\":false,\"n\":1}");
            client.update(id("a"), "{\"done\":true}");
            task("a");
            client.remove(id("a"));

            List<String> summaries = new ArrayList<>();
            for (String each : expected.split(", ", -1)) {
                summaries.add(filtered.next().summary().replace(" " + id("a"), ""));
                assertThat(summaries).last().isEqualTo(each);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"matchTypes=sometimes", "operations=upsert", "matchTypes=add&operations=insert"})
    void stream_invalidFilter_isRefused(String filter) {
        assertThat(client.get("/db/" + bucket + "/events?" + filter).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "initial=maybe, 400",
        "initial=1, 400",
        "matchTypes=Add, 400",
        "operations=any%3Binsert, 400",
        "q=nonsense, 471",
        "q=%5B%5D, 471",
        "q=%7B%22n%22%3A%7B%22%24in%22%3A1%7D%7D, 471",
        "q=%7B%22%24where%22%3A%22true%22%7D, 468",
    })
    void stream_malformedParameter_isRefused(String parameter, int status) {
        assertThat(client.get("/db/" + bucket + "/events?" + parameter).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"/events, 400", "/db, 200", "/db/{}, 466", "/db/{}/events, 200", "/db/{}/events?initial=maybe, 400"})
    void head_ofAStream_isAnsweredWithoutABodyAndEnds(String path, int status) throws Exception {
        String answer = RawHttp.exchange(
                backend.server().base(),
                "HEAD /v1%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(path.replace("{}", bucket)));

        assertThat(answer).startsWith("HTTP/1.1 " + status).endsWith(RawHttp.END_OF_HEAD);
    }

    /** The result is far larger than the bound of unread data of a connection. */
    @Test
    void stream_ofALargeResult_arrivesCompletely() throws Exception {
        String tasks = IntStream.range(0, LARGE)
                .mapToObj(n -> "{\"id\":\"" + id("k" + n) + "\",\"text\":\"" + "x".repeat(1_000) + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(root.put("/db/" + bucket, tasks).status()).isEqualTo(200);

        try (LiveStream live = open("");
                LiveSocket socket = LiveSocket.open(backend.server())) {
            assertThat(live.next().array()).hasSize(LARGE);
            socket.subscribe("s", bucket, "{}", "");
            assertThat(socket.next().getArray("data")).hasSize(LARGE);

            task("new");
            assertThat(live.next().summary()).isEqualTo("add insert " + id("new"));
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("new"));
        }
    }

    @Test
    void stream_withoutInitialResult_startsWithTheChanges() throws Exception {
        task("old");
        try (LiveStream live = open(OPEN_TASKS + "&initial=false");
                LiveStream other = open(OPEN_TASKS)) {
            assertThat(other.next().array()).hasSize(1);

            String summary;
            int n = 0;
            do {
                task("new" + n++);
                summary = live.next().summary();
            } while (summary.contains("old"));

            assertThat(summary).startsWith("add insert " + id("new"));
        }
    }

    @Test
    void stream_resumed_continuesWithoutGapOrDuplicate() throws Exception {
        String seen;
        try (LiveStream live = open(OPEN_TASKS)) {
            assertThat(live.next().array()).isEmpty();
            task("a");
            seen = live.next().id();
        }
        task("b");
        client.remove(id("a"));

        try (LiveStream resumed = open(OPEN_TASKS, "Last-Event-ID", seen)) {
            assertThat(resumed.next().summary()).isEqualTo("add insert " + id("b"));
            assertThat(resumed.next().summary()).isEqualTo("remove delete " + id("a"));
            task("c");
            assertThat(resumed.next().summary()).isEqualTo("add insert " + id("c"));
        }
    }

    /**
     * Every write adds an object to the list or removes it, so that a lost or doubled event is
     * detected.
     */
    @Test
    void stream_resumedDuringWrites_hasNoGapOrDuplicate() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Semaphore lead = new Semaphore(LEAD);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; !stop.get(); i++) {
                lead.acquireUninterruptibly();
                client.update(id("k" + i % 7), "{\"done\":" + (i / 7 % 2 == 0) + "}");
            }
        });
        Map<String, Long> list = new TreeMap<>();
        String last = "";
        for (int connection = 0; connection < 12; connection++) {
            String[] resume = last.isEmpty() ? new String[0] : new String[] {"Last-Event-ID", last};
            try (LiveStream live = open(OPEN_TASKS, resume)) {
                for (int i = 0; i < 10; i++) {
                    LiveStream.Event event = live.next();
                    assertThat(event.name()).isEqualTo(last.isEmpty() ? "result" : "match");
                    apply(event, list);
                    last = event.id();
                    lead.release();
                }
            }
            awaitUsedUp(lead);
        }
        stop.set(true);
        lead.release();
        writer.join();
        Map<String, Long> current = versions(client.query(bucket, "{\"done\":false}", "Cache-Control", "no-cache"));
        try (LiveStream live = open(OPEN_TASKS, "Last-Event-ID", last)) {
            client.update(id("sentinel"), "{\"done\":false}");
            while (!list.containsKey(id("sentinel"))) {
                apply(live.next(), list);
            }
        }
        list.remove(id("sentinel"));
        assertThat(list).isEqualTo(current);
    }

    private static void awaitUsedUp(Semaphore permits) {
        Waiting.until("the permits are used up", () -> permits.availablePermits() == 0);
    }

    /** Applies an event to a list of versions; each has to match the state of the list. */
    private static void apply(LiveStream.Event event, Map<String, Long> list) {
        if (event.name().equals("result")) {
            list.clear();
            event.array().forEach(object -> put(object.asDocument(), list));
            return;
        }
        BsonDocument data = event.data();
        String object = data.getString("id").getValue();
        switch (event.object().getString("matchType").getValue()) {
            case "add" -> assertThat(list).as(event.text()).doesNotContainKey(object);
            case "change" ->
                assertThat(list.get(object))
                        .as(event.text())
                        .isLessThan(data.getNumber("version").longValue());
            default -> assertThat(list.remove(object)).as(event.text()).isNotNull();
        }
        if (!event.object().getString("matchType").getValue().equals("remove")) {
            put(data, list);
        }
    }

    private static void put(BsonDocument object, Map<String, Long> list) {
        list.put(object.getString("id").getValue(), object.getNumber("version").longValue());
    }

    private static Map<String, Long> versions(Answer result) {
        Map<String, Long> versions = new TreeMap<>();
        result.array().stream().map(BsonValue::asDocument).forEach(object -> put(object, versions));
        return versions;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "0000000000000000.1.1", "ffffffffffffffff.99999.1", "-1", "../..", "0"})
    void stream_resumedFromAnUnknownId_startsWithAFreshResult(String lastEventId) throws Exception {
        task("a");

        try (LiveStream live = open(OPEN_TASKS, "Last-Event-ID", lastEventId)) {
            assertThat(live.next().array()).hasSize(1);
        }
    }

    @Test
    void stream_resumedFromTheFuture_startsWithAFreshResult() throws Exception {
        task("a");
        String id;
        try (LiveStream live = open(OPEN_TASKS)) {
            id = live.next().id();
        }
        String future = id.replaceFirst("\\.\\d+", ".99999");

        try (LiveStream live = open(OPEN_TASKS, "Last-Event-ID", future)) {
            assertThat(live.next().name()).isEqualTo("result");
        }
    }

    @ParameterizedTest
    @CsvSource({"start=500,468", "start=-1,400", "count=x,400", "sort=%7B%22n%22%3A2%7D,471", "sort=n,471"})
    void stream_ofAnInvalidWindow_isRefused(String parameter, int status) {
        assertThat(client.get("/db/" + bucket + "/events?" + parameter).status())
                .isEqualTo(status);
    }

    @Test
    void stream_unreadableObjects_areNotSent() throws Exception {
        try (LiveStream anonymous = open(OPEN_TASKS);
                LiveStream mine = LiveStream.open(root, bucket, OPEN_TASKS)) {
            assertThat(anonymous.next().array()).isEmpty();
            assertThat(mine.next().array()).isEmpty();

            root.update(id("secret"), "{\"done\":false,\"text\":\"secret\"," + FOR_ROOT + "}");
            task("open");

            assertThat(mine.next().summary()).isEqualTo("add insert " + id("secret"));
            assertThat(mine.next().summary()).isEqualTo("add insert " + id("open"));
            assertThat(anonymous.next().summary()).isEqualTo("add insert " + id("open"));
        }
    }

    @Test
    void stream_objectThatBecomesUnreadable_isRemovedAndNotLeaked() throws Exception {
        task("a");
        try (LiveStream anonymous = open(OPEN_TASKS)) {
            assertThat(anonymous.next().array()).hasSize(1);

            root.update(id("a"), "{\"done\":false,\"text\":\"secret\"," + FOR_ROOT + "}");
            root.update(id("a"), "{\"done\":false,\"text\":\"public again\"}");

            LiveStream.Event removal = anonymous.next();
            assertThat(removal.summary()).startsWith("remove ").endsWith(id("a"));
            assertThat(removal.text()).doesNotContain("secret");
            assertThat(removal.data().keySet()).containsExactly("id");
            assertThat(anonymous.next().summary()).isEqualTo("add update " + id("a"));
        }
    }

    @Test
    void stream_withInvalidToken_is460() {
        assertThat(client.withToken("nonsense").get("/db/" + bucket + "/events").status())
                .isEqualTo(460);
    }

    @Test
    void stream_manySubscribersOfOneQuery_allReceiveEvents() throws Exception {
        List<LiveStream> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                streams.add(open(OPEN_TASKS));
            }
            for (LiveStream each : streams) {
                assertThat(each.next().array()).isEmpty();
            }

            task("a");

            for (LiveStream each : streams) {
                assertThat(each.next().summary()).isEqualTo("add insert " + id("a"));
            }
        } finally {
            for (LiveStream each : streams) {
                each.close();
            }
        }
    }
}

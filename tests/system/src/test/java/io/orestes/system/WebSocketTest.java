package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.MessageSchema;
import io.orestes.support.http.RawHttp;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Live queries over WebSockets, message by message (protocol §18). */
@ExtendWith(SharedBackend.class)
final class WebSocketTest {

    /**
     * The last frame of a client; without it the server waits for some seconds before it closes the
     * connection.
     */
    private static final String CLOSE = frame(0x88, "");

    private static final String OPEN_TASKS = "{\"done\":false}";
    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    WebSocketTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "done", "Boolean");
    }

    private String id(String key) {
        return "/db/" + bucket + "/" + key;
    }

    private void task(String key) {
        client.update(id(key), "{\"done\":false}");
    }

    /** Opens a socket with one subscription {@code s} whose initial result has arrived. */
    private LiveSocket subscribed(String more) throws InterruptedException {
        LiveSocket socket = LiveSocket.open(backend.server());
        socket.subscribe("s", bucket, OPEN_TASKS, more);
        assertThat(socket.next().getString("type").getValue()).isEqualTo("result");
        return socket;
    }

    @Test
    void subscribe_isAnsweredWithTheResult() throws Exception {
        task("a");
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, OPEN_TASKS, "");

            BsonDocument result = socket.next();

            assertThat(result.getString("id").getValue()).isEqualTo("s");
            assertThat(result.getString("type").getValue()).isEqualTo("result");
            assertThat(result.getString("date").getValue()).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
            assertThat(result.getArray("data"))
                    .containsExactly(client.get(id("a")).object());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Connection: Upgrade                         | Connection: keep-alive",
                "Upgrade: websocket                          | Upgrade: tcp",
                "Sec-WebSocket-Version: 13                   | Sec-WebSocket-Version: 12",
                "Sec-WebSocket-Version: 13                   | X-None: 1",
                "Sec-WebSocket-Version: 13                   | Sec-WebSocket-Version: 8",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | X-None: 1",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | Sec-WebSocket-Key: short",
                "GET /v1/events HTTP/1.1                     | GET /v1/events HTTP/1.0",
            })
    void handshake_malformed_isRefusedInTheFormOfErrors(String right, String wrong) throws Exception {
        String refused = answerTo(RawHttp.WEB_SOCKET.replace(right.strip(), wrong.strip()));

        assertThat(refused)
                .matches("(?s)HTTP/1\\.[01] 400 .*")
                .containsIgnoringCase("\r\ncontent-type: application/json");
        assertThat(BsonDocument.parse(refused.substring(refused.indexOf(RawHttp.END_OF_HEAD)))
                        .keySet())
                .contains("className", "reason", "message", "status");
    }

    @Test
    void handshake_ofAnotherVersion_isAnsweredWithTheSupportedOne() throws Exception {
        assertThat(answerTo(RawHttp.WEB_SOCKET.replace("Version: 13", "Version: 8")))
                .startsWith("HTTP/1.1 400")
                .containsIgnoringCase("\r\nsec-websocket-version: 13\r\n");
    }

    /**
     * Returns the whole answer to a handshake that fails, after which the connection has to end.
     */
    private String answerTo(String handshake) throws Exception {
        return RawHttp.exchange(
                backend.server().base(), handshake.replaceFirst("\r\nHost", "\r\nConnection: close\r\nHost"));
    }

    @Test
    void ping_isAnswered_andEndsNoSubscription() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            String ping = "{\"id\":\"s\",\"type\":\"ping\"}";
            MessageSchema.CLIENT.check(ping);

            socket.send(ping);
            BsonDocument pong = socket.next();
            task("a");

            assertThat(pong).isEqualTo(BsonDocument.parse("{id: 's', type: 'pong'}"));
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    @Test
    void bloomFilter_overSocket_equalsThatOfHttpAndEndsNoSubscription() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            task("a");
            assertThat(client.get(id("a")).status()).isEqualTo(200);
            task("a");
            assertThat(List.of(socket.nextMatch(), socket.nextMatch()))
                    .containsExactly("s add insert " + id("a"), "s change update " + id("a"));

            BsonDocument answer = filter(socket, "");

            Answer overHttp = client.get("/bloomfilter");
            assertThat(answer.getString("id").getValue()).isEqualTo("s");
            assertThat(answer.getDocument("data")).isEqualTo(overHttp.object());
            assertThat(answer.getDocument("data").getString("b").getValue()).isNotEmpty();
            assertThat(overHttp.header("Orestes-Purge-Lag"))
                    .contains(answer.getString("purgeLag").getValue());
            task("b");
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("b"));
        }
    }

    @Test
    void bloomFilter_thatIsKnown_isNotSentAgain() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            String etag = filter(socket, "").getString("etag").getValue();

            BsonDocument known = filter(socket, ",\"etag\":\"" + etag + "\"");
            BsonDocument other = filter(socket, ",\"etag\":\"other\"");

            assertThat(known.containsKey("data")).isFalse();
            assertThat(known.getString("etag").getValue()).isEqualTo(etag);
            assertThat(other.containsKey("data")).isTrue();
        }
    }

    @Test
    void bloomFilter_inGzip_isEqual() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            BsonDocument plain = filter(socket, "");

            BsonDocument zipped = filter(socket, ",\"gzip\":true");

            byte[] gzip = Base64.getDecoder().decode(zipped.getString("gzip").getValue());
            byte[] text = new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes();
            assertThat(zipped.containsKey("data")).isFalse();
            assertThat(BsonDocument.parse(new String(text, StandardCharsets.US_ASCII)))
                    .isEqualTo(plain.getDocument("data"));
        }
    }

    private static BsonDocument filter(LiveSocket socket, String more) throws InterruptedException {
        String message = "{\"id\":\"s\",\"type\":\"bloomFilter\"" + more + "}";
        MessageSchema.CLIENT.check(message);
        socket.send(message);
        return socket.next();
    }

    @Test
    void subscribe_toNothing_isAnsweredWithTheEmptyResult() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", bucket, OPEN_TASKS, "");

            assertThat(socket.next().getArray("data")).isEmpty();
        }
    }

    @Test
    void subscribe_withoutInitial_isAnsweredOnceWithoutData() throws Exception {
        task("a");
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.send("{\"id\":\"s\",\"type\":\"subscribe\",\"bucket\":\"%s\",\"query\":\"{}\",\"initial\":false}"
                    .formatted(bucket));
            assertThat(socket.next().getArray("data")).isEmpty();

            task("b");

            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("b"));
        }
    }

    @Test
    void match_ofEveryKind_isSent() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            task("a");
            client.update(id("a"), "{\"done\":false,\"text\":\"x\"}");
            client.update(id("a"), "{\"done\":true}");
            task("a");
            client.remove(id("a"));

            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("a"));
            assertThat(socket.nextMatch()).isEqualTo("s change update " + id("a"));
            assertThat(socket.nextMatch()).isEqualTo("s remove update " + id("a"));
            assertThat(socket.nextMatch()).isEqualTo("s add update " + id("a"));
            BsonDocument deletion = socket.next();
            assertThat(deletion.getString("operation").getValue()).isEqualTo("delete");
            assertThat(deletion.getDocument("data").keySet()).containsExactly("id");
            assertThat(deletion.keySet()).doesNotContain("index");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"matchTypes\":[\"remove\"]  | s remove delete",
                "\"matchTypes\":[\"match\"]   | s match insert",
                "\"matchTypes\":[\"all\"],\"operations\":[\"any\"] | s add insert",
                "\"operations\":[\"delete\"]  | s remove delete",
            })
    void match_filtered_isTheOnlyEvent(String filter, String first) throws Exception {
        try (LiveSocket socket = subscribed("," + filter)) {
            task("a");
            client.remove(id("a"));

            assertThat(socket.nextMatch()).isEqualTo(first + " " + id("a"));
        }
    }

    @Test
    void subscriptions_ofOneSocket_areApart() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.subscribe("t", bucket, "{\"done\":true}", "");
            assertThat(socket.next().getString("id").getValue()).isEqualTo("t");

            client.update(id("a"), "{\"done\":true}");
            task("b");

            assertThat(socket.nextMatch()).isEqualTo("t add insert " + id("a"));
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("b"));
        }
    }

    @Test
    void unsubscribe_hasNoAnswerAndNothingFollows() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.subscribe("t", bucket, OPEN_TASKS, "");
            assertThat(socket.next().getString("id").getValue()).isEqualTo("t");

            socket.unsubscribe("s");
            socket.unsubscribe("never-subscribed");
            socket.subscribe("u", bucket, OPEN_TASKS, "");
            assertThat(socket.next().getString("id").getValue()).isEqualTo("u");
            task("a");

            String first = socket.nextMatch();
            String second = socket.nextMatch();
            assertThat(List.of(first, second))
                    .containsExactlyInAnyOrder("t add insert " + id("a"), "u add insert " + id("a"));
            assertThat(socket.isSilent()).isTrue();
        }
    }

    @Test
    void subscribe_idInUse_endsAllWithAnError() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.subscribe("s", bucket, OPEN_TASKS, "");

            assertThat(socket.nextError()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                          | ,\"offset\":500                | 468",
                "{}                          | ,\"offset\":-1                 | 400",
                "{}                          | ,\"limit\":\"10\"              | 400",
                "{}                          | ,\"limit\":1.5                 | 400",
                "{}                          | ,\"sort\":{\"text\":1}         | 400",
                "{}                          | ,\"sort\":\"{\\\"text\\\":2}\" | 471",
                "{}                          | ,\"sort\":\"{\\\"_acl\\\":1}\" | 471",
                "{\"$where\":\"true\"}       | ''                             | 468",
                "{\"text\":                  | ''                             | 471",
                "{\"text\":{\"$in\":1}}      | ''                             | 471",
                "{}                          | ,\"token\":\"nonsense\"        | 460",
                "{}                          | ,\"matchTypes\":[\"never\"]    | 400",
            })
    void subscribe_invalidQuery_failsAlone(String filter, String more, int status) throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.subscribe("bad", bucket, filter, more);

            BsonDocument error = socket.next();
            assertThat(error.getString("id").getValue()).isEqualTo("bad");
            assertThat(error.getString("type").getValue()).isEqualTo("error");
            assertThat(error.getDocument("error").getNumber("status").intValue())
                    .isEqualTo(status);
            task("a");
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("a"));
            assertThat(socket.isSilent()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"query\":\"{}\"                    | 461",
                "\"query\":\"{}\",\"bucket\":null    | 461",
                "\"query\":\"{}\",\"bucket\":7       | 400",
                "\"bucket\":\"Todo\",\"query\":{}      | 400",
                "\"bucket\":\"Todo\",\"query\":\"[]\"  | 461",
            })
    void subscribe_membersMissingOrOfAnotherType_failsAloneAndTheSocketStaysOpen(String members, int status)
            throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.send("{\"id\":\"bad\",\"type\":\"subscribe\"," + members + "}");

            BsonDocument error = socket.next();
            assertThat(error.getString("id").getValue()).isEqualTo("bad");
            assertThat(error.getDocument("error").getNumber("status").intValue())
                    .isEqualTo(status);
            task("a");
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    /** The error ends the subscription that the message names, and no other. */
    @ParameterizedTest
    @ValueSource(strings = {"\"id\":\"t\",\"type\":\"foo\"", "\"id\":\"t\"", "\"id\":\"t\",\"type\":7"})
    void message_ofNoType_isAnsweredForItsSubscription(String members) throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.send("{\"id\":\"t\",\"type\":\"subscribe\",\"bucket\":\"%s\"}".formatted(bucket));
            socket.send("{" + members + "}");

            BsonDocument error = socket.next();
            if (!error.containsKey("error")) {
                // the result may arrive before the message is processed
                error = socket.next();
            }
            assertThat(error.getString("id").getValue()).isEqualTo("t");
            assertThat(error.getDocument("error").getNumber("status").intValue())
                    .isEqualTo(400);
            task("a");
            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    @Test
    void subscribe_withoutQuery_isToEverything() throws Exception {
        task("a");
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.send("{\"id\":\"s\",\"type\":\"subscribe\",\"bucket\":\"%s\",\"initial\":true}".formatted(bucket));

            assertThat(socket.next().getArray("data")).hasSize(1);
        }
    }

    @Test
    void subscribe_unknownClass_is461() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.subscribe("s", "Nowhere", "{}", "");

            assertThat(socket.nextError()).isEqualTo(461);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "[]",
                "{}",
                "{\"type\":\"subscribe\"}",
                "{\"id\":1,\"type\":\"subscribe\"}",
                "{\"id\":\"x\",\"type\":\"subscribe\"}{}",
                "{\"type\":\"unsubscribe\"}",
                "{\"\\u0000\":1}"
            })
    void message_malformed_isAnErrorOfTheSocketWhichStaysUsable(String message) throws Exception {
        try (LiveSocket socket = subscribed("")) {
            socket.send(message);

            BsonDocument error = socket.next();
            assertThat(error.getString("type").getValue()).isEqualTo("error");
            assertThat(error.keySet()).doesNotContain("id");
            assertThat(error.getDocument("error").getNumber("status").intValue())
                    .isEqualTo(400);
            socket.subscribe("again", bucket, OPEN_TASKS, "");
            assertThat(socket.next().getString("id").getValue()).isEqualTo("again");
            task("a");
            assertThat(socket.nextMatch()).isEqualTo("again add insert " + id("a"));
        }
    }

    @Test
    void message_binaryOrDeep_isRefused() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            socket.sendBinary(new byte[] {1, 2, 3});
            assertThat(socket.nextError()).isEqualTo(400);

            socket.send("[".repeat(5_000));
            assertThat(socket.nextError()).isEqualTo(400);
        }
    }

    @Test
    void subscribe_oftenerThanAllowed_is429ForTheRest() throws Exception {
        try (LiveSocket socket = LiveSocket.open(backend.server())) {
            for (int i = 0; i <= 1_000; i++) {
                socket.subscribe("s" + i, bucket, OPEN_TASKS, "");
            }
            List<BsonDocument> refusals = new ArrayList<>();
            for (int i = 0; i <= 1_000; i++) {
                BsonDocument answer = socket.next();
                if (answer.getString("type").getValue().equals("error")) {
                    refusals.add(answer);
                }
            }
            assertThat(refusals).singleElement().satisfies(refusal -> {
                assertThat(refusal.getString("id").getValue()).isEqualTo("s1000");
                assertThat(refusal.getDocument("error").getNumber("status").intValue())
                        .isEqualTo(429);
            });
            socket.unsubscribe("s0");
            socket.subscribe("fits", bucket, OPEN_TASKS, "");
            assertThat(socket.next().getString("type").getValue()).isEqualTo("result");
        }
    }

    @Test
    void subscribe_withToken_showsWhatThatUserMayRead() throws Exception {
        String secret = root.insert(bucket, "{\"done\":false," + FOR_ROOT + "}");
        try (LiveSocket mine = LiveSocket.open(backend.server());
                LiveSocket anonymous = subscribed("")) {
            mine.subscribe("s", bucket, OPEN_TASKS, ",\"token\":\"" + root.token() + "\"");
            assertThat(mine.next()
                            .getArray("data")
                            .get(0)
                            .asDocument()
                            .getString("id")
                            .getValue())
                    .isEqualTo(secret);

            root.update(secret, "{\"done\":false,\"text\":\"x\"," + FOR_ROOT + "}");
            task("a");

            assertThat(mine.nextMatch()).isEqualTo("s change update " + secret);
            assertThat(anonymous.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    @Test
    void match_ofAnObjectThatBecomesUnreadable_leaksNothing() throws Exception {
        task("a");
        try (LiveSocket socket = subscribed("")) {
            root.update(id("a"), "{\"done\":false,\"text\":\"secret\"," + FOR_ROOT + "}");

            BsonDocument removal = socket.next();
            assertThat(removal.getString("matchType").getValue()).isEqualTo("remove");
            assertThat(removal.toString()).doesNotContain("secret");
        }
    }

    /**
     * Any event loop may serve the socket; the answer to the write has to be sent before the event.
     */
    @Test
    void match_ofOwnWrite_comesAfterTheAnswer() throws Exception {
        try (LiveSocket socket = subscribed("")) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.put(id("k" + i), "{\"done\":false}").status()).isEqualTo(200);
                assertThat(socket.nextMatch()).isEqualTo("s add insert " + id("k" + i));
            }
        }
    }

    @Test
    void socket_fromAnyOrigin_isAccepted() throws Exception {
        try (RawHttp raw = RawHttp.connect(backend.server().base())) {
            raw.send(RawHttp.WEB_SOCKET);

            assertThat(raw.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.1 101");
        }
    }

    @Test
    void socket_requestThatIsNoUpgrade_is400() {
        assertThat(client.get("/events").status()).isEqualTo(400);
        assertThat(client.get("/events-url").object().getString("url").getValue())
                .isEqualTo("//" + backend.server().base().getAuthority() + "/v1/events");
    }

    @Test
    void socket_frameThatBreaksTheRules_closesThatSocketOnly() throws Exception {
        try (LiveSocket other = subscribed("");
                RawHttp raw = RawHttp.connect(backend.server().base())) {
            raw.send(RawHttp.WEB_SOCKET);
            assertThat(raw.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.1 101");

            raw.send("\u00ff".repeat(10));

            assertThat(raw.readToTheEnd()).hasSizeLessThan(200);
            task("a");
            assertThat(other.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    /** The rules of RFC 6455 for each mistake: §5.1, §5.2, §5.4, §5.5, §8.1, §10.4. */
    static Stream<Arguments> brokenFrames() {
        String large = "x".repeat(200 * 1024);
        return Stream.of(
                Arguments.of("text that is not UTF-8", frame(0x81, "\u00ff\u00fe"), 1007),
                Arguments.of("half a character at the end", frame(0x81, "\"\u00c3"), 1007),
                Arguments.of("surrogate", frame(0x81, "\u00ed\u00a0\u0080"), 1007),
                Arguments.of("a frame too large", frame(0x81, large + large).substring(0, 14), 1009),
                Arguments.of("a message too large", frame(0x01, large) + frame(0x80, large), 1009),
                Arguments.of("no mask", "\u0081\u0002{}", 1002),
                Arguments.of("a reserved bit", frame(0xc1, "{}"), 1002),
                Arguments.of("an unknown opcode", frame(0x83, "{}"), 1002),
                Arguments.of("a continuation of nothing", frame(0x80, "{}"), 1002),
                Arguments.of("a new message within another", frame(0x01, "{") + frame(0x81, "}"), 1002),
                Arguments.of("a fragmented ping", frame(0x09, ""), 1002),
                Arguments.of("a large ping", frame(0x89, "x".repeat(126)), 1002));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("brokenFrames")
    void frame_thatBreaksTheRules_closesThatSocketWithTheReason(String what, String frames, int status)
            throws Exception {
        try (LiveSocket other = subscribed("");
                RawHttp raw = RawHttp.connect(backend.server().base())) {
            raw.send(RawHttp.WEB_SOCKET);
            assertThat(raw.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.1 101");

            raw.send(frames + CLOSE);

            String close = raw.readToTheEnd();
            assertThat(close).as(what).startsWith("\u0088");
            assertThat(close.charAt(2) << 8 | close.charAt(3)).as(what).isEqualTo(status);
            task("a");
            assertThat(other.nextMatch()).isEqualTo("s add insert " + id("a"));
        }
    }

    @Test
    void message_inManyFramesThatCutCharacters_isWhole() throws Exception {
        try (RawHttp raw = RawHttp.connect(backend.server().base())) {
            raw.send(RawHttp.WEB_SOCKET);
            assertThat(raw.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.1 101");

            raw.send(frame(0x01, "{\"type\":\"subscribe\",\"bucket\":\"" + bucket + "\",\"id\":\"\u00c3"));
            raw.send(RawHttp.PONG);
            raw.send(frame(0x00, "\u00a4\",") + frame(0x80, "\"query\":\"{}\"}"));

            assertThat(raw.readUntil("\"data\":[]}")).contains("\"id\":\"\u00c3\u00a4\"");
        }
    }

    private static String frame(int head, String payload) {
        return RawHttp.frame(head, payload);
    }
}

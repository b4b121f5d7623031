package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import io.orestes.support.http.RawHttp;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.varnish.Varnish;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server behind Varnish as {@code ./orestes varnish} starts it. A test's writes past Varnish are
 * those of a client that reaches the server by another way; without purges, plain reads may miss
 * them.
 */
@ExtendWith(SharedBackend.class)
final class VarnishTest {

    private static final String ORIGIN = "https://app.example";
    private static final String SECRET = "vanish";
    private static final String FOR_ROOT = "\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}";

    private static Varnish varnish;

    private final Backend backend;
    private final Client direct;
    private final Client client;
    private final Client root;
    private String bucket = "";

    VarnishTest(Backend backend) {
        this.backend = backend;
        this.direct = backend.anonymous();
        this.client = Client.anonymous(varnish.base());
        this.root = client.withToken(backend.root().token());
    }

    @BeforeAll
    static void startVarnish(Backend backend) {
        varnish = inFrontOf(backend, "--purge-secret", SECRET);
    }

    @AfterAll
    static void stopVarnish() {
        varnish.stop();
    }

    private static Varnish inFrontOf(Backend backend, String... flags) {
        return Varnish.inFrontOf(Launcher.ROOT, backend.server().base().getAuthority())
                .flags(flags)
                .start();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "n", "Integer");
    }

    private static String source(Answer answer) {
        return answer.header("x-cache").orElse("none");
    }

    /** Reads until Varnish answers; it does not cache the result of a slow fetch. */
    private static Answer hit(Supplier<Answer> read) {
        return Waiting.forAnswer("a copy", read, answer -> source(answer).equals("hit"));
    }

    private static String text(Answer answer) {
        return answer.object().getString("text").getValue();
    }

    private static int purge(Client sender, String path, String... headers) {
        return sender.send("PURGE", path, BodyPublishers.noBody(), headers).status();
    }

    @Test
    void load_again_comesFromVarnishWithItsAge() {
        String id = direct.insert(bucket, "{\"text\":\"a\"}");

        Answer first = client.get(id);
        Answer second = hit(() -> client.get(id));

        assertThat(source(first)).isEqualTo("miss");
        assertThat(second.header("age")).isPresent();
        assertThat(second.header("orestes-cache")).hasValue("hit");
        assertThat(second.header("etag")).isEqualTo(first.header("etag"));
        assertThat(second.text()).isEqualTo(first.text());
    }

    @Test
    void load_withNoCache_isTheNewestAndRefreshesTheCopyForEverybody() {
        String id = direct.insert(bucket, "{\"text\":\"old\"}");
        assertThat(text(client.get(id))).isEqualTo("old");
        direct.update(id, "{\"text\":\"new\"}");

        Answer demanded = client.get(id, "Cache-Control", "max-age=0, no-cache", "If-None-Match", "\"-\"");
        Answer plain = hit(() -> client.get(id));

        assertThat(text(demanded)).isEqualTo("new");
        assertThat(text(plain)).isEqualTo("new");
    }

    @Test
    void load_withNoCache_isNeverOld() {
        String id = direct.insert(bucket, "{\"text\":\"0\"}");
        for (int i = 1; i <= 50; i++) {
            direct.update(id, "{\"text\":\"" + i + "\"}");

            assertThat(text(client.get(id, "Cache-Control", "no-cache"))).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void load_afterWritesThroughUnpurgedVarnish_isNew() {
        Varnish unpurged = inFrontOf(backend);
        Client writer = Client.anonymous(unpurged.base());
        String id = writer.insert(bucket, "{\"text\":\"old\"}");
        assertThat(text(writer.get(id))).isEqualTo("old");

        writer.update(id, "{\"text\":\"new\"}");
        assertThat(text(writer.get(id))).isEqualTo("new");
        writer.remove(id);
        assertThat(writer.get(id).status()).isEqualTo(404);
        unpurged.stop();
    }

    @Test
    void load_byAUser_neitherFillsNorUsesTheSharedCopy() {
        String id = direct.insert(bucket, "{\"text\":\"a\"}");

        Answer mine = root.get(id);
        Answer first = client.get(id);
        Answer again = root.get(id);

        assertThat(List.of(source(mine), source(first), source(again))).containsExactly("pass", "miss", "pass");
    }

    @Test
    void load_privateObject_isForItsReaderAlone() {
        String id = backend.root().insert(bucket, "{\"text\":\"secret\"," + FOR_ROOT + "}");

        assertThat(text(root.get(id))).isEqualTo("secret");
        assertThat(client.get(id).status()).isEqualTo(404);
        assertThat(text(root.get(id))).isEqualTo("secret");
    }

    @Test
    void purge_withTheSecret_evictsTheCopy() {
        String id = direct.insert(bucket, "{\"text\":\"old\"}");
        assertThat(text(client.get(id))).isEqualTo("old");
        direct.update(id, "{\"text\":\"new\"}");

        int status = purge(client, id, "Orestes-Purge-Secret", SECRET);

        assertThat(status).isEqualTo(204);
        assertThat(text(client.get(id))).isEqualTo("new");
    }

    @Test
    void purge_withoutTheSecret_isRefusedAndEvictsNothing() {
        String id = direct.insert(bucket, "{\"text\":\"a\"}");
        assertThat(source(hit(() -> client.get(id)))).isEqualTo("hit");

        assertThat(purge(client, id)).isEqualTo(403);
        assertThat(purge(client, id, "Orestes-Purge-Secret", "guess")).isEqualTo(403);
        assertThat(purge(root, id, "Orestes-Purge-Secret", "guess")).isEqualTo(403);

        assertThat(source(client.get(id))).isEqualTo("hit");
    }

    @Test
    void query_whereCopiesCanBePurged_comesFromVarnish() {
        direct.insert(bucket, "{\"n\":1}");

        Answer first = client.query(bucket, "{\"n\":1}");
        Answer second = hit(() -> client.query(bucket, "{\"n\":1}"));
        Answer mine = root.query(bucket, "{\"n\":1}");

        assertThat(List.of(source(first), source(second), source(mine))).containsExactly("miss", "hit", "pass");
        assertThat(second.ids()).isEqualTo(first.ids());
    }

    @Test
    void query_withNoCache_refreshesTheCopyForEverybody() {
        String old = direct.insert(bucket, "{\"n\":1}");
        assertThat(client.query(bucket, "{\"n\":1}").ids()).containsExactly(old);
        String added = direct.insert(bucket, "{\"n\":1}");

        Answer demanded = client.query(bucket, "{\"n\":1}", "Cache-Control", "no-cache");
        Answer plain = hit(() -> client.query(bucket, "{\"n\":1}"));

        assertThat(demanded.ids()).containsExactlyInAnyOrder(old, added);
        assertThat(plain.ids()).containsExactlyInAnyOrder(old, added);
    }

    @Test
    void varnish_withoutASecret_cachesDataNoLongerThanBrowsersDo() {
        String id = direct.insert(bucket, "{\"n\":1}");
        Varnish unpurged = inFrontOf(backend);
        Client reader = Client.anonymous(unpurged.base());

        assertThat(purge(reader, id, "Orestes-Purge-Secret", "")).isEqualTo(403);
        assertThat(List.of(source(reader.get(id)), source(reader.get(id)))).containsExactly("miss", "hit");
        assertThat(reader.query(bucket, "{\"n\":1}").ids()).containsExactly(id);
        String added = direct.insert(bucket, "{\"n\":1}");
        assertThat(reader.query(bucket, "{\"n\":1}").ids()).containsExactlyInAnyOrder(id, added);
        unpurged.stop();
    }

    @Test
    void eventStream_throughVarnish_sendsWritesAtOnce() throws Exception {
        try (LiveStream stream = LiveStream.open(client, bucket, "q=" + Client.encode("{\"n\":1}"))) {
            assertThat(stream.next().array()).isEmpty();

            String id = direct.insert(bucket, "{\"n\":1}");

            assertThat(stream.next().summary()).isEqualTo("add insert " + id);
        }
    }

    @Test
    void webSocket_throughVarnish_sendsWritesAtOnce() throws Exception {
        try (LiveSocket socket = LiveSocket.open(varnish.base())) {
            socket.subscribe("s", bucket, "{\"n\":1}", "");
            BsonDocument result = socket.next();
            assertThat(result.getString("type").getValue()).isEqualTo("result");

            String id = direct.insert(bucket, "{\"n\":1}");

            assertThat(socket.nextMatch()).isEqualTo("s add insert " + id);
        }
    }

    /**
     * Later requests on the connection would reach the server past Varnish, which states their
     * user.
     */
    @Test
    void webSocket_refused_endsTheConnectionAndIgnoresFurtherRequests() throws Exception {
        String refused = RawHttp.WEB_SOCKET.replace("Version: 13", "Version: 99");
        String hidden = "GET /v1/-/ready HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n";

        String answers = RawHttp.exchange(varnish.base(), refused + hidden);

        assertThat(answers).startsWith("HTTP/1.1 4").containsOnlyOnce("HTTP/1.1");
    }

    /**
     * A refusal would have the headers of the whole, and a cache in front of Varnish would store it
     * for everybody.
     */
    @Test
    void load_rangeRequest_returnsTheWholeBody() {
        String id = direct.insert(bucket, "{\"n\":1}");
        String query = "/db/" + bucket + "/query?q=%7B%22n%22%3A1%7D";
        for (String path : List.of(id, id, query, query, "/connect", "/connect")) {
            Answer whole = client.get(path);

            Answer answer = client.get(path, "Range", "bytes=9999999-");

            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.text().length()).isEqualTo(whole.text().length());
        }
    }

    @Test
    void preflight_isAnsweredByVarnishAsTheServerWould() {
        String[] asked = {
            "Origin", ORIGIN, "Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "x-new"
        };
        Answer here = client.send("OPTIONS", "/db/" + bucket + "/x", BodyPublishers.noBody(), asked);
        Answer there = direct.send("OPTIONS", "/db/" + bucket + "/x", BodyPublishers.noBody(), asked);

        assertThat(here.header("server")).hasValue("Varnish");
        assertThat(here.status()).isEqualTo(there.status());
        assertThat(crossOrigin(here)).hasSizeGreaterThan(5).containsExactlyInAnyOrderElementsOf(crossOrigin(there));
    }

    @Test
    void load_fromAnyOrigin_sharesOneCopyAndNamesTheOriginAsTheServerWould() {
        String id = direct.insert(bucket, "{\"text\":\"a\"}");
        assertThat(source(client.get(id))).isEqualTo("miss");

        Answer hit = client.get(id, "Origin", ORIGIN);

        assertThat(source(hit)).isEqualTo("hit");
        assertThat(crossOrigin(hit))
                .hasSizeGreaterThan(2)
                .containsExactlyInAnyOrderElementsOf(crossOrigin(direct.get(id, "Origin", ORIGIN)));
    }

    private static List<String> crossOrigin(Answer answer) {
        return answer.response().headers().map().entrySet().stream()
                .filter(header -> header.getKey().startsWith("access-control-")
                        || header.getKey().equals("vary"))
                .map(Object::toString)
                .toList();
    }

    @Test
    void connect_anonymous_isCachedBrieflyUnderItsRequestUrl() {
        Answer answer = client.get("/connect", "Cache-Control", "no-cache");
        for (int i = 0; i < 100 && !source(answer).equals("hit"); i++) {
            answer = client.get("/connect", "Cache-Control", "no-cache");
        }

        assertThat(source(answer)).isEqualTo("hit");
        assertThat(Integer.parseInt(answer.header("age").orElseThrow())).isLessThanOrEqualTo(1);
        assertThat(answer.object().getString("websocket").getValue())
                .isEqualTo("//" + varnish.base().getAuthority() + "/v1/events");
        assertThat(answer.object().containsKey("token")).isFalse();
    }

    @Test
    void connect_micro_seesANewClassAfterItsSecond() {
        assertThat(client.get("/connect").status()).isEqualTo(200);
        String added = backend.newClass("text", "String");

        Waiting.until(
                "the new class is seen", () -> client.get("/connect").text().contains("/db/" + added + "\""));
    }

    @Test
    void connect_withSession_isNotShared() {
        Answer mine = root.get("/connect");

        assertThat(source(mine)).isEqualTo("pass");
        assertThat(mine.object().containsKey("token")).isTrue();
        assertThat(client.get("/connect").object().containsKey("token")).isFalse();
    }
}

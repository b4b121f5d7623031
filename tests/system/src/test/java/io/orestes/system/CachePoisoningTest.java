package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.RawHttp;
import io.orestes.support.server.Launcher;
import io.orestes.support.varnish.Varnish;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An attacker first requests what no cache has yet and what one has, in ways that no client would.
 * Then a victim sends a plain request, and has to get the answer that the server gives past all
 * caches. With the built-in cache alone, and with Varnish in front.
 */
@ExtendWith(SharedBackend.class)
final class CachePoisoningTest {

    private static final String SECRET = "vanish";
    private static final String LONG = "evil".repeat(8 * 1024);

    private static Varnish varnish;
    private static String bucket = "";
    private static String privateBucket = "";
    private static int cases;

    private final Backend backend;
    private final Client direct;

    CachePoisoningTest(Backend backend) {
        this.backend = backend;
        this.direct = backend.anonymous();
    }

    /** The server to which both sides send requests. */
    enum CacheEntryPoint {
        BUILT_IN,
        VARNISH
    }

    @BeforeAll
    static void start(Backend backend) {
        bucket = backend.newClass("n", "Integer");
        privateBucket = backend.newClass("text", "String");
        varnish = Varnish.inFrontOf(Launcher.ROOT, backend.server().base().getAuthority())
                .purgeSecret(SECRET)
                .start();
    }

    @AfterAll
    static void stop() {
        varnish.stop();
    }

    private URI at(CacheEntryPoint way) {
        return way == CacheEntryPoint.VARNISH
                ? varnish.base()
                : backend.server().base();
    }

    /**
     * Returns requests with a bar for each line break, PATH for the path of the victim's request
     * and HOST for its host.
     */
    private static Stream<String> attacks() {
        return Stream.of(headers(), lines(), bodies(), paths()).flatMap(all -> all);
    }

    private static Stream<String> headers() {
        return Stream.of(
                        "X-Forwarded-Host: evil.example",
                        "X-Forwarded-Host: evil.example|X-Forwarded-Port: 666|X-Forwarded-Proto: evil",
                        "X-Forwarded-For: evil|X-Real-IP: evil|True-Client-IP: evil",
                        "X-Forwarded-Prefix: /evil|X-Forwarded-Server: evil",
                        "Forwarded: host=evil.example;proto=https;for=evil",
                        "X-Host: evil.example|X-Original-Host: evil.example",
                        "X-Original-URL: /v1/evil|X-Rewrite-URL: /v1/evil",
                        "X-HTTP-Method-Override: DELETE|X-HTTP-Method: DELETE|X-Method-Override: DELETE",
                        "X-HTTP-Method-Override: PURGE",
                        "Accept: text/evil",
                        "Accept: text/html",
                        "Accept-Language: evil|Accept-Charset: evil|User-Agent: evil|Referer: http://evil",
                        "Accept-Encoding: evil, br, gzip;q=0",
                        "Accept-Encoding: gzip",
                        "Origin: https://evil.example",
                        "Origin: null",
                        "Cookie: session=evil; BAT=evil",
                        "Authorization: BAT evil",
                        "Authorization: Basic ZXZpbDpldmls",
                        "BAT: evil",
                        "Range: bytes=0-0",
                        "Range: bytes=1-2,4-5|If-Range: \"evil\"",
                        "Range: bytes=99999999-",
                        "Range: evil=0-1",
                        "If-None-Match: *",
                        "If-None-Match: \"evil\"|If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
                        "If-Match: \"evil\"|If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
                        "Cache-Control: no-store|Pragma: evil",
                        "Cache-Control: max-age=999999999999999999999",
                        "Cache-Control: max-age=0, stale-while-revalidate=99999, s-maxage=99999",
                        "Cache-Control: no-cache, or-purged",
                        "Orestes-Or-Purged: true|Orestes-Purge-Lag: 0|Orestes-Results-Kept: 99999",
                        "Expect: evil",
                        "Upgrade: h2c|HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
                        "Upgrade: websocket|Sec-WebSocket-Version: 13|Sec-WebSocket-Key: evil",
                        "Vary: evil|Set-Cookie: evil=1|Content-Type: text/evil|ETag: \"evil\"",
                        "Surrogate-Key: evil|Surrogate-Control: max-age=99999|xkey: evil|Surrogate-Capability: evil=1",
                        "Orestes-Cache: evil|X-Cache: evil|Orestes-Url: /evil|Orestes-Began: 9999999999.9",
                        "Orestes-Newest: true|Orestes-Began-After: 9999999999.9|Orestes-Fetch-First: true",
                        "Orestes-Fetch-Failed: true|Orestes-While-Revalidate: 99999s|Orestes-Origin: https://evil",
                        "Orestes-Purge: below|Orestes-Purge-Secret: evil",
                        "Last-Event-ID: evil|Baqend-Acl: evil|Baqend-Custom-Headers: {\"evil\":\"1\"}",
                        "Via: 1.1 evil|CDN-Loop: evil|Max-Forwards: 0|Age: 99999",
                        "Orestes-Consistency: any",
                        "Orestes-Consistency: fresh|Orestes-Bound: 99999",
                        "Orestes-Consistency: bounded; max-age=99999",
                        "Orestes-Consistency: evil|Orestes-Consistency: any",
                        "Transfer-Encoding: identity",
                        "TE: trailers, evil|Trailer: evil",
                        "X-Long: " + LONG,
                        "X-Half: " + LONG.substring(0, 12_000),
                        IntStream.range(0, 80)
                                .mapToObj(i -> "X-Evil-" + i + ": evil")
                                .reduce("X: x", (a, b) -> a + "|" + b))
                .map(lines -> "GET PATH HTTP/1.1|Host: HOST|" + lines + "|Connection: close||");
    }

    private static Stream<String> lines() {
        return Stream.of(
                "GET PATH HTTP/1.1|Host: evil.example|Connection: close||",
                "GET PATH HTTP/1.1|Host: HOST:evil|Connection: close||",
                "GET PATH HTTP/1.1|Host: HOST\"><evil>|Connection: close||",
                "GET PATH HTTP/1.1|Host: HOST|Host: evil.example|Connection: close||",
                "GET PATH HTTP/1.1|Host: evil.example|Host: HOST|Connection: close||",
                "GET PATH HTTP/1.1|Connection: close||",
                "GET PATH HTTP/1.0||",
                "GET PATH HTTP/1.0|Host: evil.example||",
                "GET http://evil.examplePATH HTTP/1.1|Host: HOST|Connection: close||",
                "GET evil:PATH HTTP/1.1|Host: HOST|Connection: close||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close, Host, Cache-Control, Accept-Encoding||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close|X-Evil: a| evil: folded||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close|Evil : blank||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close|Evil||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close|X-Evil: a\nevil: bare||",
                "GET PATH HTTP/1.1|Host: HOST|Connection: close|X-Evil: a\0b||",
                "HEAD PATH HTTP/1.1|Host: HOST|Connection: close||",
                "HEAD PATH HTTP/1.1|Host: HOST|Range: bytes=0-0|Connection: close||",
                "OPTIONS PATH HTTP/1.1|Host: HOST|Origin: https://evil|Access-Control-Request-Headers: evil|"
                        + "Connection: close||",
                "TRACE PATH HTTP/1.1|Host: HOST|X: evil|Connection: close||",
                "EVIL PATH HTTP/1.1|Host: HOST|Connection: close||",
                "get PATH HTTP/1.1|Host: HOST|Connection: close||",
                "PATCH PATH HTTP/1.1|Host: HOST|Content-Length: 4|Connection: close||evil",
                "POST PATH HTTP/1.1|Host: HOST|X-HTTP-Method-Override: GET|Content-Length: 4|Connection: close||evil",
                "PURGE PATH HTTP/1.1|Host: HOST|Connection: close||",
                "PURGE PATH HTTP/1.1|Host: HOST|Orestes-Purge-Secret: evil|Connection: close||",
                "PURGE /v1/ HTTP/1.1|Host: HOST|Orestes-Purge: below|Orestes-Purge-Secret:|Connection: close||",
                "BAN PATH HTTP/1.1|Host: HOST|Orestes-Purge-Secret: evil|Connection: close||");
    }

    private static Stream<String> bodies() {
        String hidden = "GET /v1/evil HTTP/1.1|Host: HOST||";
        return Stream.of(
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: 9|Connection: close||{\"evil\":1",
                "GET PATH HTTP/1.1|Host: HOST|Content-Type: application/x-www-form-urlencoded|Content-Length: 14|"
                        + "Connection: close"
                        + "||_method=DELETE",
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding: chunked|Connection: close||4|evil|0||",
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: 4|Content-Length: 0|Connection: close||evil",
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: 0, 4|Connection: close||evil",
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: -4|Connection: close||evil",
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: +4|Connection: close||evil",
                "GET PATH HTTP/1.1|Host: HOST|Content-Length: 5|Transfer-Encoding: chunked||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding: chunked|Content-Length: 5||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding: xchunked||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding : chunked||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding: chunked, identity||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding: chunked|Transfer-Encoding: evil||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST|Transfer-Encoding:\u000bchunked||0||" + hidden,
                "POST PATH HTTP/1.1|Host: HOST|Content-Length: 33|Transfer-Encoding: chunked||0||" + hidden,
                "GET PATH HTTP/1.1|Host: HOST||" + hidden + "GET /v1/evil2 HTTP/1.1|Host: HOST|Connection: close||");
    }

    private static Stream<String> paths() {
        return Stream.of(
                        "/PATH",
                        "PATH/",
                        "PATH;evil.css",
                        "PATH/evil.css",
                        "PATH%2Fevil.css",
                        "PATH%00",
                        "PATH?evil=1",
                        "PATH&evil=1",
                        "PATH&BCB",
                        "PATH#evil",
                        "/evil/..PATH",
                        "/.PATH",
                        "/%2e%2e/PATH",
                        "PATH%0d%0aevil:1",
                        "PATH%3fevil",
                        "PATH?",
                        "PATH&&",
                        "PATH%20",
                        "PATH\\evil")
                .map(path -> "GET " + path + " HTTP/1.1|Host: HOST|Connection: close||");
    }

    static Stream<Arguments> cases() {
        return attacks().flatMap(attack -> Stream.of(CacheEntryPoint.values()).map(way -> arguments(way, attack)));
    }

    /**
     * Sends an attack and ignores the answer. A server that receives more than it reads may close
     * the connection before it has answered.
     */
    private void attack(CacheEntryPoint way, String attack, String path) throws IOException {
        URI server = at(way);
        String request = attack.replace("PATH", path)
                .replace("HOST", server.getAuthority())
                .replace("|", "\r\n");
        try (RawHttp connection = RawHttp.connect(server)) {
            connection.send(request);
            if (request.contains(LONG)) {
                assertThat(connection.readToTheEnd()).doesNotContain("HTTP/1.1 2");
            } else {
                assertThat(connection.readUntil(RawHttp.END_OF_HEAD)).startsWith("HTTP/1.");
            }
        }
    }

    private static void assertUntouched(Answer victims, Answer reference) {
        assertThat(victims.status()).as(victims.text()).isEqualTo(200);
        assertThat(victims.text()).isEqualTo(reference.text());
        assertThat(victims.header("etag")).isEqualTo(reference.header("etag"));
        assertThat(victims.header("content-type")).isEqualTo(reference.header("content-type"));
        assertThat(victims.header("orestes-bound")).isEqualTo(reference.header("orestes-bound"));
        assertThat(victims.header("content-encoding")).isEmpty();
        assertThat(victims.header("cache-control").orElse("")).startsWith("public, max-age=");
        assertHarmless(victims);
    }

    private static void assertHarmless(Answer victims) {
        assertThat(victims.text().toLowerCase(Locale.ROOT)).doesNotContain("evil");
        assertThat(victims.response().headers().map().toString()).doesNotContain("evil");
        assertThat(victims.response().headers().map().keySet())
                .noneMatch(name -> name.startsWith("access-control-"))
                .noneMatch(name -> name.startsWith("orestes-b") && !name.equals("orestes-bound"))
                .doesNotContain("set-cookie", "location", "xkey", "surrogate-key", "orestes-url");
        assertThat(victims.header("vary").orElse("").toLowerCase(Locale.ROOT).split(", *"))
                .isSubsetOf("origin", "authorization", "accept", "accept-encoding", "orestes-consistency");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void load_afterAnAttack_isUntouched(CacheEntryPoint way, String attack) throws IOException {
        Client victim = Client.anonymous(at(way));
        String cold = direct.insert(bucket, "{\"n\":" + ++cases + "}");
        String warm = direct.insert(bucket, "{\"n\":" + cases + "}");
        assertThat(victim.get(warm).status()).isEqualTo(200);

        attack(way, attack, "/v1" + cold);
        attack(way, attack, "/v1" + warm);

        for (String id : List.of(cold, warm, cold)) {
            assertUntouched(victim.get(id), direct.get(id, "Cache-Control", "no-cache"));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void query_afterAnAttack_isUntouched(CacheEntryPoint way, String attack) throws IOException {
        Client victim = Client.anonymous(at(way));
        direct.insert(bucket, "{\"n\":" + ++cases + "}");
        String path = "/db/" + bucket + "/query?q=" + Client.encode("{\"n\":" + cases + "}");

        attack(way, attack, "/v1" + path);

        for (int i = 0; i < 2; i++) {
            assertUntouched(victim.get(path), direct.get(path, "Cache-Control", "no-cache"));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void connect_afterAnAttack_isUntouched(CacheEntryPoint way, String attack) throws IOException {
        Client victim = Client.anonymous(at(way));

        attack(way, attack, "/v1/connect");
        attack(way, attack, "/v1/bloomfilter");

        Answer connect = victim.get("/connect");
        assertHarmless(connect);
        assertThat(connect.header("content-type").orElse("")).startsWith("application/json");
        assertThat(connect.object().getString("websocket").getValue())
                .isEqualTo("//" + at(way).getAuthority() + "/v1/events");
        assertHarmless(victim.get("/bloomfilter"));
        assertThat(victim.get("/bloomfilter").object()).containsKeys("m", "h", "b");
    }

    /** A user with credentials opens a link; its sender requests the same path afterwards. */
    @ParameterizedTest
    @EnumSource(CacheEntryPoint.class)
    void load_privateUnderDeceivingPaths_isNotShared(CacheEntryPoint way) {
        Client victim = Client.anonymous(at(way)).withToken(backend.root().token());
        Client attacker = Client.anonymous(at(way));
        String id = backend.root()
                .insert(
                        privateBucket,
                        "{\"text\":\"treasure\",\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}");
        String query = "/db/" + privateBucket + "/query?q=%7B%7D";
        String token = "BAT=" + backend.root().token();

        for (String path : Stream.of(
                        "",
                        "/",
                        ";x.css",
                        "/x.css",
                        "?x.css",
                        "&x.css",
                        "%2Fx.css",
                        "%3Bx.css",
                        "&BCB",
                        "?BCB",
                        "?BAT=")
                .flatMap(suffix -> Stream.of(id + suffix, query + suffix, "/connect" + suffix, "/db/User/me" + suffix))
                .toList()) {
            Answer seen = victim.send("GET", path, BodyPublishers.noBody());
            Answer stolen = attacker.send("GET", path, BodyPublishers.noBody());

            assertThat(stolen.text())
                    .as(path)
                    .doesNotContain("treasure", backend.root().token());
            assertThat(stolen.header("baqend-authorization-token")).as(path).isEmpty();
            assertThat(seen.header("x-cache").orElse("pass")).as(path).isEqualTo("pass");
        }
        assertThat(attacker.get("/connect?" + token).header("x-cache").orElse("pass"))
                .isEqualTo("pass");
        assertThat(attacker.get("/connect").text())
                .doesNotContain(backend.root().token());
    }

    @ParameterizedTest
    @EnumSource(CacheEntryPoint.class)
    void load_bustedManyTimes_isStillCached(CacheEntryPoint way) {
        Client client = Client.anonymous(at(way));
        String id = direct.insert(bucket, "{\"n\":0}");
        assertThat(client.get(id).status()).isEqualTo(200);

        for (int i = 0; i < 200; i++) {
            Answer busted = client.get(id + "?x" + i + "=evil", "Cookie", "x=" + i, "X-Buster", "evil" + i);
            assertThat(busted.header("x-cache").orElse("pass")).isEqualTo("pass");
        }

        assertThat(client.get(id).header("orestes-cache")).hasValue("hit");
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The index of the protocol (§3), endpoint by endpoint: called with permission and valid input,
 * each answers with the status that clients accept, or with 501 if it is planned and 404 if it
 * never will be; called by anybody else, it refuses with the right error.
 */
@ExtendWith(SharedBackend.class)
final class EndpointIndexTest {

    /**
     * Statuses of planned and of unsupported endpoints; both answer in the form of errors to every
     * caller.
     */
    private static final Set<Integer> NOT_THERE = Set.of(501, 404);

    private static final Set<Integer> REFUSED = Set.of(460, 466);

    /** Placeholders of names in paths and bodies. */
    private static final Pattern PLACE = Pattern.compile("\\$(bucket|user|name|fresh|qid|tid|schema)");

    /** Bodies by the name that the table gives them. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("object", "{\"text\":\"a\"}"),
            Map.entry("objects", "[{\"id\":\"/db/$bucket/imported\",\"text\":\"b\"}]"),
            Map.entry("update", "{\"$set\":{\"text\":\"c\"}}"),
            Map.entry("fieldUpdate", "{\"$set\":\"d\"}"),
            Map.entry("filter", "{}"),
            Map.entry("prepared", "{\"bucket\":\"$bucket\",\"query\":{\"text\":\"a\"}}"),
            Map.entry("index", "{\"keys\":[{\"text\":\"asc\"}]}"),
            Map.entry("noWrites", "[]"),
            Map.entry("login", "{\"username\":\"$name\",\"password\":\"s3cret ü\"}"),
            Map.entry("register", "{\"user\":{\"username\":\"$fresh\"},\"password\":\"s3cret ü\"}"),
            Map.entry("password", "{\"username\":\"$name\",\"password\":\"s3cret ü\",\"newPassword\":\"s3cret ü\"}"),
            Map.entry("schema", "[{\"class\":\"/db/$bucket\",\"fields\":{}}]"),
            Map.entry("class", "{\"class\":\"/db/$bucket\",\"fields\":{}}"),
            Map.entry("all", "$schema"),
            Map.entry("none", ""));

    /**
     * Permitted caller (P anybody, U a user, A an admin), method, path, the status of the answer
     * and the body. Sockets, streams and what clients do not send have tests of their own.
     */
    private static final String INDEX =
            """
            P GET / 200 none
            P GET /version 200 none
            P GET /spec 200 none
            P GET /status 200 none
            P GET /-/ready 200 none
            P GET /-/live 200 none
            P GET /-/startup 200 none
            P GET /connect 200 none
            P POST /connect 200 none
            P GET /events-url 200 none
            P GET /bloomfilter?rules=false 200 none
            A GET /bloomfilter/expirations 200 none
            A DELETE /bloomfilter?flush=true 204 none
            A GET /config 501 none
            A PUT /config 501 object
            P GET /banned 429 none
            P GET /banned/192.0.2.1 204 none
            A DELETE /banned 204 none
            A DELETE /banned/192.0.2.1 204 none
            A POST /mail 501 object
            P GET /db 200 none
            A GET /db/$bucket/ids?start=0&count=-1 200 none
            A GET /db/$bucket 200 none
            A PUT /db/$bucket 200 objects
            P POST /db/$bucket 201 object
            P GET /db/$bucket/a 200 none
            P PUT /db/$bucket/a 200 object
            P POST /db/$bucket/a 200 update
            P POST /db/$bucket/a/text 200 fieldUpdate
            P GET /db/$bucket/query?q=%7B%7D&start=0&count=-1&sort=%7B%7D&eager=true\
            &hinted=false&triggeredBy=x&ttl=1 200 none
            P POST /db/$bucket/query?start=0&count=-1&sort= 200 filter
            P GET /db/$bucket/count?q=%7B%7D 200 none
            P POST /db/$bucket/count 200 filter
            A GET /query 200 none
            A POST /query 201 prepared
            P GET /query/$qid 200 none
            P GET /query/$qid/source 200 none
            P GET /query/$qid/parameters 200 none
            P GET /query/$qid/result?start=0&count=-1 200 none
            P GET /index/$bucket 200 none
            A POST /index/$bucket 202 index
            A DELETE /index/$bucket 202 none
            P POST /transaction 201 none
            P PUT /transaction/$tid/committed 200 noWrites
            P PUT /transaction/$tid/aborted 204 none
            P DELETE /db/$bucket/a 204 none
            A DELETE /db/$bucket 200 none
            P POST /db/User/login 200 login
            P POST /db/User/register 200 register
            U GET /db/User/me 200 none
            U GET /db/User/validate 200 none
            P GET /db/User/logout 204 none
            P POST /db/User/password 200 password
            U DELETE /db/User/password 204 none
            P POST /db/User/reset 501 object
            P GET /db/User/verify?token=x 501 none
            P POST /db/User/changeUsername 400 object
            P GET /db/User/verifyUsername?token=x 501 none
            U GET /db/User/mfa/init 501 none
            U POST /db/User/mfa/init 501 object
            P POST /db/User/mfa/token 501 object
            U GET /db/User/mfa/status 501 none
            U DELETE /db/User/mfa 501 none
            P GET /db/User/OAuth/google?state=a&code=b 501 none
            P GET /db/User/OAuth1/twitter 501 none
            A POST /db/User/$user/token 200 none
            A DELETE /db/User/$user/token 204 none
            A POST /db/Role/1/assume 200 none
            P GET /schema 200 none
            P GET /schema/$bucket 200 none
            A POST /schema 200 schema
            A POST /schema/$bucket 200 class
            A PUT /schema 200 all
            A PUT /schema/$bucket 200 class
            A DELETE /schema/$bucket 204 none
            A GET /code 501 none
            A GET /code-content 501 none
            A GET /code/x/module 501 none
            A PUT /code/x/module 501 object
            A DELETE /code/x/module 501 none
            P GET /code/x 501 none
            P POST /code/x 501 object
            A GET /file/buckets 501 none
            P GET /file/www/ids?path=/&count=-1&deep=false 501 none
            A GET /file/www 501 none
            A PUT /file/www 501 object
            A DELETE /file/www 501 none
            P POST /file/www 501 object
            P GET /file/www/a/b.png 501 none
            P HEAD /file/www/a/b.png 501 none
            P PUT /file/www/a/b.png 501 object
            P POST /file/www/a/b.png 501 object
            P DELETE /file/www/a/b.png 501 none
            A GET /file 501 none
            A POST /file 501 object
            P POST /db/Device/register 501 object
            P GET /db/Device/registered 501 none
            A POST /db/Device/push 501 object
            A POST /config/VAPIDKeys 501 object
            P GET /config/VAPIDPublicKey 501 none
            A POST /config/GCMKey 501 object
            A POST /config/APNSCert 501 object
            P GET /asset/https://example.com/ 404 none
            P GET /asset/revalidate 404 none
            P POST /asset/revalidate 404 object
            P GET /asset/revalidate/1 404 none
            P POST /asset/revalidate/1 404 object
            P DELETE /asset/revalidate/1 404 none
            P POST /asset/cleanup 404 object
            P POST /asset/cleanup/storage 404 object
            P POST /pwa/manifest 404 object
            P POST /rum/pi 404 object
            P GET /speedkit/installation?domain=example.com&status=active&start=0&count=1 404 none
            P GET /speedkit/installation/domain 404 none
            P GET /speedkit/installation/1 404 none
            P PUT /speedkit/installation/1 404 object
            P POST /speedkit/installation/example.com 404 object
            P GET /speedkit/installation/example.com/2 404 none
            P PUT /speedkit/installation/example.com/2 404 object
            P POST /speedkit/installation/1/clone 404 object
            P POST /speedkit/installation/example.com/2/clone 404 object
            P POST /speedkit/installation/1/activate 404 object
            P POST /speedkit/installation/example.com/2/activate 404 object
            P PUT /speedkit/installation/1/deactivate 404 object
            """;

    private final Backend backend;

    EndpointIndexTest(Backend backend) {
        this.backend = backend;
    }

    @TestFactory
    Stream<DynamicTest> endpoint_calledByWhoMay_isAcceptedOrSaidNotToBeThere() {
        return walk((entry, caller) -> entry.isFor(caller) ? Set.of(entry.status()) : Set.of());
    }

    @TestFactory
    Stream<DynamicTest> endpoint_calledByWhoMayNot_isRefused() {
        return walk((entry, caller) -> caller.may(entry.who()) ? Set.of() : entry.refused());
    }

    @Test
    void changeUsername_withoutMail_hasTheErrorThatClientsExpect() {
        Answer refused = backend.anonymous().post("/db/User/changeUsername", "{}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.object().getString("message").getValue()).isEqualTo("Email verification not enabled");
    }

    /** Returns a test for each endpoint and caller with an expectation. */
    private Stream<DynamicTest> walk(BiFunction<Entry, CallerKind, Set<Integer>> expected) {
        return INDEX.lines().map(Entry::parse).flatMap(entry -> Stream.of(CallerKind.values())
                .filter(caller -> !expected.apply(entry, caller).isEmpty())
                .map(caller -> DynamicTest.dynamicTest(
                        entry + " as " + caller, () -> check(entry, caller, expected.apply(entry, caller)))));
    }

    private void check(Entry entry, CallerKind caller, Set<Integer> expected) {
        World world = World.create(backend);

        Answer answer = world.send(entry, caller);

        assertThat(expected).as(answer.text()).contains(answer.status());
    }

    /** Kinds of callers; each has the permissions of the ones before. */
    private enum CallerKind {
        P,
        U,
        A;

        boolean may(CallerKind least) {
            return compareTo(least) >= 0;
        }
    }

    /** One line of the index. */
    private record Entry(CallerKind who, String method, String path, int status, String body) {

        static Entry parse(String line) {
            String[] words = line.split(" ", -1);
            return new Entry(CallerKind.valueOf(words[0]), words[1], words[2], Integer.parseInt(words[3]), words[4]);
        }

        /** The other tests need an admin's own account. */
        boolean isFor(CallerKind caller) {
            return caller.may(who) && !(who == CallerKind.U && caller == CallerKind.A);
        }

        /**
         * Absent endpoints do not check the caller; an anonymous request for {@code me} finds no
         * object (protocol §2).
         */
        Set<Integer> refused() {
            return NOT_THERE.contains(status) ? Set.of(status) : path.endsWith("/me") ? Set.of(404) : REFUSED;
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /**
     * The data of one call: a class with an object, and a user, of its own; other names in the path
     * are created with it.
     */
    private record World(Backend backend, String bucket, Accounts.User user) {

        static World create(Backend backend) {
            String bucket = backend.newClass("text", "String");
            backend.root().insert(bucket, "{\"id\":\"/db/%s/a\",\"text\":\"a\"}".formatted(bucket));
            return new World(backend, bucket, Accounts.create(backend));
        }

        Answer send(Entry entry, CallerKind caller) {
            String json = filled(body(entry.body()), caller);
            BodyPublisher body = json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json);
            return client(caller)
                    .send(entry.method(), filled(entry.path(), caller), body, "Content-Type", "application/json");
        }

        private Client client(CallerKind caller) {
            return switch (caller) {
                case P -> backend.anonymous();
                case U -> user.client();
                case A -> backend.root();
            };
        }

        private static String body(String name) {
            return Objects.requireNonNull(BODIES.get(name), name);
        }

        private String filled(String template, CallerKind caller) {
            return PLACE.matcher(template).replaceAll(place -> Matcher.quoteReplacement(value(place.group(), caller)));
        }

        private String value(String place, CallerKind caller) {
            return switch (place) {
                case "$bucket" -> bucket;
                case "$user" -> user.key();
                case "$name" -> user.name();
                case "$fresh" -> Accounts.freshName();
                case "$qid" -> preparedQuery(caller);
                case "$schema" -> backend.root().get("/schema").text();
                case "$tid" -> made(client(caller), "/transaction", "", "tid");
                default -> throw new AssertionError("Nothing is called " + place);
            };
        }

        private String preparedQuery(CallerKind caller) {
            String path = made(backend.root(), "/query", filled(body("prepared"), caller), "id");
            return path.substring(path.lastIndexOf('/') + 1);
        }

        private static String made(Client maker, String path, String json, String member) {
            return maker.post(path, json).object().getString(member).getValue();
        }
    }
}

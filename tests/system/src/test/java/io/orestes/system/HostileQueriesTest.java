package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.RawHttp;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that are broken, forbidden, expensive or enormous, in every kind of request. */
@ExtendWith(SharedBackend.class)
final class HostileQueriesTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    HostileQueriesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String", "n", "Integer");
        client.insert(bucket, "{\"text\":\"" + "a".repeat(50_000) + "!\",\"n\":1}");
    }

    /** Returns the statuses of the query by GET, by POST, for its count and as a live query. */
    private List<Integer> everyWay(String filter) {
        String q = "q=" + Client.encode(filter);
        return List.of(
                client.get("/db/" + bucket + "/query?" + q).status(),
                byBody("query", filter).status(),
                client.get("/db/" + bucket + "/count?" + q).status(),
                byBody("count", filter).status(),
                client.get("/db/" + bucket + "/events?" + q).status());
    }

    private Answer byBody(String resource, String filter) {
        return client.send(
                "POST",
                "/db/" + bucket + "/" + resource,
                BodyPublishers.ofString(filter),
                "Content-Type",
                "text/plain;charset=utf-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "1",
                "null",
                "nonsense",
                "{\"n\":1}{}",
                "{\"n\":{\"$in\":1}}",
                "{\"$and\":[]}",
                "{\"$or\":{}}",
                "{\"n\":{\"$size\":\"x\"}}",
                "{\"n\":{\"$mod\":[1]}}",
                "{\"text\":{\"$regex\":1}}",
                "{\"$text\":\"a\"}",
                "{\"$text\":{\"$search\":1}}",
                "{\"$nor\":[{\"$text\":{\"$search\":\"a\"}}]}",
                "{\"createdAt\":{\"$gt\":{\"$date\":\"yesterday\"}}}"
            })
    void query_thatCannotBeRead_is471(String filter) {
        assertThat(everyWay(filter)).containsOnly(471);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$where\":\"sleep(1000)\"}",
                "{\"n\":{\"$where\":\"true\"}}",
                "{\"$and\":[{\"$where\":\"true\"}]}",
                "{\"$expr\":{\"$function\":{\"body\":\"true\",\"args\":[],\"lang\":\"js\"}}}"
            })
    void query_withCode_is468(String filter) {
        assertThat(everyWay(filter)).containsOnly(468);
    }

    @Test
    void query_brokenRegex_isRefused() {
        assertThat(everyWay("{\"text\":{\"$regex\":\"(\"}}")).isSubsetOf(468, 471);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"n\":{\"$frobnicate\":1}}", "{\"$frobnicate\":[]}", "{\"n\":{\"$gt\":1,\"$frob\":2}}"})
    void query_withUnknownOperator_isRefused(String filter) {
        assertThat(everyWay(filter))
                .isSubsetOf(468, 471)
                .hasSameElementsAs(List.of(everyWay(filter).get(0)));
    }

    /** Each of these takes a backtracking matcher practically unlimited time. */
    @ParameterizedTest
    @ValueSource(
            strings = {"^(a+)+$", "(a|aa)+$", "^(a|a)*$", "(.*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "a*a*a*a*a*a*a*b"})
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void query_regexThatWouldBacktrack_isAnsweredInBoundedTime(String regex) {
        Answer answer = client.query(bucket, "{\"text\":{\"$regex\":\"" + regex + "\"}}");

        assertThat(answer.status()).isIn(200, 468);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a)\\\\1", "(?=a)b", "(?<!a)b", "(?>a+)b", "((a{1,1000}){1,1000}){1,1000}"})
    void query_regexThatNeedsBacktracking_is468(String regex) {
        assertThat(everyWay("{\"text\":{\"$regex\":\"" + regex + "\"}}")).containsOnly(468);
    }

    @Test
    void query_ofAHundredKilobytes_isAnswered() {
        String numbers =
                IntStream.range(100_000, 115_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String filter = "{\"n\":{\"$in\":[1," + numbers + "]}}";
        assertThat(filter).hasSizeGreaterThan(100_000);

        assertThat(byBody("query", filter).ids()).hasSize(1);
        assertThat(byBody("count", filter).object().getNumber("count").intValue())
                .isEqualTo(1);
    }

    @Test
    void query_asLongAsAConditionList_isAnswered() {
        String conditions = IntStream.range(0, 2_000)
                .mapToObj(i -> "{\"text\":\"a rather long text that nobody has " + i + "\"}")
                .collect(Collectors.joining(","));

        Answer answer = byBody("query", "{\"$or\":[{\"n\":1}," + conditions + "]}");

        assertThat(answer.ids()).hasSize(1);
    }

    @Test
    void query_tooLongForALine_is414() {
        String filter = "{\"text\":\"" + "x".repeat(100_000) + "\"}";

        assertThat(client.query(bucket, filter).status()).isEqualTo(414);
    }

    @Test
    void query_byBodyAboveTheLimit_is413() {
        assertThat(byBody("query", "{\"text\":\"" + "x".repeat(1 << 20) + "\"}").status())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 10_000})
    void query_nestedTooDeep_isRefused(int depth) {
        String filter = "{\"$and\":[".repeat(depth) + "{\"n\":1}" + "]}".repeat(depth);

        assertThat(byBody("query", filter).status()).isIn(468, 471);
        assertThat(byBody("count", filter).status()).isIn(468, 471);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"n\":2}", "{\"n\":\"up\"}", "{\"n\":0}", "{\"n\":null}"})
    void query_sortThatCannotBeRead_is471(String sort) {
        assertThat(client.get("/db/" + bucket + "/query?sort=" + Client.encode(sort))
                        .status())
                .isEqualTo(471);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"start=-1", "start=x", "start=99999999999", "count=-2", "count=1.5", "eager=maybe", "count=%00"})
    void query_parameterOutOfRange_is400(String parameter) {
        assertThat(client.get("/db/" + bucket + "/query?" + parameter).status()).isEqualTo(400);
    }

    @Test
    void query_brokenPercentEncoding_is400() throws Exception {
        String answer = RawHttp.exchange(
                backend.server().base(),
                "GET /v1/db/" + bucket + "/query?q=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 4").contains("\"status\":4");
    }

    @Test
    void query_unknownClass_is461() {
        assertThat(client.query("Nowhere", "{}").status()).isEqualTo(461);
        assertThat(client.get("/db/Nowhere/events").status()).isEqualTo(461);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_internal", "a-b", "1a", "a%2Fb", "..", "%00"})
    void query_nameThatIsNoClass_isRefused(String name) {
        assertThat(client.get("/db/" + name + "/query").status()).isIn(400, 404, 461);
    }
}

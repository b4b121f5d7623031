package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /-/live-queries}: what admins see of live queries, and that they can end one. */
@ExtendWith(SharedBackend.class)
final class LiveInspectionTest {

    private final Client client;
    private final Client root;
    private final String bucket;

    LiveInspectionTest(Backend backend) {
        this.client = backend.anonymous();
        this.root = backend.root();
        this.bucket = backend.newClass("n", "Integer");
    }

    @Test
    void list_sharedByTwo_hasSubscribersAndEvents() throws Exception {
        try (LiveStream one = open("q=%7B%22n%22:1%7D");
                LiveStream other = open("q=%7B%22n%22:1%7D")) {
            awaitResult(one);
            awaitResult(other);
            client.insert(bucket, "{\"n\":1}");
            assertThat(one.next().name()).isEqualTo("match");
            assertThat(other.next().name()).isEqualTo("match");

            BsonDocument query = found().orElseThrow();

            assertThat(query.getString("kind").getValue()).isEqualTo("filter");
            assertThat(query.getString("filter").getValue()).contains("\"n\"");
            assertThat(query.getNumber("subscribers").intValue()).isEqualTo(2);
            assertThat(query.getNumber("events").longValue()).isOne();
            assertThat(query.isNull("window")).isTrue();
        }
    }

    @Test
    void list_afterWrites_hasTheCountsOfEachCell() throws Exception {
        try (LiveStream stream = open("q=%7B%22n%22:4%7D")) {
            awaitResult(stream);
            long before = overCells("events");
            long writesBefore = overCells("writes");
            client.insert(bucket, "{\"n\":4}");
            client.insert(bucket, "{\"n\":5}");
            assertThat(stream.next().name()).isEqualTo("match");

            BsonDocument grid = list().getDocument("grid");

            assertThat(grid.getArray("cells")).hasSameSizeAs(grid.getArray("queriesByRow"));
            assertThat(overCells("events")).isGreaterThan(before);
            assertThat(overCells("evaluations")).isPositive();
            assertThat(overCells("writes")).isGreaterThanOrEqualTo(writesBefore + 2);
        }
    }

    @Test
    void list_afterAMatchedWrite_hasItsDuration() throws Exception {
        try (LiveStream stream = open("q=%7B%22n%22:3%7D")) {
            awaitResult(stream);
            long before = matched();
            client.insert(bucket, "{\"n\":3}");
            assertThat(stream.next().name()).isEqualTo("match");

            assertThat(matched()).isGreaterThan(before);
            assertThat(latency().get(0).asDocument().getNumber("atMostMs").doubleValue())
                    .isEqualTo(0.1);
            assertThat(latency().get(latency().size() - 1).asDocument().isNull("atMostMs"))
                    .isTrue();
        }
    }

    @Test
    void list_sorted_hasItsWindow() throws Exception {
        client.insert(bucket, "{\"n\":1}");
        client.insert(bucket, "{\"n\":2}");
        try (LiveStream stream = open("sort=%7B%22n%22:1%7D&start=1&count=5")) {
            awaitResult(stream);
            BsonDocument query = found().orElseThrow();

            assertThat(query.getString("kind").getValue()).isEqualTo("sorted");
            BsonDocument window = query.getDocument("window");
            assertThat(window.getNumber("start").intValue()).isOne();
            assertThat(window.getNumber("count").intValue()).isEqualTo(5);
            assertThat(window.getNumber("held").intValue()).isEqualTo(2);
            assertThat(window.getNumber("slack").intValue()).isPositive();
            assertThat(window.getString("order").getValue()).contains("\"n\"");
        }
    }

    @Test
    void list_ofALongFilter_hasItsBeginning() throws Exception {
        String numbers = IntStream.range(0, 1_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        try (LiveStream stream = open("q=%7B%22n%22:%7B%22$in%22:%5B" + numbers + "%5D%7D%7D")) {
            awaitResult(stream);

            String filter = found().orElseThrow().getString("filter").getValue();

            assertThat(filter).hasSize(2_001).contains("\"n\"").endsWith("…");
        }
    }

    @Test
    void end_ofAQuery_notifiesItsSubscribersWhoMaySubscribeAgain() throws Exception {
        try (LiveStream stream = open("")) {
            awaitResult(stream);
            String id = found().orElseThrow().getString("id").getValue();

            assertThat(root.delete("/-/live-queries/" + id).status()).isEqualTo(204);

            LiveStream.Event end = stream.next();
            assertThat(end.name()).isEqualTo("error");
            assertThat(root.delete("/-/live-queries/" + id).status()).isEqualTo(404);
        }
        try (LiveStream again = open("")) {
            awaitResult(again);
            client.insert(bucket, "{\"n\":1}");
            assertThat(again.next().name()).isEqualTo("match");
        }
    }

    @Test
    void end_byOthers_isRefused() throws Exception {
        try (LiveStream stream = open("")) {
            awaitResult(stream);
            String id = found().orElseThrow().getString("id").getValue();

            assertThat(client.delete("/-/live-queries/" + id).status()).isEqualTo(466);

            assertThat(found()).isPresent();
        }
    }

    @Test
    void list_ofNone_hasTheTotalNumber() throws Exception {
        try (LiveStream stream = open("")) {
            awaitResult(stream);
            BsonDocument list = root.get("/-/live-queries?count=0").object();

            assertThat(list.getArray("queries")).isEmpty();
            assertThat(list.getNumber("total").intValue()).isPositive();
            assertThat(root.get("/-/live-queries?start=1000000").object().getArray("queries"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"start=-1", "count=-1", "count=501", "count=x", "start=1e3"})
    void list_invalidPage_is400(String page) {
        assertThat(root.get("/-/live-queries?" + page).status()).isEqualTo(400);
    }

    @Test
    void end_invalidId_is404() {
        assertThat(root.delete("/-/live-queries/none").status()).isEqualTo(404);
    }

    private LiveStream open(String parameters) throws Exception {
        return LiveStream.open(client, bucket, parameters + "&initial=true");
    }

    /** The query is subscribed when this returns. */
    private static void awaitResult(LiveStream stream) throws InterruptedException {
        assertThat(stream.next().name()).isEqualTo("result");
    }

    private BsonDocument list() {
        Answer answer = root.get("/-/live-queries?count=500");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private long overCells(String count) {
        return list().getDocument("grid").getArray("cells").stream()
                .flatMap(row -> row.asArray().stream())
                .mapToLong(cell -> cell.asDocument().getNumber(count).longValue())
                .sum();
    }

    private BsonArray latency() {
        return list().getArray("latency");
    }

    private long matched() {
        return latency().stream()
                .mapToLong(each -> each.asDocument().getNumber("count").longValue())
                .sum();
    }

    private Optional<BsonDocument> found() {
        return list().getArray("queries").stream()
                .map(BsonValue::asDocument)
                .filter(query -> query.getString("class").getValue().equals(bucket))
                .findFirst();
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions over HTTP (protocol §12). */
@ExtendWith(SharedBackend.class)
final class TransactionsTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    TransactionsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createAccounts() {
        bucket = backend.newClass("money", "Integer");
        IntStream.range(0, 4)
                .forEach(i -> client.insert(bucket, "{\"id\":\"%s\",\"money\":100}".formatted(account(i))));
    }

    @Test
    void begin_isAnsweredWithIdAddressAndFilter() {
        Answer begun = client.post("/transaction", "{}");

        assertThat(begun.status()).isEqualTo(201);
        String tid = begun.object().getString("tid").getValue();
        assertThat(begun.header("location")).hasValue("/v1/transaction/" + tid);
        assertThat(begun.object().getDocument("bloomFilter").keySet()).contains("b", "m", "h");
        assertThat(client.send("POST", "/transaction", BodyPublishers.noBody()).status())
                .isEqualTo(201);
    }

    @Test
    void commit_isAnsweredWithNewVersionsAndSeenByReadersAtOnce() {
        IntStream.range(0, 4)
                .forEach(i -> assertThat(client.get(account(i)).status()).isEqualTo(200));

        Answer committed =
                commit(("{\"readSet\":[{\"oid\":\"%1$s\",\"version\":1}],\"writeSet\":[{\"id\":\"%2$s\",\"version\":1,"
                                        + "\"money\":7}],")
                                .formatted(account(0), account(1))
                        + ("\"partialUpdates\":[{\"ref\":\"%1$s\",\"operations\":{\"$inc\":{\"money\":5}}}],"
                                        + "\"deleteSet\":[{\"%2$s\":1}]}")
                                .formatted(account(2), account(3)));

        assertThat(committed.status()).as(committed.text()).isEqualTo(200);
        assertThat(committed.text()).isEqualTo("[{\"%s\":2},{\"%s\":2}]".formatted(account(1), account(2)));
        assertThat(List.of(money(1), money(2))).containsExactly(7L, 105L);
        assertThat(client.get(account(3)).status()).isEqualTo(404);
        assertThat(client.query(bucket, "{\"money\":105}").ids()).containsExactly(account(2));
    }

    @Test
    void commit_staleOrInactive_hasTheStatusOfTheProtocol() {
        assertThat(client.post(account(0), "{}").status()).isEqualTo(200);
        String tid = begin();

        Answer stale = client.put(
                "/transaction/" + tid + "/committed", "[{\"oid\":\"%s\",\"version\":1}]".formatted(account(0)));
        Answer again = client.put("/transaction/" + tid + "/committed", "[]");

        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.object().getDocument("data").getArray("stale")).containsExactly(new BsonString(account(0)));
        assertThat(again.status()).isEqualTo(472);
        assertThat(again.object().getString("className").getValue()).isEqualTo("TransactionInactive");
    }

    @Test
    void abort_endsATransactionOnce() {
        String path = "/transaction/" + begin() + "/aborted";

        assertThat(client.put(path, "{}").status()).isEqualTo(204);
        assertThat(client.put(path, "{}").status()).isEqualTo(472);
    }

    @Test
    void commit_malformed_isABadRequestAndCanBeTriedAgain() {
        String path = "/transaction/" + begin() + "/committed";

        assertThat(client.put(path, "{\"readSet\":7}").status()).isEqualTo(400);
        assertThat(client.put(path, "{\"writeSet\":[{\"id\":\"/db/Nowhere/a\"}]}")
                        .status())
                .isEqualTo(461);
        assertThat(client.put(path, "{}").status()).isEqualTo(472);
    }

    @Test
    void commit_transfersOfManyClients_keepTheSumThatQueriesSee() {
        long tries =
                IntStream.range(0, 8).parallel().mapToLong(i -> transfers(25)).sum();

        assertThat(tries).isGreaterThanOrEqualTo(200);
        assertThat(sum()).isEqualTo(400);
    }

    private long transfers(int count) {
        long tries = 0;
        int done = 0;
        while (done < count) {
            BsonDocument from = client.get(account(random())).object();
            BsonDocument to = client.get(account(random())).object();
            tries++;
            boolean isDone = !from.getString("id").equals(to.getString("id")) && transfer(from, to) == 200;
            assertThat(sum()).isEqualTo(400);
            done += isDone ? 1 : 0;
        }
        return tries;
    }

    private int transfer(BsonDocument from, BsonDocument to) {
        return commit("{\"writeSet\":[%s,%s]}".formatted(changed(from, -1), changed(to, 1)))
                .status();
    }

    private static String changed(BsonDocument account, long by) {
        return "{\"id\":\"%s\",\"version\":%d,\"money\":%d}"
                .formatted(
                        account.getString("id").getValue(),
                        account.getNumber("version").longValue(),
                        account.getNumber("money").longValue() + by);
    }

    private long sum() {
        return client.query(bucket, "{}", "Cache-Control", "no-cache").array().stream()
                .mapToLong(account -> account.asDocument().getNumber("money").longValue())
                .sum();
    }

    private static int random() {
        return ThreadLocalRandom.current().nextInt(4);
    }

    private Answer commit(String body) {
        return client.put("/transaction/" + begin() + "/committed", body);
    }

    private String begin() {
        return client.post("/transaction", "{}").object().getString("tid").getValue();
    }

    private String account(int number) {
        return "/db/" + bucket + "/a" + number;
    }

    private long money(int number) {
        return client.get(account(number)).object().getNumber("money").longValue();
    }
}

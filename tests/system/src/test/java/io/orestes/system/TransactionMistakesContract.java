package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commits with too many operations or invalid ones, of other users, or repeated: nothing wrong is
 * written, and the objects are free at once for the next.
 */
public abstract class TransactionMistakesContract {

    private String bucket = "";

    /** Returns the server at which mistakes are made. */
    protected abstract Backend backend();

    /** Returns a client that commits after a mistake, at another server if there is one. */
    protected abstract Client next();

    private Client client() {
        return backend().anonymous();
    }

    @BeforeEach
    void createAccount() {
        bucket = backend().newClass("money", "Integer");
        client().insert(bucket, "{\"id\":\"%s\",\"money\":100}".formatted(account(1)));
    }

    static Stream<String> tooMuch() {
        return Stream.of(
                // few bytes, many operations
                "{\"partialUpdates\":%s}"
                        .formatted(array(1_001, i -> "{\"ref\":\"$account\",\"operations\":{\"$inc\":{\"money\":1}}}")),
                "{\"deleteSet\":[{%s}]}"
                        .formatted(IntStream.range(0, 1_001)
                                .mapToObj(i -> "\"$account%d\":1".formatted(i))
                                .collect(Collectors.joining(","))),
                "{\"readSet\":%s}".formatted(array(100_000, i -> "{}")),
                // also many bytes
                "{\"readSet\":%s}"
                        .formatted(array(100_000, i -> "{\"oid\":\"$account%d\",\"version\":1}".formatted(i))));
    }

    @ParameterizedTest
    @MethodSource("tooMuch")
    void commit_tooLarge_is413AndTheTransactionContinues(String body) {
        String tid = begin(client());

        assertThat(commit(client(), tid, body.replace("$account", account(1))).status())
                .isEqualTo(413);

        assertUntouchedAndFree();
        assertThat(commit(client(), tid, increment()).status()).isEqualTo(200);
        assertThat(money()).isEqualTo(102);
    }

    /** The second spelling is another text for one object. */
    static Stream<String> sameObjectTwice() {
        String object = "{\"id\":\"%s\",\"version\":1,\"money\":%d}";
        return Stream.of(
                "{\"writeSet\":[%s,%s]}".formatted(object.formatted("$account1", 1), object.formatted("$account1", 2)),
                "{\"writeSet\":[%s,%s]}"
                        .formatted(object.formatted("$account1", 1), object.formatted("$account%31", 2)),
                "{\"deleteSet\":[{\"$account1\":1},{\"$account1\":1}]}",
                "{\"deleteSet\":[{\"$account1\":1,\"$account%31\":1}]}",
                "{\"writeSet\":[%s],\"deleteSet\":[{\"$account%%31\":1}]}".formatted(object.formatted("$account1", 1)),
                ("{\"writeSet\":[%s],\"partialUpdates\":[{\"ref\":\"$account%%31\","
                                + "\"operations\":{\"$inc\":{\"money\":1}}}]}")
                        .formatted(object.formatted("$account1", 1)));
    }

    @ParameterizedTest
    @MethodSource("sameObjectTwice")
    void commit_sameObjectTwice_is400AndNothingIsWritten(String body) {
        String tid = begin(client());

        Answer refused = commit(client(), tid, body.replace("$account", "/db/" + bucket + "/a"));

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text()).contains("writes an object once: " + account(1));
        assertUntouchedAndFree();
        assertThat(commit(client(), tid, increment()).status()).isEqualTo(200);
    }

    /** The last is the largest number: no version follows it. */
    static Stream<String> versionsThatNeverExisted() {
        String object = "{\"id\":\"$account1\",\"version\":%d,\"money\":1}";
        return Stream.of(
                "{\"readSet\":[{\"oid\":\"$account1\",\"version\":7}]}",
                "{\"writeSet\":[%s]}".formatted(object.formatted(7)),
                "{\"deleteSet\":[{\"$account1\":7}]}",
                "{\"readSet\":[{\"oid\":\"$account1\",\"version\":7}],\"writeSet\":[%s]}"
                        .formatted(object.formatted(1)),
                "{\"readSet\":[{\"oid\":\"$account1\",\"version\":7}],\"deleteSet\":[{\"$account1\":1}]}",
                "{\"writeSet\":[%s]}".formatted(object.formatted(Long.MAX_VALUE)));
    }

    @ParameterizedTest
    @MethodSource("versionsThatNeverExisted")
    void commit_versionThatNeverExisted_isStaleAndEndsTheTransaction(String body) {
        String tid = begin(client());

        Answer stale = commit(client(), tid, body.replace("$account", "/db/" + bucket + "/a"));

        assertThat(stale.status()).as(stale.text()).isEqualTo(412);
        assertThat(stale.object().getDocument("data").getArray("stale")).containsExactly(new BsonString(account(1)));
        assertUntouchedAndFree();
        assertThat(commit(client(), tid, increment()).status()).isEqualTo(472);
    }

    @Test
    void commitAndAbort_ofUnknownTransactions_are472() {
        String tid = begin(client());
        String last = tid.endsWith("0") ? "1" : "0";
        List<String> unknown = List.of(
                "nonsense",
                "0".repeat(tid.length()),
                tid + "0",
                tid.substring(1),
                // another time, which the authentication code covers
                "f" + tid.substring(1),
                tid.substring(0, tid.length() - 1) + last);

        for (String id : unknown) {
            assertThat(commit(client(), id, increment()).status()).as(id).isEqualTo(472);
            assertThat(abort(client(), id).status()).as(id).isEqualTo(472);
        }

        assertUntouchedAndFree();
        assertThat(commit(client(), tid, increment()).status()).isEqualTo(200);
    }

    @Test
    void commitAndAbort_byAnotherUser_are472AndTheOwnerContinues() {
        Client owner = Accounts.create(backend()).client();
        List<Client> others =
                List.of(Accounts.create(backend()).client(), client(), backend().root());
        String tid = begin(owner);

        for (Client other : others) {
            assertThat(commit(other, tid, increment()).status()).isEqualTo(472);
            assertThat(abort(other, tid).status()).isEqualTo(472);
        }

        assertUntouchedAndFree();
        assertThat(commit(owner, tid, increment()).status()).isEqualTo(200);
        assertThat(money()).isEqualTo(102);
    }

    @Test
    void commit_aSecondTime_isAnsweredAlikeAndWithAnotherBody472() {
        String tid = begin(client());
        Answer first = commit(client(), tid, increment());

        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(commit(next(), tid, increment()).text()).isEqualTo(first.text());
        assertThat(commit(next(), tid, "{\"deleteSet\":[{\"%s\":2}]}".formatted(account(1)))
                        .status())
                .isEqualTo(472);
        assertThat(abort(next(), tid).status()).isEqualTo(472);
        assertThat(money()).isEqualTo(101);
    }

    /** An impatient client sends it again while the first is under way. */
    @Test
    void commit_manyTimesAtTheSameMoment_isDoneOnceAndAnsweredAlike() {
        for (int round = 1; round <= 5; round++) {
            String tid = begin(client());
            List<CompletableFuture<Answer>> sent = IntStream.range(0, 6)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> commit(i % 2 == 0 ? client() : next(), tid, increment())))
                    .toList();

            String expected = "[{\"%s\":%d}]".formatted(account(1), round + 1);
            assertThat(sent.stream().map(answer -> answer.orTimeout(30, TimeUnit.SECONDS)
                            .join()))
                    .allSatisfy(answer -> {
                        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                        assertThat(answer.text()).isEqualTo(expected);
                    });
            assertThat(money()).isEqualTo(100 + round);
        }
    }

    /** Returns an increment of the account by one. */
    protected final String increment() {
        return "{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":1}}}]}".formatted(account(1));
    }

    /**
     * Asserts that nothing was written, and that no lock is left: the next commit is done, and
     * would be refused if it had to wait for seconds.
     */
    protected final void assertUntouchedAndFree() {
        assertThat(client().get(account(1), "Cache-Control", "no-cache").text())
                .contains("\"version\":1,", "\"money\":100");
        assertThat(client().count(bucket)).isEqualTo(1);
        assertThat(commit(next(), begin(next()), increment()).status()).isEqualTo(200);
        assertThat(money()).isEqualTo(101);
    }

    private long money() {
        return client().get(account(1), "Cache-Control", "no-cache")
                .object()
                .getNumber("money")
                .longValue();
    }

    protected static Answer commit(Client by, String tid, String body) {
        return by.put("/transaction/" + tid + "/committed", body);
    }

    private static Answer abort(Client by, String tid) {
        return by.put("/transaction/" + tid + "/aborted", "{}");
    }

    protected static String begin(Client by) {
        return by.post("/transaction", "{}").object().getString("tid").getValue();
    }

    private String account(int number) {
        return "/db/" + bucket + "/a" + number;
    }

    private static String array(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
    }
}

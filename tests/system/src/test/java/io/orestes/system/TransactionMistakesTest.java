package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commits that ask for too much or for nonsense, or come from others, or more than once: nothing is written that should not be. */
@ExtendWith(SharedBackend.class)
final class TransactionMistakesTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    TransactionMistakesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createAccount() {
        bucket = backend.newClass("money", "Integer");
        client.insert(bucket, "{\"id\":\"%s\",\"money\":100}".formatted(account(1)));
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
                // many bytes, too
                "{\"readSet\":%s}"
                        .formatted(array(100_000, i -> "{\"oid\":\"$account%d\",\"version\":1}".formatted(i))));
    }

    @ParameterizedTest
    @MethodSource("tooMuch")
    void commit_ofTooMuch_is413AndTheTransactionGoesOn(String body) {
        String tid = begin(client);

        assertThat(commit(client, tid, body.replace("$account", account(1))).status())
                .isEqualTo(413);

        assertUntouched();
        assertThat(commit(client, tid, increment()).status()).isEqualTo(200);
        assertThat(money()).isEqualTo(101);
    }

    /** The second spelling is another text, and the same object. */
    static Stream<String> sameObjectTwice() {
        String object = "{\"id\":\"%s\",\"version\":1,\"money\":%d}";
        return Stream.of(
                "{\"writeSet\":[%s,%s]}".formatted(object.formatted("$account1", 1), object.formatted("$account1", 2)),
                "{\"writeSet\":[%s,%s]}"
                        .formatted(object.formatted("$account1", 1), object.formatted("$account%31", 2)),
                "{\"deleteSet\":[{\"$account1\":1},{\"$account1\":1}]}",
                "{\"deleteSet\":[{\"$account1\":1,\"$account%31\":1}]}",
                "{\"writeSet\":[%s],\"deleteSet\":[{\"$account%%31\":1}]}".formatted(object.formatted("$account1", 1)),
                "{\"writeSet\":[%s],\"partialUpdates\":[{\"ref\":\"$account%%31\",\"operations\":{\"$inc\":{\"money\":1}}}]}"
                        .formatted(object.formatted("$account1", 1)));
    }

    @ParameterizedTest
    @MethodSource("sameObjectTwice")
    void commit_sameObjectTwice_is400AndNothingIsWritten(String body) {
        String tid = begin(client);

        Answer refused = commit(client, tid, body.replace("$account", "/db/" + bucket + "/a"));

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text()).contains("writes an object once: " + account(1));
        assertUntouched();
        assertThat(commit(client, tid, increment()).status()).isEqualTo(200);
    }

    @Test
    void commitAndAbort_bySomebodyElse_are472AndTheOwnerGoesOn() {
        Client owner = Accounts.create(backend).client();
        List<Client> others = List.of(Accounts.create(backend).client(), client, backend.root());
        String tid = begin(owner);

        for (Client other : others) {
            assertThat(commit(other, tid, increment()).status()).isEqualTo(472);
            assertThat(other.put("/transaction/" + tid + "/aborted", "{}").status())
                    .isEqualTo(472);
        }

        assertUntouched();
        assertThat(commit(owner, tid, increment()).status()).isEqualTo(200);
        assertThat(money()).isEqualTo(101);
    }

    /** A client that is impatient sends it again while the first is under way. */
    @Test
    void commit_manyTimesAtTheSameMoment_isDoneOnceAndAnsweredAlike() {
        for (int round = 1; round <= 5; round++) {
            String tid = begin(client);
            List<CompletableFuture<Answer>> sent = IntStream.range(0, 6)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> commit(client, tid, increment())))
                    .toList();

            String told = "[{\"%s\":%d}]".formatted(account(1), round + 1);
            assertThat(sent.stream().map(answer -> answer.orTimeout(30, TimeUnit.SECONDS)
                            .join()))
                    .allSatisfy(answer -> {
                        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                        assertThat(answer.text()).isEqualTo(told);
                    });
            assertThat(money()).isEqualTo(100 + round);
        }
    }

    private String increment() {
        return "{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":{\"$inc\":{\"money\":1}}}]}".formatted(account(1));
    }

    private void assertUntouched() {
        assertThat(client.get(account(1), "Cache-Control", "no-cache").text())
                .contains("\"version\":1,", "\"money\":100");
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    private long money() {
        return client.get(account(1), "Cache-Control", "no-cache")
                .object()
                .getNumber("money")
                .longValue();
    }

    private static Answer commit(Client by, String tid, String body) {
        return by.put("/transaction/" + tid + "/committed", body);
    }

    private static String begin(Client by) {
        return by.post("/transaction", "{}").object().getString("tid").getValue();
    }

    private String account(int number) {
        return "/db/" + bucket + "/a" + number;
    }

    private static String array(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
    }
}

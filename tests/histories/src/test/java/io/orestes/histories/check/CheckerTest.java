package io.orestes.histories.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.check.Anomaly.Kind;
import io.orestes.histories.check.Transaction.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One small history for each anomaly, and the nearest correct one. */
final class CheckerTest {

    private final List<Transaction> history = new ArrayList<>();

    @Test
    void serial_isRight() {
        committed(read("x"), append("x", 1), append("y", 2));
        committed(read("x", 1), read("y", 2), append("x", 3));
        committed(write("r", 1, 4));
        committed(value("r", 1, 4), write("r", 2, 5));
        committed(read("x", 1, 3), read("y", 2), value("r", 2, 5));

        assertThat(Checker.check(history)).isEmpty();
    }

    @Test
    void staleReadOfATransaction_thatWasAborted_isRight() {
        committed(append("x", 1));
        ended(Outcome.ABORTED, read("x"), append("x", 2));
        committed(read("x", 1));

        assertThat(kinds()).isEmpty();
    }

    @Test
    void garbage() {
        committed(read("x", 7));
        committed(value("r", 1, 7));

        assertThat(kinds()).containsExactly(Kind.GARBAGE, Kind.GARBAGE);
    }

    @Test
    void duplicate() {
        committed(append("x", 1));
        committed(read("x", 1, 1));
        committed(write("r", 1, 2));
        committed(value("r", 2, 2));

        assertThat(kinds()).containsExactly(Kind.DUPLICATE, Kind.DUPLICATE);
    }

    @Test
    void forkedOrder_oflist() {
        concurrently(append("x", 1));
        concurrently(append("x", 2));
        concurrently(read("x", 1));
        concurrently(read("x", 2, 1));

        assertThat(kinds()).contains(Kind.FORKED_ORDER);
    }

    @Test
    void forkedOrder_ofRegister() {
        concurrently(write("r", 1, 1));
        concurrently(write("r", 1, 2));
        concurrently(value("r", 1, 2));

        assertThat(kinds()).contains(Kind.FORKED_ORDER);
    }

    @Test
    void lostWrite() {
        committed(append("x", 1));
        committed(write("r", 1, 1));
        committed(read("x"), value("r", 0, 0));

        assertThat(kinds()).contains(Kind.LOST_WRITE).first().isEqualTo(Kind.LOST_WRITE);
    }

    @Test
    void unknownOutcome_ofWhichAPartIsSeen_isLostIfTheRestIsNot() {
        ended(Outcome.UNKNOWN, append("x", 1), append("y", 2));
        ended(Outcome.UNKNOWN, append("x", 3), append("y", 4));
        committed(read("x", 1), read("y"));

        assertThat(Checker.check(history)).extracting(Anomaly::kind).first().isEqualTo(Kind.LOST_WRITE);
        assertThat(Checker.check(history).get(0).text()).contains("T0").doesNotContain("T1");
    }

    /** G1a */
    @Test
    void abortedRead() {
        ended(Outcome.ABORTED, append("x", 1));
        committed(read("x", 1));
        ended(Outcome.ABORTED, write("r", 1, 2));
        committed(value("r", 1, 2));

        assertThat(kinds()).containsExactly(Kind.ABORTED_READ, Kind.ABORTED_READ);
    }

    /** G1b */
    @Test
    void intermediateRead() {
        concurrently(append("x", 1), append("x", 2));
        concurrently(read("x", 1));
        concurrently(read("x", 1, 2));

        assertThat(kinds()).contains(Kind.INTERMEDIATE_READ);
    }

    /** G0 */
    @Test
    void writeCycle() {
        concurrently(append("x", 1), append("y", 1));
        concurrently(append("x", 2), append("y", 2));
        committed(read("x", 1, 2));
        committed(read("y", 2, 1));

        assertThat(kinds()).containsExactly(Kind.WRITE_CYCLE);
    }

    /** G1c */
    @Test
    void informationCycle() {
        concurrently(append("x", 1), read("y", 1));
        concurrently(append("y", 1), read("x", 1));

        assertThat(kinds()).containsExactly(Kind.INFORMATION_CYCLE);
    }

    @Test
    void lostUpdate() {
        concurrently(write("r", 1, 1));
        concurrently(value("r", 1, 1), write("r", 2, 2));
        concurrently(value("r", 1, 1), write("r", 3, 3));
        concurrently(value("r", 3, 3));

        assertThat(kinds()).containsExactly(Kind.LOST_UPDATE);
    }

    /** G-single, also known as read skew. */
    @Test
    void singleAntiDependency() {
        concurrently(append("x", 1), append("y", 1));
        concurrently(read("x", 1), read("y"));
        concurrently(read("y", 1));

        assertThat(kinds()).containsExactly(Kind.SINGLE_ANTI_DEPENDENCY);
    }

    /** G2 */
    @Test
    void writeSkew() {
        concurrently(read("x"), read("y"), append("x", 1));
        concurrently(read("x"), read("y"), append("y", 2));
        concurrently(read("x", 1), read("y", 2));

        assertThat(kinds()).containsExactly(Kind.ANTI_DEPENDENCY_CYCLE);
        assertThat(Checker.check(history).get(0).text())
                .contains("T0")
                .contains("T1")
                .contains("did not see, in x at 1")
                .contains("did not see, in y at 1");
    }

    /** Two readers that see two writes in different orders; none of them writes twice. */
    @Test
    void longFork() {
        concurrently(append("x", 1));
        concurrently(append("y", 2));
        concurrently(read("x", 1), read("y"));
        concurrently(read("x"), read("y", 2));
        concurrently(read("x", 1), read("y", 2));

        assertThat(kinds()).containsExactly(Kind.ANTI_DEPENDENCY_CYCLE);
    }

    @Test
    void staleRead_isACycleOnlyWithTime() {
        committed(append("x", 1));
        committed(read("x"));
        committed(read("x", 1));

        assertThat(kinds()).containsExactly(Kind.TIME_CYCLE);
    }

    @Test
    void staleRead_bySingleOperation_isLeftToTheCheckerOfSingleObjects() {
        committed(append("x", 1));
        history.add(new Transaction("S", Transaction.Kind.SINGLE, Outcome.COMMITTED, 100, 101, List.of(read("x"))));
        history.add(new Transaction("S", Transaction.Kind.SINGLE, Outcome.COMMITTED, 102, 103, List.of(read("x", 1))));

        assertThat(kinds()).isEmpty();
    }

    /** The order is known beyond states of unknown writers. */
    @Test
    void registers_stateOfUnknownWriterInBetween_doesNotHideACycle() {
        concurrently(value("r", 0, 0), value("s", 0, 0), write("s", 1, 1));
        concurrently(value("s", 0, 0), write("r", 2, 2));
        concurrently(value("s", 1, 1), value("r", 2, 2));

        assertThat(kinds()).containsExactly(Kind.ANTI_DEPENDENCY_CYCLE);
    }

    private List<Kind> kinds() {
        return Checker.check(history).stream().map(Anomaly::kind).toList();
    }

    private void committed(Operation... operations) {
        ended(Outcome.COMMITTED, operations);
    }

    private void ended(Outcome outcome, Operation... operations) {
        int number = history.size();
        history.add(new Transaction(
                "T" + number,
                Transaction.Kind.TRANSACTION,
                outcome,
                2L * number,
                2L * number + 1,
                List.of(operations)));
    }

    private void concurrently(Operation... operations) {
        history.add(new Transaction(
                "T" + history.size(), Transaction.Kind.TRANSACTION, Outcome.COMMITTED, 0, 1_000, List.of(operations)));
    }

    private static Operation append(String key, int element) {
        return new Operation.Append(key, element);
    }

    private static Operation read(String key, Integer... elements) {
        return new Operation.ReadList(key, List.of(elements));
    }

    private static Operation write(String key, long version, int value) {
        return new Operation.Write(key, version, value);
    }

    private static Operation value(String key, long version, int value) {
        return new Operation.Read(key, version, value);
    }
}

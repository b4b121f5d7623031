package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.workload.LifeWrite.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checker of single objects distinguishes histories of objects with lives that can be explained
 * from those that cannot.
 */
final class LivesLinearizabilityTest {

    private static final String KEY = "/db/Life/0-0";
    private static final Optional<StateTag> ANY = Optional.empty();
    private static final OptionalLong UNKNOWN = OptionalLong.empty();
    private static final int VALUE = 2;
    private static final int NOT_FOUND = 404;
    private static final int EXISTS = 409;
    private static final int OUT_OF_DATE = 412;

    private final Journal journal = new Journal();
    private final Path file;
    private int names;

    LivesLinearizabilityTest(@TempDir Path folder) {
        file = folder.resolve("history");
    }

    @Test
    void lives_oneAfterTheOther_areRight() throws Exception {
        inserted(0);
        incremented(2, 3, 1);
        refused(Kind.INSERTION, ANY, EXISTS, 2);
        refused(Kind.DELETION, version(1), OUT_OF_DATE, 3);
        deleted(version(2), 4);
        refused(Kind.INCREMENT, ANY, NOT_FOUND, 5);
        refused(Kind.REPLACEMENT, version(2), OUT_OF_DATE, 6);
        deleted(ANY, 7);
        saw(0, 0, 8);
        inserted(9);
        saw(1, VALUE, 10);

        assertRight(true);
    }

    /**
     * The history is of a healthy cluster on a slow machine; porcupine alone does not end on it.
     */
    @Test
    void manyOverlappingWrites_areDecided() throws Exception {
        Path history = Path.of("src/test/resources/overlapping-writes.jsonl").toAbsolutePath();

        Linearizability.Verdict verdict = Linearizability.of(history);

        assertThat(verdict.isRight()).as(verdict.text()).isTrue();
    }

    @Test
    void replacementOfAnAbsentObject_beginsALife() throws Exception {
        done(Kind.REPLACEMENT, ANY, OptionalLong.of(1), OptionalInt.of(VALUE), 0, 1);

        assertRight(true);
    }

    @Test
    void equalWritesOfTheSameVersion_areFound() throws Exception {
        inserted(0);
        done(Kind.REPLACEMENT, version(1), OptionalLong.of(2), OptionalInt.of(VALUE), 1, 5);
        done(Kind.REPLACEMENT, version(1), OptionalLong.of(2), OptionalInt.of(VALUE), 1, 5);

        assertRight(false);
    }

    @Test
    void deletionThatWasNotMade_isFound() throws Exception {
        inserted(0);
        deleted(ANY, 1);
        saw(1, VALUE, 2);

        assertRight(false);
    }

    @Test
    void twoConditionalDeletionsOfOneState_areFound() throws Exception {
        inserted(0);
        done(Kind.DELETION, version(1), UNKNOWN, OptionalInt.empty(), 1, 5);
        done(Kind.DELETION, version(1), UNKNOWN, OptionalInt.empty(), 1, 5);

        assertRight(false);
    }

    @Test
    void twoIncrementsWithOneVersion_areFound() throws Exception {
        inserted(0);
        done(Kind.INCREMENT, ANY, OptionalLong.of(2), OptionalInt.empty(), 1, 5);
        done(Kind.INCREMENT, ANY, OptionalLong.of(2), OptionalInt.empty(), 1, 5);

        assertRight(false);
    }

    @Test
    void incrementThatCountsTwice_isFound() throws Exception {
        inserted(0);
        incremented(2, VALUE + 2, 1);

        assertRight(false);
    }

    @Test
    void incrementOfTheValueOfAnEarlierLife_isFound() throws Exception {
        inserted(0);
        incremented(2, 3, 1);
        deleted(ANY, 2);
        inserted(3);
        incremented(2, 4, 4);

        assertRight(false);
    }

    @Test
    void incrementOfAnAbsentObject_isFound() throws Exception {
        done(Kind.INCREMENT, ANY, OptionalLong.of(1), OptionalInt.of(1), 0, 1);

        assertRight(false);
    }

    @Test
    void stateAfterTheDeletion_isFound() throws Exception {
        inserted(0);
        deleted(ANY, 1);
        saw(0, 0, 2);
        saw(1, VALUE, 3);

        assertRight(false);
    }

    @Test
    void lifeThatGoesOnWithTheVersionsOfTheLast_isFound() throws Exception {
        inserted(0);
        deleted(ANY, 1);
        done(Kind.INSERTION, ANY, OptionalLong.of(3), OptionalInt.of(VALUE), 2, 3);

        assertRight(false);
    }

    @Test
    void refusalForTheCurrentVersion_isFound() throws Exception {
        inserted(0);
        refused(Kind.REPLACEMENT, version(1), OUT_OF_DATE, 1);

        assertRight(false);
    }

    @Test
    void refusalOfAnInsertionOfAnAbsentObject_isFound() throws Exception {
        inserted(0);
        deleted(ANY, 1);
        refused(Kind.FIRST_PUT, ANY, OUT_OF_DATE, 2);

        assertRight(false);
    }

    @Test
    void refusalOfAWriteWithoutCondition_isFound() throws Exception {
        refused(Kind.DELETION, ANY, OUT_OF_DATE, 0);

        assertRight(false);
    }

    @Test
    void incrementNotFoundOfAnExistingObject_isFound() throws Exception {
        inserted(0);
        refused(Kind.INCREMENT, ANY, NOT_FOUND, 1);

        assertRight(false);
    }

    @Test
    void writesWithoutAnAnswer_mayHappenLateOrNever() throws Exception {
        inserted(0);
        unanswered(Kind.DELETION, 1);
        unanswered(Kind.INCREMENT, 1);
        unanswered(Kind.INSERTION, 1);
        saw(1, VALUE, 2);
        saw(2, VALUE + 1, 3);
        saw(0, 0, 4);
        saw(1, VALUE, 5);

        assertRight(true);
    }

    @Test
    void deletionWithoutAnAnswer_doesNotHappenTwice() throws Exception {
        inserted(0);
        unanswered(Kind.DELETION, 1);
        saw(0, 0, 2);
        inserted(3);
        saw(0, 0, 4);

        assertRight(false);
    }

    @Test
    void timeOfAnEarlierLife_comesBack_isFound() throws Exception {
        insertedAt(7, 0);
        deleted(ANY, 1);
        insertedAt(7, 2);

        assertRight(false);
    }

    @Test
    void replacementOfAStateOfTheLastLife_isFound() throws Exception {
        insertedAt(7, 0);
        deleted(ANY, 1);
        insertedAt(8, 2);
        done(Kind.REPLACEMENT, firstAt(7), OptionalLong.of(2), OptionalInt.of(VALUE), 3, 4);

        assertRight(false);
    }

    @Test
    void refusalForTheCurrentState_isFound() throws Exception {
        insertedAt(7, 0);
        refused(Kind.DELETION, firstAt(7), OUT_OF_DATE, 1);

        assertRight(false);
    }

    @Test
    void conditionsOnStatesOfBothLives_areRight() throws Exception {
        insertedAt(7, 0);
        deleted(firstAt(7), 1);
        insertedAt(8, 2);
        refused(Kind.REPLACEMENT, firstAt(7), OUT_OF_DATE, 3);
        done(Kind.REPLACEMENT, firstAt(8), OptionalLong.of(2), OptionalInt.of(VALUE), 4, 5);

        assertRight(true);
    }

    @Test
    void refusalWithTheStatusOfAnother_isFound() throws Exception {
        inserted(0);
        refused(Kind.INSERTION, ANY, OUT_OF_DATE, 1);

        assertRight(false);
    }

    private void inserted(long called) {
        done(Kind.INSERTION, ANY, OptionalLong.of(1), OptionalInt.of(VALUE), called, called);
    }

    private void incremented(long version, int sum, long called) {
        done(Kind.INCREMENT, ANY, OptionalLong.of(version), OptionalInt.of(sum), called, called);
    }

    private void deleted(Optional<StateTag> expected, long called) {
        done(Kind.DELETION, expected, UNKNOWN, OptionalInt.empty(), called, called);
    }

    private void done(
            Kind kind,
            Optional<StateTag> expected,
            OptionalLong version,
            OptionalInt value,
            long called,
            long answered) {
        note(kind, expected, new LifeResult(LifeResult.Kind.DONE, 200, version, value, UNKNOWN), called, answered);
    }

    private void insertedAt(long time, long called) {
        LifeResult result = new LifeResult(
                LifeResult.Kind.DONE, 201, OptionalLong.of(1), OptionalInt.of(VALUE), OptionalLong.of(time));
        note(Kind.INSERTION, ANY, result, called, called);
    }

    private static Optional<StateTag> version(long version) {
        return Optional.of(new StateTag(version, UNKNOWN));
    }

    private static Optional<StateTag> firstAt(long time) {
        return Optional.of(new StateTag(1, OptionalLong.of(time)));
    }

    private void refused(Kind kind, Optional<StateTag> expected, int status, long called) {
        LifeResult result = new LifeResult(LifeResult.Kind.REFUSED, status, UNKNOWN, OptionalInt.empty(), UNKNOWN);
        note(kind, expected, result, called, called);
    }

    private void unanswered(Kind kind, long called) {
        note(kind, ANY, LifeResult.unknown(), called, called);
    }

    private void note(Kind kind, Optional<StateTag> expected, LifeResult result, long called, long answered) {
        new LifeWrite(kind, KEY, expected, VALUE)
                .note(journal, "w" + ++names, true, result, 10 * called, 10 * answered + 5);
    }

    private void saw(long version, int value, long called) {
        List<Integer> values = value == 0 ? List.of() : List.of(value);
        journal.saw("r" + ++names, new State(KEY, version, values), 10 * called, 10 * called + 5);
    }

    private void assertRight(boolean isRight) throws Exception {
        journal.write(file);
        Linearizability.Verdict verdict = Linearizability.of(file);
        assertThat(verdict.isRight()).as(verdict.text()).isEqualTo(isRight);
    }
}

package io.orestes.histories.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checker of single objects distinguishes histories that can be explained from those that
 * cannot.
 */
final class LinearizabilityTest {

    private static final String KEY = "/db/Register/0-0";
    private static final OptionalLong NONE = OptionalLong.empty();

    private final Journal journal = new Journal();
    private final Path file;

    LinearizabilityTest(@TempDir Path folder) {
        file = folder.resolve("history");
    }

    @Test
    void writesAndReadsInOrder_areRight() throws Exception {
        wrote(0, 1, 7, 0, 1);
        saw(1, 7, 2, 3);
        wrote(1, 2, 8, 2, 5);
        saw(2, 8, 3, 4);
        saw(2, 8, 6, 7);

        assertThat(verdict().isRight()).isTrue();
    }

    @Test
    void oldStateAfterANewerOneWasRead_isFound() throws Exception {
        wrote(0, 1, 7, 0, 9);
        saw(1, 7, 1, 2);
        saw(0, 0, 3, 4);

        assertThat(verdict().isRight()).isFalse();
        assertThat(verdict().text()).contains(KEY + " is not linearizable").contains("sees version 0, 0");
    }

    @Test
    void oldStateAfterTheAnswerToAWrite_isFound() throws Exception {
        wrote(0, 1, 7, 0, 1);
        saw(0, 0, 2, 3);

        assertThat(verdict().isRight()).isFalse();
    }

    @Test
    void twoWritesForTheSameVersion_areFound() throws Exception {
        wrote(0, 1, 7, 0, 5);
        wrote(0, 1, 8, 0, 5);

        assertThat(verdict().isRight()).isFalse();
    }

    @Test
    void writeWithoutAnAnswer_mayHappenLateOrNever() throws Exception {
        journal.wrote("w", KEY, NONE, 7, NONE, 0, NONE);
        journal.wrote("w", KEY, OptionalLong.of(0), 8, NONE, 0, NONE);
        saw(0, 0, 10, 11);
        saw(1, 7, 12, 13);

        assertThat(verdict().isRight()).isTrue();
    }

    @Test
    void writeWithoutAnAnswer_doesNotHappenTwice() throws Exception {
        journal.wrote("w", KEY, NONE, 7, NONE, 0, NONE);
        saw(1, 7, 1, 2);
        wrote(1, 2, 8, 3, 4);
        saw(3, 7, 5, 6);

        assertThat(verdict().isRight()).isFalse();
    }

    @Test
    void objects_areCheckedEachForItself() throws Exception {
        wrote(0, 1, 7, 0, 1);
        journal.saw("r", new State("/db/Register/1-0", 0, List.of()), 2, 3);

        assertThat(verdict().isRight()).isTrue();
        assertThat(verdict().text()).contains("2 objects, 2 operations");
    }

    private void wrote(long expected, long version, int value, long called, long answered) {
        journal.wrote(
                "w",
                KEY,
                OptionalLong.of(expected),
                value,
                OptionalLong.of(version),
                called,
                OptionalLong.of(answered));
    }

    private void saw(long version, int value, long called, long answered) {
        journal.saw("r", new State(KEY, version, value == 0 ? List.of() : List.of(value)), called, answered);
    }

    private Linearizability.Verdict verdict() throws Exception {
        Files.deleteIfExists(file);
        journal.write(file);
        return Linearizability.of(file);
    }
}

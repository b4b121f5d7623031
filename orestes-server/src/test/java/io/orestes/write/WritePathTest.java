package io.orestes.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The path of a write is one short method, and ARCHITECTURE.md quotes it as it is. */
final class WritePathTest {

    private static final int MAX_LINES = 20;
    private static final Path PACKAGE = Path.of("src/main/java/io/orestes/write");
    private static final Pattern QUOTATION =
            Pattern.compile("in `WritePipeline`:\n\n```java\n(.*?)```\n", Pattern.DOTALL);
    private static final Pattern PATH =
            Pattern.compile("    private Future<List<WriteResult>> run\\(.*?\n    }\n", Pattern.DOTALL);
    private static final Pattern PUBLICATION =
            Pattern.compile("publishAll\\(List<CommittedWrite> .*?\n    }\n", Pattern.DOTALL);
    private static final Pattern STAGE =
            Pattern.compile("\\b(authorize|validate|guard|commit|invalidate|match|replicate|confirm)\\b");

    private static final List<String> BEFORE_AND_AT_COMMIT = List.of("authorize", "validate", "guard", "commit");
    private static final List<String> AFTER_COMMIT = List.of("invalidate", "match", "replicate", "confirm");

    @Test
    void path_ofAWrite_isQuotedCharacterForCharacter() throws IOException {
        String quotation = only(QUOTATION, Path.of("../ARCHITECTURE.md")).group(1);

        assertThat(quotation.indent(4)).isEqualTo(path());
    }

    @Test
    void path_ofAWrite_isOneChainOfAllStagesOnOneScreen() throws IOException {
        assertThat(path().lines().count()).isLessThanOrEqualTo(MAX_LINES);
        assertThat(stages(path()))
                .containsExactlyElementsOf(Stream.concat(BEFORE_AND_AT_COMMIT.stream(), AFTER_COMMIT.stream())
                        .toList());
    }

    @Test
    void publication_ofOtherWrites_takesTheStagesAfterTheCommit() throws IOException {
        String publication =
                only(PUBLICATION, PACKAGE.resolve("WritePublisher.java")).group();

        assertThat(stages(publication)).containsExactlyElementsOf(AFTER_COMMIT);
    }

    private static String path() throws IOException {
        return only(PATH, PACKAGE.resolve("WritePipeline.java")).group();
    }

    private static List<String> stages(String method) {
        return STAGE.matcher(method).results().map(MatchResult::group).toList();
    }

    private static MatchResult only(Pattern pattern, Path file) throws IOException {
        List<MatchResult> found =
                pattern.matcher(Files.readString(file)).results().toList();
        assertThat(found).as("%s in %s", pattern, file).hasSize(1);
        return found.get(0);
    }
}

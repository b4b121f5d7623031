package io.orestes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules for names and docs that the compiler does not check, for the main sources of all modules.
 */
final class SourceRulesTest {

    /** Pattern of the doc of a type at the left margin, with its first word or two. */
    private static final Pattern DOC_OF_TYPE =
            Pattern.compile("^/\\*\\*\\s*(?:\\*\\s)?\\s*(The same|Who|As)\\b", Pattern.MULTILINE);

    private static final List<Path> ROOTS =
            List.of(Path.of("src/main/java"), Path.of("../invalidb-cluster/src/main/java"));

    @Test
    void types_haveSimpleNamesOfTheirOwn() {
        Map<Path, List<Path>> byName = sources()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getFileName));

        assertThat(byName).hasSizeGreaterThan(700);
        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    @Test
    void docsOfTypes_beginWithADefinition() {
        assertThat(sources())
                .allSatisfy(file -> assertThat(DOC_OF_TYPE.matcher(read(file)).find())
                        .as("%s begins its doc with \"The same\", \"Who\" or \"As\"", file)
                        .isFalse());
    }

    private static Stream<Path> sources() {
        return ROOTS.stream().flatMap(SourceRulesTest::filesBelow).filter(file -> file.toString()
                .endsWith(".java"));
    }

    private static Stream<Path> filesBelow(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

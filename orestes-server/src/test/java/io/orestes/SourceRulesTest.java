package io.orestes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules for names, docs and lines that neither compiler nor formatter checks. Names and docs are
 * checked in the main sources of the product's modules, lines in the sources of all modules.
 */
final class SourceRulesTest {

    private static final int MAX_FOLDER_FILES = 25;
    private static final int MAX_CODE_COLUMNS = 120;
    private static final int MAX_PROSE_COLUMNS = 100;

    /** Pattern of the doc of a type, method or field that does not begin with a definition. */
    private static final Pattern RIDDLE =
            Pattern.compile("/\\*\\*\\s*(?:\\*\\s)?\\s*(The same|Same|Who|Whose|Whom|As)\\b[^\\n]*");

    private static final Pattern PROSE = Pattern.compile("\\s*(\\*( |/|$)|/\\*|//).*");

    private static final List<Path> PRODUCT =
            List.of(Path.of("src/main/java"), Path.of("../invalidb-cluster/src/main/java"));

    private static final Path BENCHMARKS = Path.of("../tests/bench/src/main/java");

    /**
     * Folders of the benchmarks, top to bottom: a folder imports only from folders further down.
     */
    private static final List<Set<String>> BENCHMARK_FLOORS = List.of(
            Set.of("cluster", "caching", "ttl", "matching", "live", "product"), Set.of("client"), Set.of("harness"));

    private static final Pattern BENCHMARK_IMPORT =
            Pattern.compile("^import (?:static )?io\\.orestes\\.bench\\.(\\w+)\\.", Pattern.MULTILINE);

    private static final List<Path> MODULES =
            List.of(Path.of("src"), Path.of("../invalidb-cluster/src"), Path.of("../tests"));

    @Test
    void types_haveSimpleNamesOfTheirOwn() {
        Map<Path, List<Path>> byName = sources(PRODUCT)
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(Path::getFileName));

        assertThat(byName).hasSizeGreaterThan(700);
        assertThat(byName.values()).allSatisfy(files -> assertThat(files).hasSize(1));
    }

    @Test
    void docs_ofTypesAndMembers_beginWithADefinition() {
        Stream<String> riddles = sources(PRODUCT)
                .flatMap(file -> RIDDLE.matcher(read(file)).results().map(riddle -> file + ": " + riddle.group()));

        assertThat(riddles).isEmpty();
    }

    @Test
    void lines_ofCodeAndProse_fitTheirColumns() {
        List<Path> files = sources(MODULES).toList();

        assertThat(files).hasSizeGreaterThan(1_400);
        assertThat(files.stream().flatMap(SourceRulesTest::overlongLines)).isEmpty();
    }

    @Test
    void folders_ofMainSourcesAndBenchmarks_areSmall() {
        Map<Path, Long> sizes = sources(
                        Stream.concat(PRODUCT.stream(), Stream.of(BENCHMARKS)).toList())
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

        assertThat(sizes).hasSizeGreaterThan(70);
        assertThat(sizes)
                .allSatisfy((folder, files) ->
                        assertThat(files).as("files in %s", folder).isLessThanOrEqualTo(MAX_FOLDER_FILES));
    }

    /** The module of the benchmarks has no tests of its own that could read its classes. */
    @Test
    void benchmarks_ofOneSubject_importOnlyTheClientAndTheHarness() {
        assertThat(sources(List.of(BENCHMARKS.resolve("io/orestes/bench"))))
                .filteredOn(file -> !file.endsWith("Main.java"))
                .allSatisfy(file -> assertThat(foldersOfImports(file))
                        .as("folders of benchmarks that %s imports from", file)
                        .allSatisfy(folder -> assertThat(floor(folder)).isGreaterThan(floor(folderOf(file)))));
    }

    /** Returns the folders of the benchmarks, but for its own, that a file imports from. */
    private static List<String> foldersOfImports(Path file) {
        return BENCHMARK_IMPORT
                .matcher(read(file))
                .results()
                .map(line -> line.group(1))
                .filter(folder -> !folder.equals(folderOf(file)))
                .toList();
    }

    private static String folderOf(Path file) {
        return file.getParent().getFileName().toString();
    }

    private static int floor(String folder) {
        return IntStream.range(0, BENCHMARK_FLOORS.size())
                .filter(floor -> BENCHMARK_FLOORS.get(floor).contains(folder))
                .findFirst()
                .orElse(-1);
    }

    private static Stream<String> overlongLines(Path file) {
        List<String> lines = read(file).lines().toList();
        return IntStream.range(0, lines.size())
                .filter(line -> lines.get(line).length() > maxColumns(lines.get(line)))
                .mapToObj(line -> file + ":" + (line + 1));
    }

    private static int maxColumns(String line) {
        return PROSE.matcher(line).matches() ? MAX_PROSE_COLUMNS : MAX_CODE_COLUMNS;
    }

    private static Stream<Path> sources(List<Path> roots) {
        return roots.stream()
                .flatMap(SourceRulesTest::filesBelow)
                .filter(file ->
                        file.toString().endsWith(".java") && !file.toString().contains("/target/"));
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

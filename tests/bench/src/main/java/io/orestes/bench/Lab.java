package io.orestes.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where benchmarks run: the product under test and a scratch folder, which is removed at the end.
 *
 * @param root the repository
 */
record Lab(Path root, Path scratch) implements AutoCloseable {

    static Lab open() throws IOException {
        return new Lab(
                Path.of(System.getProperty("orestes.root", "."))
                        .toAbsolutePath()
                        .normalize(),
                Files.createTempDirectory("orestes-bench"));
    }

    /** A folder that does not exist yet. */
    Path folder(String purpose) throws IOException {
        return Files.createTempDirectory(scratch, purpose).resolve("data");
    }

    /** The path that {@code tests/env/<name>.sh} prints: of what benchmarks need and the product does not bring, installed if it was not there. */
    String tool(String name) throws IOException, InterruptedException {
        Process finding = new ProcessBuilder(
                        root.resolve("tests/env/" + name + ".sh").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String path = new String(finding.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (finding.waitFor() != 0) {
            throw new IOException("There is no " + name);
        }
        return path;
    }

    /** Tells whoever watches what takes so long. */
    static void say(String text) {
        System.err.println("orestes: " + text);
    }

    /** Removes a folder with everything in it, as far as it can be. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            say(folder + " could not be removed: " + e);
        }
    }

    @Override
    public void close() {
        delete(scratch);
    }
}

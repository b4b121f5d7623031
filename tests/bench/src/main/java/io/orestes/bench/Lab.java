package io.orestes.bench;

import java.io.IOException;
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

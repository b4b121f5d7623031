package io.orestes.store.embedded;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of a data directory, for tests that read and damage them. */
public final class StoreFiles {

    private final Path directory;

    public StoreFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns checksums of all files except those without data: the lock and the information logs.
     */
    public Map<String, String> checksums() {
        Map<String, String> sums = new TreeMap<>();
        for (Path file : matching(path -> !path.getFileName().toString().matches("LOCK|LOG.*"))) {
            sums.put(directory.relativize(file).toString(), checksum(file));
        }
        return sums;
    }

    /**
     * Returns the file whose name matches; if there are several, the one with the highest number.
     */
    public Path newest(String pattern) {
        List<Path> found = matching(path -> path.getFileName().toString().matches(pattern));
        return found.get(found.size() - 1);
    }

    /** Inverts some bytes in the middle of a file. */
    public static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int i = bytes.length / 2; i < bytes.length / 2 + 8; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        Files.write(file, bytes);
    }

    private List<Path> matching(Predicate<Path> isWanted) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).filter(isWanted).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String checksum(Path file) {
        try {
            return Hashing.sha256().hashBytes(Files.readAllBytes(file)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

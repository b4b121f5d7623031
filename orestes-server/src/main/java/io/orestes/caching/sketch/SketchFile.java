package io.orestes.caching.sketch;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Carries the sketch over a restart, because browsers keep what the last process handed out. A process that ends cleanly
 * leaves the file; the next one takes it away before it reports anything new, so that a file never tells of less than was
 * handed out. Where there is none, after a crash, everything counts as stale for as long as anything can be held.
 *
 * <p>Text in UTF-8: a line with the version and the two common times, then a line for each key.
 */
public final class SketchFile {

    private static final String VERSION = "orestes-sketch-1";

    private final Path path;
    private final Duration longestTtl;
    private final InstantSource clock;

    /** @param longestTtl the longest time to live that any process on this file hands out */
    public SketchFile(Path path, Duration longestTtl, InstantSource clock) {
        this.path = path;
        this.longestTtl = longestTtl;
        this.clock = clock;
    }

    /** Gives a fresh sketch what the last process knew, or else the worst assumption. Blocks on the file. */
    public void restore(StaleKeys staleKeys) {
        take().ifPresentOrElse(
                        staleKeys::restore,
                        () -> staleKeys.assumeAllStale(
                                clock.instant().plus(longestTtl).toEpochMilli()));
    }

    /** Makes {@link #restore} assume the worst, because objects changed that nobody told the sketch of. Blocks on the file. */
    public void discard() {
        try {
            boolean unused = Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves what the next process has to know; to be called when no more reads are answered. Blocks on the file. */
    public void save(StaleKeys staleKeys) {
        Path written = path.resolveSibling(path.getFileName() + ".new");
        try {
            write(written, staleKeys.memory());
            Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, StaleKeys.Memory memory) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(VERSION + " " + memory.untrackedUntilMillis() + " " + memory.allStaleUntilMillis() + "\n");
            for (StaleKeys.Memory.Key key : memory.keys()) {
                out.write(key.heldUntilMillis() + " " + key.staleUntilMillis() + " " + key.name() + "\n");
            }
        }
    }

    /** What cannot be read is as good as absent: the assumption that replaces it is safe. */
    private Optional<StaleKeys.Memory> take() {
        try {
            List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
            Files.delete(path);
            return parse(lines);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<StaleKeys.Memory> parse(List<String> lines) {
        String[] head = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
        if (head.length != 3 || !head[0].equals(VERSION)) {
            return Optional.empty();
        }
        List<StaleKeys.Memory.Key> keys =
                lines.stream().skip(1).map(SketchFile::parseKey).toList();
        return Optional.of(new StaleKeys.Memory(Long.parseLong(head[1]), Long.parseLong(head[2]), keys));
    }

    private static StaleKeys.Memory.Key parseKey(String line) {
        String[] parts = line.split(" ", 3);
        if (parts.length < 3) {
            throw new NumberFormatException("cut off");
        }
        return new StaleKeys.Memory.Key(parts[2], Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }
}

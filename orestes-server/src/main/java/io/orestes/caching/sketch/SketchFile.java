package io.orestes.caching.sketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The file that carries the sketch over a restart, because browsers retain the copies that the last
 * process sent. A process that ends cleanly writes the file. The next process deletes it before it
 * reports anything new, so that the file never covers less than was sent. Without a file, after a
 * crash, everything counts as stale for as long as any copy can live. A second file, {@link
 * PersistedLifetimeBounds}, stores that time. Before a process sends any copy, the second file is
 * on the disk and the first is deleted from it.
 *
 * <p>The format is text in UTF-8: a line with the version, the two common times and the number of
 * keys, then a line for each key.
 */
public final class SketchFile {

    private static final String VERSION = "orestes-sketch-2";

    private final Path path;
    private final Path lifetimesFile;
    private final Duration longestTtl;
    private final InstantSource clock;

    /** @param longestTtl the longest time to live that this process grants */
    public SketchFile(Path path, Duration longestTtl, InstantSource clock) {
        this.path = path;
        this.lifetimesFile = path.resolveSibling(path.getFileName() + ".lives");
        this.longestTtl = longestTtl;
        this.clock = clock;
    }

    /**
     * Restores a fresh sketch from the contents of the last process, or else marks all as stale.
     * Blocks on the file.
     */
    public void restore(StaleKeys staleKeys) {
        long now = clock.millis();
        PersistedLifetimeBounds last = lastLives();
        Optional<SketchContents> memory = readAndDelete();
        write(lifetimesFile, last.next(longestTtl.toMillis(), now).line());
        memory.ifPresentOrElse(staleKeys::restore, () -> staleKeys.assumeAllStale(last.endMillis(now)));
    }

    /** Returns the stored lifetimes. Without a valid file it assumes a process like this one. */
    private PersistedLifetimeBounds lastLives() {
        try {
            return PersistedLifetimeBounds.parse(Files.readString(lifetimesFile))
                    .orElse(PersistedLifetimeBounds.first(longestTtl.toMillis()));
        } catch (IOException e) {
            return PersistedLifetimeBounds.first(longestTtl.toMillis());
        }
    }

    /**
     * Makes {@link #restore} mark all as stale, because objects changed without a report to the
     * sketch. Blocks on the file.
     */
    public void discard() {
        try {
            boolean unused = Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stores the sketch for the next process; to be called when no more reads are answered. Blocks
     * on the file.
     */
    public void save(StaleKeys staleKeys) {
        write(path, text(staleKeys.contents()));
    }

    private static String text(SketchContents contents) {
        StringBuilder text = new StringBuilder(VERSION)
                .append(' ')
                .append(contents.untrackedUntilMillis())
                .append(' ')
                .append(contents.allStaleUntilMillis())
                .append(' ')
                .append(contents.keys().size())
                .append('\n');
        contents.keys().forEach(key -> text.append(key.cachedUntilMillis())
                .append(' ')
                .append(key.staleUntilMillis())
                .append(' ')
                .append(key.name())
                .append('\n'));
        return text.toString();
    }

    /** Writes the file atomically; it is on the disk when this returns. */
    private static void write(Path file, String text) {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(written, text);
            sync(written, StandardOpenOption.WRITE);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            syncFolderOf(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void syncFolderOf(Path file) throws IOException {
        sync(file.toAbsolutePath().resolveSibling("."), StandardOpenOption.READ);
    }

    private static void sync(Path path, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    }

    /**
     * Reads and deletes the file. An unreadable file counts as absent, because its replacement by
     * the worst assumption is safe.
     */
    private Optional<SketchContents> readAndDelete() {
        try {
            List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
            Files.delete(path);
            syncFolderOf(path);
            return parse(lines);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<SketchContents> parse(List<String> lines) {
        String[] head = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
        if (head.length != 4 || !head[0].equals(VERSION) || Long.parseLong(head[3]) != lines.size() - 1) {
            return Optional.empty();
        }
        List<SketchContents.SketchEntry> keys =
                lines.stream().skip(1).map(SketchFile::parseKey).toList();
        return Optional.of(new SketchContents(Long.parseLong(head[1]), Long.parseLong(head[2]), keys));
    }

    private static SketchContents.SketchEntry parseKey(String line) {
        String[] parts = line.split(" ", 3);
        if (parts.length < 3) {
            throw new NumberFormatException("cut off");
        }
        long heldUntil = Long.parseLong(parts[0]);
        return new SketchContents.SketchEntry(parts[2], heldUntil, Long.parseLong(parts[1]), heldUntil);
    }
}

package io.orestes.store.embedded.database;

import io.orestes.store.embedded.database.StoreOpenException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The data directory of the store: a marker file with the format's version beside the database. The
 * marker is the file {@code ORESTES}, which contains the format and marks the directory as a
 * store's. It has another name until the database is created completely. So a start that was cut
 * short can be repeated, while a directory that lost its database is never taken for a new one.
 */
public final class DataDirectory {

    static final String MARKER = "ORESTES";
    static final String DATABASE = "objects";

    private static final String UNFINISHED_MARKER = "ORESTES.creating";
    private static final int FORMAT = 1;
    private static final Pattern FORMAT_LINE = Pattern.compile("orestes-store ([0-9]{1,9})\n");

    private final EmbeddedStoreConfig config;
    private final Path directory;

    public DataDirectory(EmbeddedStoreConfig config) {
        this.config = config;
        this.directory = config.directory();
    }

    /** Opens the database in the directory, and creates it if the directory is absent or empty. */
    public RocksDatabase open() {
        if (Files.exists(directory.resolve(MARKER))) {
            checkFormat();
            return openDatabase(false);
        }
        prepare();
        RocksDatabase rocksDatabase = openDatabase(true);
        finish();
        return rocksDatabase;
    }

    private void checkFormat() {
        Matcher line = FORMAT_LINE.matcher(readMarker());
        if (!line.matches()) {
            throw failure(
                    Reason.NOT_A_STORE, "has a file " + MARKER + " that is not a store's; choose another directory");
        }
        if (Integer.parseInt(line.group(1)) > FORMAT) {
            throw failure(Reason.NEWER_FORMAT, "was written by a newer version; start that version");
        }
    }

    private String readMarker() {
        try {
            return Files.readString(directory.resolve(MARKER));
        } catch (IOException e) {
            throw new StoreOpenException(Reason.UNWRITABLE, directory, "cannot be read", e);
        }
    }

    private void prepare() {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw failure(Reason.NOT_A_STORE, "is a file; choose another path");
        }
        try {
            Files.createDirectories(directory);
            requireEmpty();
            Files.writeString(directory.resolve(UNFINISHED_MARKER), "orestes-store " + FORMAT + "\n");
        } catch (IOException e) {
            throw new StoreOpenException(Reason.UNWRITABLE, directory, "cannot be written", e);
        }
    }

    private void requireEmpty() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            if (!Files.exists(directory.resolve(UNFINISHED_MARKER))
                    && files.findAny().isPresent()) {
                throw failure(Reason.NOT_A_STORE, "is not empty and not a store; choose another directory");
            }
        }
    }

    private void finish() {
        try {
            Files.move(directory.resolve(UNFINISHED_MARKER), directory.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new StoreOpenException(Reason.UNWRITABLE, directory, "cannot be written", e);
        }
    }

    private RocksDatabase openDatabase(boolean create) {
        if (!Files.isWritable(directory)) {
            throw failure(Reason.UNWRITABLE, "cannot be written");
        }
        try {
            return RocksDatabase.open(directory.resolve(DATABASE), config, create);
        } catch (RocksDBException e) {
            throw explain(e);
        }
    }

    private StoreOpenException explain(RocksDBException e) {
        String text = String.valueOf(e.getMessage());
        if (text.contains("lock hold by current process") || text.contains("While lock file")) {
            return new StoreOpenException(Reason.LOCKED, directory, "is in use by another server", e);
        }
        if (isIoError(e)
                && (text.contains("Permission denied") || text.contains("No space") || text.contains("Read-only"))) {
            return new StoreOpenException(Reason.UNWRITABLE, directory, "cannot be written", e);
        }
        return new StoreOpenException(
                Reason.CORRUPTED, directory, "is damaged; nothing was changed, restore it from a backup", e);
    }

    private static boolean isIoError(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.IOError;
    }

    private StoreOpenException failure(Reason reason, String message) {
        return new StoreOpenException(reason, directory, message);
    }
}

package io.orestes.store.embedded.database;

import java.nio.file.Path;

/**
 * A failure to open the embedded store because its data directory cannot be used. Nothing in it was
 * changed; the message names it and the remedy.
 */
public final class StoreOpenException extends RuntimeException {

    /** The reason why a data directory cannot be used. */
    public enum Reason {
        /** Another process, or another store of this one, has it open. */
        LOCKED,
        /** Its files are damaged or incomplete. */
        CORRUPTED,
        /** The directory contains files, but no store. */
        NOT_A_STORE,
        /** A later version of this program wrote the directory. */
        NEWER_FORMAT,
        /** The directory cannot be created or written. */
        UNWRITABLE
    }

    private final Reason reason;

    StoreOpenException(Reason reason, Path directory, String message) {
        super("Data directory " + directory + " " + message);
        this.reason = reason;
    }

    public StoreOpenException(Reason reason, Path directory, String message, Throwable cause) {
        this(reason, directory, message + " (" + cause.getMessage() + ")");
        initCause(cause);
    }

    public Reason reason() {
        return reason;
    }
}

package io.orestes.auth;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.jna.Native;
import com.sun.jna.Platform;

/**
 * Makes threads stand back when others have something to do: Java's own priorities mean nothing on Linux without a flag that
 * changes those of the JVM's threads, too. There setpriority(2) is about one thread; on other systems it is about the whole
 * process, and nothing happens.
 */
final class Niceness {

    /** A tenth of the processor where other threads want all of it, so that nobody waits for ever. */
    private static final int NICE = 10;

    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;
    private static final boolean KNOWN = Platform.isLinux();

    static {
        if (KNOWN) {
            Native.register(Niceness.class, Platform.C_LIBRARY_NAME);
        }
    }

    private Niceness() {}

    /** Has the calling thread stand back from now on: an unprivileged thread cannot undo it. */
    static void standBack() {
        if (KNOWN) {
            setpriority(PRIO_PROCESS, THIS_THREAD, NICE);
        }
    }

    @CanIgnoreReturnValue
    private static native int setpriority(int which, int who, int value);
}

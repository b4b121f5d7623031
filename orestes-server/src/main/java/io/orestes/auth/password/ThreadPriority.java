package io.orestes.auth.password;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;

/**
 * The operating system priority of threads, lowered by {@code setpriority} and {@code
 * sched_setattr} on Linux. Java's own priorities have no effect on Linux without a flag that
 * changes those of the JVM's threads, too. On Linux {@code setpriority(2)} applies to one thread.
 * On other systems it applies to the whole process, so this class does nothing there.
 */
final class ThreadPriority {

    /**
     * Increment of niceness over that of the process. It leaves a tenth of the processor where
     * other threads of the process use all of it, so that no caller waits for ever.
     */
    private static final int NICE_INCREMENT = 10;

    private static final int MAX_NICE = 19;

    /**
     * Time slice, the maximum that the kernel accepts. From 6.12 on, a thread runs to the end of
     * its slice unless one with a shorter slice wakes up. Earlier kernels wake threads up by their
     * niceness, and ignore it.
     */
    private static final Duration SLICE = Duration.ofMillis(100);

    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_IDLE = 5;
    /** Size in bytes of the first version of sched_attr, which every kernel supports. */
    private static final int ATTRIBUTES = 48;

    /**
     * Number of the system call sched_setattr(2) by architecture; few C libraries have a function
     * for it.
     */
    private static final Map<String, Integer> SCHED_SETATTR = Map.of("x86-64", 314, "aarch64", 274);

    private static final boolean KNOWN = Platform.isLinux();

    static {
        if (KNOWN) {
            Native.register(ThreadPriority.class, Platform.C_LIBRARY_NAME);
        }
    }

    private ThreadPriority() {}

    /** Lowers the priority of the calling thread; an unprivileged thread cannot undo it. */
    static void lower() {
        lower(SCHED_OTHER);
    }

    /**
     * Lowers the calling thread to idle priority: every other thread that wakes up preempts it,
     * whatever the slices. It gets three in a thousand where one other thread uses all of a
     * processor, so its callers wait with a deadline, or not at all.
     */
    static void lowerToIdle() {
        lower(SCHED_IDLE);
    }

    private static void lower(int policy) {
        if (KNOWN) {
            int nice = Math.min(getpriority(PRIO_PROCESS, THIS_THREAD) + NICE_INCREMENT, MAX_NICE);
            setpriority(PRIO_PROCESS, THIS_THREAD, nice);
            Integer number = SCHED_SETATTR.get(Platform.ARCH);
            if (number != null) {
                syscall(number, THIS_THREAD, attributes(policy, nice), 0);
            }
        }
    }

    private static byte[] attributes(int policy, int nice) {
        return ByteBuffer.allocate(ATTRIBUTES)
                .order(ByteOrder.nativeOrder())
                .putInt(ATTRIBUTES)
                .putInt(policy)
                .putLong(0)
                .putInt(nice)
                .putInt(0)
                .putLong(SLICE.toNanos())
                .array();
    }

    private static native int getpriority(int which, int who);

    @CanIgnoreReturnValue
    private static native int setpriority(int which, int who, int value);

    @CanIgnoreReturnValue
    private static native long syscall(long number, int thread, byte[] attributes, int flags);
}

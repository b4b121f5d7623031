package io.orestes.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class LowPriorityArgon2Test {

    private static final int OFFSET_OF_NICE = 16;
    private static final int OFFSET_OF_POLICY = 38;
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_IDLE = 5;

    private static final Duration NONE = Duration.ZERO;
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofHours(1);

    private static final String IDLE = "orestes-idle";
    private static final String FAIR = "orestes-hashes";
    private static final byte[] SALT = new byte[16];
    private static final byte[] HASH = new JavaArgon2().hash(SALT, SALT, 64, 1);

    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isFirst = new AtomicBoolean(true);
    private final CountDownLatch processorsAreFree = new CountDownLatch(1);

    @AfterEach
    void freeProcessors() {
        processorsAreFree.countDown();
    }

    @Test
    void hash_isThatOfTheOther_madeOnceByAThreadForIdleProcessors() {
        Argon2 argon = new LowPriorityArgon2(this::noted, LONG, NONE);

        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        assertThat(threads).containsExactly(IDLE, IDLE);
    }

    @Test
    void hash_whileOthersKeepAllProcessors_isMadeByAThreadWithAShareOfThem() {
        Argon2 argon = new LowPriorityArgon2(this::heldUpWhenIdle, SHORT, NONE);

        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        assertThat(threads).containsExactly(FAIR, FAIR);
    }

    @Test
    void hash_afterOneThatCameTooLate_isMadeBySuchAThreadAtOnce() {
        Argon2 argon = new LowPriorityArgon2(this::heldUpOnce, SHORT, LONG);
        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        processorsAreFree.countDown();

        for (int i = 0; i < 10; i++) {
            assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        }
        assertThat(threads).filteredOn(IDLE::equals).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void hash_onLinux_isMadeByTheOnlyLowPriorityThreads() throws Exception {
        int own = known(Path.of("/proc/thread-self")).orElseThrow().nice;
        Argon2 argon = new LowPriorityArgon2(this::heldUpWhenIdle, SHORT, NONE);

        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);

        assertThat(known())
                .filteredOn(thread -> thread.name.equals(FAIR))
                .isNotEmpty()
                .allMatch(thread -> thread.nice == Math.min(own + 10, 19) && thread.policy == SCHED_OTHER);
        assertThat(known())
                .filteredOn(thread -> !thread.name.equals(IDLE) && !thread.name.equals(FAIR))
                .allMatch(thread -> thread.nice == own && thread.policy == SCHED_OTHER);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void hash_onLinuxWhileProcessorsAreIdle_isMadeByAnIdlePriorityThread() {
        List<Integer> policies = new CopyOnWriteArrayList<>();
        Argon2 argon = new LowPriorityArgon2(
                (password, salt, memoryKib, passes) -> {
                    known(Path.of("/proc/thread-self")).ifPresent(thread -> policies.add(thread.policy));
                    return HASH;
                },
                LONG,
                NONE);

        assertThat(argon.hash(SALT, SALT, 64, 1)).isEqualTo(HASH);
        assertThat(policies).containsExactly(SCHED_IDLE);
    }

    private byte[] heldUpOnce(byte[] password, byte[] salt, int memoryKib, int passes) {
        return isFirst.getAndSet(false)
                ? heldUpWhenIdle(password, salt, memoryKib, passes)
                : noted(password, salt, memoryKib, passes);
    }

    private byte[] heldUpWhenIdle(byte[] password, byte[] salt, int memoryKib, int passes) {
        if (Thread.currentThread().getName().equals(IDLE)) {
            awaitProcessor();
        }
        return noted(password, salt, memoryKib, passes);
    }

    private void awaitProcessor() {
        try {
            processorsAreFree.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private byte[] noted(byte[] password, byte[] salt, int memoryKib, int passes) {
        threads.add(Thread.currentThread().getName());
        return new JavaArgon2().hash(password, salt, memoryKib, passes);
    }

    private record ThreadStat(String name, int nice, int policy) {}

    private static List<ThreadStat> known() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.flatMap(thread -> known(thread).stream()).toList();
        }
    }

    /**
     * Parses the thread's stat line, in which the name in brackets may contain blanks (proc(5));
     * empty if the thread has ended.
     */
    private static Optional<ThreadStat> known(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            int end = line.lastIndexOf(')');
            String[] rest = line.substring(end + 2).split(" ", -1);
            return Optional.of(new ThreadStat(
                    line.substring(line.indexOf('(') + 1, end),
                    Integer.parseInt(rest[OFFSET_OF_NICE]),
                    Integer.parseInt(rest[OFFSET_OF_POLICY])));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}

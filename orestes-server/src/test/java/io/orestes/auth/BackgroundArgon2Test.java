package io.orestes.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class BackgroundArgon2Test {

    private static final int OFFSET_OF_NICE = 16;

    private final Argon2 argon = new BackgroundArgon2(new JavaArgon2());

    @Test
    void hash_isThatOfTheOther() {
        byte[] salt = new byte[16];

        assertThat(argon.hash(salt, salt, 64, 1)).isEqualTo(new JavaArgon2().hash(salt, salt, 64, 1));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void hash_onLinux_isMadeByTheOnlyThreadsThatStandBack() throws IOException {
        byte[] hash = argon.hash(new byte[1], new byte[16], 64, 1);

        assertThat(hash).isNotEmpty();
        assertThat(threads()).filteredOn(thread -> thread.nice == 10).isNotEmpty();
        assertThat(threads()).allMatch(thread -> thread.nice == 10 == thread.name.equals("orestes-hashes"));
    }

    private record Known(String name, int nice) {}

    private static List<Known> threads() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.flatMap(thread -> known(thread).stream()).toList();
        }
    }

    /** From the thread's line, of which the name in brackets may hold blanks (proc(5)); empty if it has ended. */
    private static Optional<Known> known(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            int end = line.lastIndexOf(')');
            String[] rest = line.substring(end + 2).split(" ", -1);
            return Optional.of(
                    new Known(line.substring(line.indexOf('(') + 1, end), Integer.parseInt(rest[OFFSET_OF_NICE])));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}

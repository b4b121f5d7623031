package io.orestes.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class Argon2Test {

    private static final int SALT_BYTES = 16;

    private final Argon2 fastest = Argon2.fastest();
    private final Argon2 java = new JavaArgon2();

    @Test
    void fastest_whereWeBuild_isNative() {
        assertThat(Argon2.fastest()).isNotInstanceOf(JavaArgon2.class);
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /**
     * Uses random costs and passwords; a quarter of the salts are too short for the native library.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void hash_anything_isTheSameFromBothLibraries(long seed) {
        Random random = new Random(seed);
        byte[] password = bytes(random, seed == 0 ? 0 : random.nextInt(1024));
        byte[] salt = bytes(random, seed % 4 == 3 ? 8 + random.nextInt(8) : SALT_BYTES);
        int memoryKib = 8 + random.nextInt(1000);
        int passes = 1 + random.nextInt(5);

        byte[] hash = fastest.hash(password, salt, memoryKib, passes);

        assertThat(hash).isEqualTo(java.hash(password, salt, memoryKib, passes)).hasSize(Argon2.HASH_BYTES);
    }

    @Test
    void hash_withTheCostOfTheProduct_isTheSameFromBothLibraries() {
        byte[] salt = bytes(new Random(1), SALT_BYTES);
        AuthConfig cost = AuthConfig.DEFAULT;

        assertThat(fastest.hash(salt, salt, cost.argonMemoryKib(), cost.argonPasses()))
                .isEqualTo(java.hash(salt, salt, cost.argonMemoryKib(), cost.argonPasses()));
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}

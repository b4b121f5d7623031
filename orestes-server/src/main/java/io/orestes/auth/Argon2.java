package io.orestes.auth;

/**
 * Argon2id, version 1.3, with one lane (RFC 9106): the function behind {@link PasswordHash}. All of
 * them give the same hashes. Safe for all threads; takes tens of milliseconds.
 */
interface Argon2 {

    int HASH_BYTES = 32;

    /** The hash of a password, {@link #HASH_BYTES} long. */
    byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes);

    /** The fastest one this machine has. The first call loads libraries: not for event loops. */
    static Argon2 fastest() {
        return Fastest.FOUND;
    }

    /** Found when first asked for. */
    final class Fastest {

        /**
         * In Java it keeps its thread: one that rarely runs there would hold up every collection of
         * garbage.
         */
        private static final Argon2 IN_JAVA = new JavaArgon2();

        private static final Argon2 FOUND =
                SodiumArgon2.load().map(Fastest::inBackground).orElse(IN_JAVA);

        private static Argon2 inBackground(Argon2 sodium) {
            Argon2 background = new LowPriorityArgon2(sodium);
            return (password, salt, memoryKib, passes) -> (salt.length == SodiumArgon2.SALT_BYTES
                            ? background
                            : IN_JAVA)
                    .hash(password, salt, memoryKib, passes);
        }

        private Fastest() {}
    }
}

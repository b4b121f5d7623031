package io.orestes.auth.password;

/**
 * Argon2id, version 1.3, with one lane (RFC 9106): the function behind {@link PasswordHash}. All
 * implementations compute equal hashes. Safe for all threads; a hash takes tens of milliseconds.
 */
interface Argon2 {

    int HASH_BYTES = 32;

    /** Returns the hash of a password, {@link #HASH_BYTES} long. */
    byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes);

    /**
     * Returns the fastest implementation that this machine supports. The first call loads
     * libraries: not for event loops.
     */
    static Argon2 fastest() {
        return FastestHolder.FOUND;
    }

    /** Holder of the fastest implementation, selected on first use. */
    final class FastestHolder {

        /**
         * Implementation in Java. It runs on the calling thread: on a low-priority thread, which
         * rarely runs, it would delay every garbage collection.
         */
        private static final Argon2 IN_JAVA = new JavaArgon2();

        private static final Argon2 FOUND =
                SodiumArgon2.load().map(FastestHolder::inBackground).orElse(IN_JAVA);

        private static Argon2 inBackground(Argon2 sodium) {
            Argon2 background = new LowPriorityArgon2(sodium);
            return (password, salt, memoryKib, passes) -> (salt.length == SodiumArgon2.SALT_BYTES
                            ? background
                            : IN_JAVA)
                    .hash(password, salt, memoryKib, passes);
        }

        private FastestHolder() {}
    }
}

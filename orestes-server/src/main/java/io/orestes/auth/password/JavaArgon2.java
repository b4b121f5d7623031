package io.orestes.auth.password;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * The implementation of Argon2id in Java, which runs on all machines. Every hash allocates its
 * memory on the heap.
 */
record JavaArgon2() implements Argon2 {

    @Override
    public byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withSalt(salt)
                .withMemoryAsKB(memoryKib)
                .withIterations(passes)
                .withParallelism(1)
                .build());
        byte[] hash = new byte[HASH_BYTES];
        generator.generateBytes(password, hash);
        return hash;
    }
}

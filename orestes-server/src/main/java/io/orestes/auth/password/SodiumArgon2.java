package io.orestes.auth.password;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Platform;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Argon2id by libsodium, which uses the vector instructions of the processor and allocates its
 * memory outside of the heap. It takes salts of 16 bytes only.
 */
final class SodiumArgon2 implements Argon2 {

    static final int SALT_BYTES = 16;

    /** The algorithm {@code crypto_pwhash_ALG_ARGON2ID13}. */
    private static final int ARGON2ID = 2;

    /** Paths of the library in {@code lazysodium-java}, by JNA's name of a platform. */
    private static final Map<String, String> RESOURCES = Map.of(
            "linux-x86-64", "/linux64/libsodium.so",
            "linux-aarch64", "/arm64/libsodium.so",
            "darwin-x86-64", "/mac/libsodium.dylib",
            "darwin-aarch64", "/mac_arm/libsodium.dylib");

    private SodiumArgon2() {}

    /** Loads the library; empty if there is none for this machine, or it cannot be loaded. */
    static Optional<Argon2> load() {
        try {
            Native.register(Sodium.class, library());
            return Sodium.sodium_init() < 0 ? Optional.empty() : Optional.of(new SodiumArgon2());
        } catch (IOException | LinkageError notHere) {
            return Optional.empty();
        }
    }

    @Override
    public byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        if (salt.length != SALT_BYTES) {
            throw new IllegalArgumentException("A salt of " + salt.length + " bytes");
        }
        byte[] hash = new byte[HASH_BYTES];
        NativeLong memory = new NativeLong(1024L * memoryKib);
        int failure =
                Sodium.crypto_pwhash(hash, hash.length, password, password.length, salt, passes, memory, ARGON2ID);
        if (failure != 0) {
            throw new IllegalStateException("There is no memory for a password hash");
        }
        return hash;
    }

    /** Returns the library that the launcher unpacked, else unpacks it now. */
    private static NativeLibrary library() throws IOException {
        Path unpacked = Path.of(System.getProperty("jna.boot.library.path", ""), System.mapLibraryName("sodium"));
        File file = Files.exists(unpacked) ? unpacked.toFile() : unpack();
        return NativeLibrary.getInstance(file.getAbsolutePath());
    }

    private static File unpack() throws IOException {
        String resource = RESOURCES.get(Platform.RESOURCE_PREFIX);
        if (resource == null) {
            throw new IOException("No library for " + Platform.RESOURCE_PREFIX);
        }
        return Native.extractFromResourcePath(resource, SodiumArgon2.class.getClassLoader());
    }

    /** The functions of the library. */
    private static final class Sodium {

        static native int sodium_init();

        static native int crypto_pwhash(
                byte[] out,
                long outLength,
                byte[] password,
                long passwordLength,
                byte[] salt,
                long passes,
                NativeLong memoryBytes,
                int algorithm);
    }
}

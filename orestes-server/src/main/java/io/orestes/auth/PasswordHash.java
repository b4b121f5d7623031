package io.orestes.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A password as it is kept: Argon2id (RFC 9106) in PHC string form, so that every hash says itself how it was made. Making
 * and checking one takes tens of milliseconds: not for event loops.
 *
 * @param text {@code $argon2id$v=19$m=<KiB>,t=<passes>,p=1$<salt>$<hash>}
 */
record PasswordHash(String text) {

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORM =
            Pattern.compile("\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=1\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

    /** Hashes a password with a fresh salt. */
    static PasswordHash of(String password, AuthConfig config, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        byte[] hash = argon(password, salt, config.argonMemoryKib(), config.argonPasses());
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return new PasswordHash("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"
                .formatted(
                        config.argonMemoryKib(),
                        config.argonPasses(),
                        base64.encodeToString(salt),
                        base64.encodeToString(hash)));
    }

    /** Whether it is the hash of that password; takes the same time either way. */
    boolean matches(String password) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("A stored password hash is damaged");
        }
        byte[] salt = Base64.getDecoder().decode(parts.group(3));
        byte[] actual = argon(password, salt, Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        return MessageDigest.isEqual(Base64.getDecoder().decode(parts.group(4)), actual);
    }

    private static byte[] argon(String password, byte[] salt, int memoryKib, int passes) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withSalt(salt)
                .withMemoryAsKB(memoryKib)
                .withIterations(passes)
                .withParallelism(1)
                .build());
        byte[] hash = new byte[HASH_BYTES];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }
}

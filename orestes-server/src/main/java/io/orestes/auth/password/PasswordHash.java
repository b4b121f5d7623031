package io.orestes.auth.password;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A password hash by Argon2id (RFC 9106) in PHC string form. The form contains the parameters of
 * each hash. Computing or checking one takes tens of milliseconds: not for event loops.
 *
 * @param text {@code $argon2id$v=19$m=<KiB>,t=<passes>,p=1$<salt>$<hash>}
 */
public record PasswordHash(String text) {

    private static final int SALT_BYTES = 16;
    private static final Pattern FORM =
            Pattern.compile("\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=1\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

    /** Hashes a password with a fresh salt. */
    static PasswordHash of(String password, AuthConfig config, SecureRandom random, Argon2 argon) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        byte[] hash = argon.hash(utf8(password), salt, config.argonMemoryKib(), config.argonPasses());
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return new PasswordHash("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s"
                .formatted(
                        config.argonMemoryKib(),
                        config.argonPasses(),
                        base64.encodeToString(salt),
                        base64.encodeToString(hash)));
    }

    /** Returns whether this is the hash of the password; takes equal time either way. */
    boolean matches(String password, Argon2 argon) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalStateException("A stored password hash is damaged");
        }
        byte[] salt = Base64.getDecoder().decode(parts.group(3));
        byte[] actual =
                argon.hash(utf8(password), salt, Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        return MessageDigest.isEqual(Base64.getDecoder().decode(parts.group(4)), actual);
    }

    private static byte[] utf8(String password) {
        return password.getBytes(StandardCharsets.UTF_8);
    }
}

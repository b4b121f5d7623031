package io.orestes.auth.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A random one-time token that authorises the setting of the first root password. Only its hash is
 * stored, and only in memory. Safe for all threads.
 */
final class SetupToken {

    private static final int BYTES = 32;

    private final AtomicReference<byte @Nullable []> expected = new AtomicReference<>();

    /** Issues a new token; an earlier one becomes invalid. */
    String issue() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        expected.set(hash(token));
        return token;
    }

    /**
     * Returns whether the token is valid and unused, and uses it up; of concurrent callers one gets
     * true.
     */
    boolean consume(String token) {
        byte[] hash = expected.get();
        return hash != null && MessageDigest.isEqual(hash, hash(token)) && expected.compareAndSet(hash, null);
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}

package io.orestes.transaction;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The issuer and verifier of transaction ids, which contain their expiry and a message
 * authentication code. An id begins with 12 hexadecimal digits for the time until which it may be
 * committed, in milliseconds since 1970. Then come 16 random digits, and 32 of a code over both and
 * over the caller that began it (HMAC-SHA-256, RFC 2104). Any server with the secret can
 * distinguish these ids from made-up ones. Thread-safe.
 */
public final class TransactionIds {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int TIME = 12;
    private static final int RANDOM_BYTES = 8;
    private static final int CODE_BYTES = 16;
    private static final int HEAD = TIME + 2 * RANDOM_BYTES;
    private static final HexFormat HEX = HexFormat.of();

    private final SecretKeySpec secret;
    private final Duration timeout;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param secret secret that only the servers of the group know
     * @param timeout time for which a transaction may stay open
     */
    public TransactionIds(byte[] secret, Duration timeout, InstantSource clock) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
        this.timeout = timeout;
        this.clock = clock;
    }

    String next(Principal principal) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        String head = HEX.toHexDigits(clock.millis() + timeout.toMillis(), TIME) + HEX.formatHex(bytes);
        return head + code(head, principal);
    }

    /**
     * Fails with {@code TRANSACTION_INACTIVE} unless the id was issued to this principal by any
     * server of the group and has not expired.
     */
    void require(String tid, Principal principal) {
        requireAuthentic(tid, principal);
        if (isExpired(tid)) {
            throw inactive();
        }
    }

    /** Fails as {@link #require} does, but also accepts an expired id. */
    void requireAuthentic(String tid, Principal principal) {
        if (!isAuthentic(tid, principal)) {
            throw inactive();
        }
    }

    /** True if an authentic id has expired, so that it cannot be committed. */
    boolean isExpired(String tid) {
        return HexFormat.fromHexDigitsToLong(tid, 0, TIME) <= clock.millis();
    }

    ApiException inactive() {
        return new ApiException(
                ErrorCode.TRANSACTION_INACTIVE,
                "The transaction is unknown, somebody else's, has ended, or was open for longer than "
                        + timeout.toSeconds() + " s");
    }

    private boolean isAuthentic(String tid, Principal principal) {
        return tid.length() == HEAD + 2 * CODE_BYTES
                && MessageDigest.isEqual(
                        tid.substring(HEAD).getBytes(StandardCharsets.UTF_8),
                        code(tid.substring(0, HEAD), principal).getBytes(StandardCharsets.UTF_8));
    }

    /** Computes the code over the user only, because roles may change meanwhile. */
    private String code(String head, Principal principal) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            byte[] code = mac.doFinal(
                    ("transaction " + head + " " + principal.user().orElse("")).getBytes(StandardCharsets.UTF_8));
            return HEX.formatHex(code, 0, CODE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}

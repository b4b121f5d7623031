package io.orestes.auth;

import io.orestes.model.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Session tokens (protocol §5.1): time of issue and expiry as eight hex digits each, the user's key in base64url, the mark
 * of the user's password, and 40 hex digits of HMAC-SHA1 over all that with the server's secret. Stateless, safe for all
 * threads.
 */
public final class TokenService {

    private static final String ALGORITHM = "HmacSHA1";
    private static final int TIMES = 16;
    private static final int SIGNATURE = 40;
    private static final int MARK = 10;
    private static final int MAX_LENGTH = 4096;
    private static final long LAST_SECOND = 0xffff_ffffL;
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{16}");
    private static final Duration RENEWAL_AGE = Duration.ofSeconds(1);

    private final SecretKeySpec secret;
    private final Duration lifetime;
    private final InstantSource clock;

    /** @param secret at least 16 random bytes, the same on all servers that share users */
    public TokenService(byte[] secret, Duration lifetime, InstantSource clock) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /** A token for a user who has just proven to be that user; it is worth nothing once the password is another one. */
    public String issue(ObjectRef user, Optional<PasswordHash> password) {
        return issue(user, mark(password));
    }

    /** Another token for the user of a session that was verified. */
    String reissue(Session session) {
        return issue(session.user(), session.mark());
    }

    /** Stands for a password in tokens, without telling anything about it: the beginning of a MAC over its salted hash. */
    String mark(Optional<PasswordHash> password) {
        return sign(password.map(PasswordHash::text).orElse("")).substring(0, MARK);
    }

    private String issue(ObjectRef user, String mark) {
        long now = clock.instant().getEpochSecond();
        return token(user, mark, now, now + lifetime.toSeconds());
    }

    /**
     * A successor for the token of a session, to be sent along with a successful answer; empty while the token is younger
     * than a second. It never expires earlier than its predecessor.
     */
    public Optional<String> renew(Session session) {
        Instant now = clock.instant();
        if (now.isBefore(session.created().plus(RENEWAL_AGE))) {
            return Optional.empty();
        }
        long expires = Math.max(
                now.getEpochSecond() + lifetime.toSeconds(), session.expires().getEpochSecond());
        return Optional.of(token(session.user(), session.mark(), now.getEpochSecond(), expires));
    }

    /** The session behind a token, whose mark is still to be compared; empty for everything that was not issued here or has expired. Never throws. */
    public Optional<Session> verify(String token) {
        if (token.length() < TIMES + MARK + SIGNATURE || token.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String data = token.substring(0, token.length() - SIGNATURE);
        byte[] given = token.substring(data.length()).getBytes(StandardCharsets.UTF_8);
        boolean isOurs = MessageDigest.isEqual(given, sign(data).getBytes(StandardCharsets.US_ASCII));
        return isOurs ? session(data).filter(session -> clock.instant().isBefore(session.expires())) : Optional.empty();
    }

    private String token(ObjectRef user, String mark, long created, long expires) {
        String key = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(user.key().getBytes(StandardCharsets.UTF_8));
        String data = "%08x%08x%s%s".formatted(created, Math.min(expires, LAST_SECOND), key, mark);
        return data + sign(data);
    }

    private static Optional<Session> session(String data) {
        if (!HEX.matcher(data.substring(0, TIMES)).matches()) {
            return Optional.empty();
        }
        int mark = data.length() - MARK;
        return user(data.substring(TIMES, mark))
                .map(user -> new Session(
                        user, instant(data.substring(0, 8)), instant(data.substring(8, TIMES)), data.substring(mark)));
    }

    private static Optional<ObjectRef> user(String payload) {
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(payload), StandardCharsets.UTF_8))
                    .filter(ObjectRef::isKey)
                    .map(key -> new ObjectRef(Users.BUCKET, key));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static Instant instant(String hexSeconds) {
        return Instant.ofEpochSecond(HexFormat.fromHexDigitsToLong(hexSeconds));
    }

    private String sign(String data) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return HexFormat.of().formatHex(mac.doFinal(data.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}

package io.orestes.auth.token;

import io.orestes.auth.password.Credential;
import io.orestes.model.ObjectRef;
import io.orestes.model.UriComponent;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The service that issues and verifies signed tokens (protocol §5.1, §5.9). A token is a
 * {@link TokenPayloadCodec} text and 40 hex digits of HMAC-SHA1 over it with the server's secret.
 * Stateless, safe for all threads.
 */
public final class TokenService {

    private static final String ALGORITHM = "HmacSHA1";
    private static final int SIGNATURE = 40;
    private static final int MAX_LENGTH = 6144;
    private static final Duration RENEWAL_AGE = Duration.ofSeconds(1);

    private final Mac signing;
    private final Duration lifetime;
    private final InstantSource clock;

    /** @param secret at least 16 random bytes, equal on all servers that share users */
    public TokenService(byte[] secret, Duration lifetime, InstantSource clock) {
        this.signing = mac(secret);
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /** Issues a token for a user without a password whose tokens were never revoked. */
    public String issue(ObjectRef user) {
        return issue(user, Credential.NONE);
    }

    /**
     * Issues a token for a user who has just authenticated; it is invalid once the credential
     * changes.
     */
    public String issue(ObjectRef user, Credential credential) {
        Instant now = clock.instant();
        return token(new Session(user, now, now.plus(lifetime), fingerprint(credential), Session.Kind.SESSION, null));
    }

    /** Issues a token that is valid until the tokens of the user are revoked. */
    String issueUnlimited(ObjectRef user, Credential credential) {
        return issueUntil(TokenPayloadCodec.NEVER, user, credential);
    }

    /**
     * Issues a token that is valid for {@code life}, or until the tokens of the user are revoked.
     */
    String issueFor(Duration life, ObjectRef user, Credential credential) {
        return issueUntil(clock.instant().plus(life), user, credential);
    }

    private String issueUntil(Instant end, ObjectRef user, Credential credential) {
        return token(new Session(user, clock.instant(), end, fingerprint(credential), Session.Kind.API, null));
    }

    /** Issues a token of the same kind for the user of a session whose tokens were just revoked. */
    public String reissue(Session session, Credential credential) {
        return token(successor(session, fingerprint(credential), session.onlyRole()));
    }

    /** Issues a token for the user of a session by which no declared role counts but this one. */
    String restrictToRole(Session session, ObjectRef role) {
        return token(successor(session, session.fingerprint(), role));
    }

    /** Returns the token that a session was verified by, or that a client derived it from. */
    public String currentToken(Session session) {
        return token(session);
    }

    /**
     * Issues a successor for the token of a session, to be sent with a successful response. Empty
     * while the token is younger than a second, and if it is not renewed at all. The successor
     * never expires earlier than its predecessor.
     */
    public Optional<String> renew(Session session) {
        boolean isDue = session.kind() == Session.Kind.SESSION
                && !clock.instant().isBefore(session.created().plus(RENEWAL_AGE));
        return isDue
                ? Optional.of(token(successor(session, session.fingerprint(), session.onlyRole())))
                : Optional.empty();
    }

    private Session successor(Session session, String mark, @Nullable ObjectRef role) {
        Instant now = clock.instant();
        Instant expires = now.plus(lifetime);
        boolean isKept = session.isLimited() || expires.isBefore(session.expires());
        return new Session(session.user(), now, isKept ? session.expires() : expires, mark, session.kind(), role);
    }

    /**
     * Returns the mark of a credential in tokens, which reveals nothing about it: the beginning of
     * a MAC over its salted hash.
     */
    String fingerprint(Credential credential) {
        return sign(credential.text()).substring(0, TokenPayloadCodec.FINGERPRINT_LENGTH);
    }

    /**
     * Verifies a token and returns its session, whose mark is still to be compared; empty for every
     * token that was not issued here or has expired. Never throws.
     */
    public Optional<Session> verify(String token) {
        return data(token).flatMap(data -> verify(token, data, sign(data)));
    }

    /**
     * Verifies a signed URL and returns the session of the token that a client derived it from, for
     * this path and no other. Never throws.
     */
    public Optional<Session> verify(SignedUrl url) {
        return data(url.token()).flatMap(data -> UriComponent.canonicalPath(url.path())
                .flatMap(path -> verify(url.token(), data, derive(sign(data), path, data))));
    }

    /**
     * Returns the signature that a client that has a token appends to its data to open one path
     * (protocol §5.9).
     */
    static String derive(String signature, String path, String data) {
        return hex(mac(signature.getBytes(StandardCharsets.US_ASCII)), path + data);
    }

    private Optional<Session> verify(String token, String data, String signature) {
        byte[] given = token.substring(data.length()).getBytes(StandardCharsets.UTF_8);
        boolean isOurs = MessageDigest.isEqual(given, signature.getBytes(StandardCharsets.US_ASCII));
        return isOurs
                ? TokenPayloadCodec.read(data).filter(session -> clock.instant().isBefore(session.expires()))
                : Optional.empty();
    }

    private static Optional<String> data(String token) {
        return token.length() > SIGNATURE && token.length() <= MAX_LENGTH
                ? Optional.of(token.substring(0, token.length() - SIGNATURE))
                : Optional.empty();
    }

    private String token(Session session) {
        String data = TokenPayloadCodec.write(session);
        return data + sign(data);
    }

    private String sign(String data) {
        try {
            return hex((Mac) signing.clone(), data);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The platform's " + ALGORITHM + " can be cloned", e);
        }
    }

    private static String hex(Mac mac, String message) {
        return HexFormat.of().formatHex(mac.doFinal(message.getBytes(StandardCharsets.UTF_8)));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}

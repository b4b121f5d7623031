package io.orestes.replication;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The mutual authentication of two servers by challenge and response (HMAC-SHA-256) at the start of
 * a connection. The caller sends its identity, that of the intended server, and an unpredictable
 * number. The called server responds with such a number of its own and with a code; the caller
 * responds with another code. Codes are HMAC-SHA-256 (RFC 2104) over the sender's role, both
 * identities and both numbers, under a key from the secret that all servers on one store share. So
 * a captured code is worthless on any other connection.
 */
final class PeerHandshake {

    /** Maximum size of a handshake document in bytes. */
    static final int MAX_DOCUMENT_BYTES = 512;

    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String NONCE = "nonce";
    private static final String CODE = "code";
    private static final String ALGORITHM = "HmacSHA256";
    private static final String CALLER = "caller";
    private static final String CALLED = "called";
    private static final int NONCE_BYTES = 32;

    /** Fixed length, so that no identity is a prefix of another in the input of codes. */
    private static final Pattern IDENTITY = Pattern.compile("[0-9a-f]{16}");

    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] key;

    PeerHandshake(byte[] secret) {
        this.key = mac(secret, "links between servers");
    }

    /** The first message of a caller. */
    record Hello(String from, String to, String nonce) {

        BsonDocument document() {
            return new BsonDocument(FROM, new BsonString(from))
                    .append(TO, new BsonString(to))
                    .append(NONCE, new BsonString(nonce));
        }
    }

    /** A handshake under way, in which the called server waits for the caller's code. */
    record Challenge(Hello hello, String nonce) {}

    /** Starts a handshake with the member {@code to}. */
    Hello hello(String from, String to) {
        return new Hello(from, to, nonce());
    }

    /** Decodes a caller's first message, if it addresses the member {@code self}. */
    Optional<Hello> readHello(BsonDocument said, String self) {
        return text(said, FROM, IDENTITY)
                .flatMap(from -> text(said, NONCE, NUMBER).map(nonce -> new Hello(from, self, nonce)))
                .filter(hello -> text(said, TO, IDENTITY).filter(self::equals).isPresent());
    }

    /** Creates the challenge of a caller. */
    Challenge challenge(Hello hello) {
        return new Challenge(hello, nonce());
    }

    /** Encodes a challenge with the code that proves this server's secret. */
    BsonDocument document(Challenge challenge) {
        return new BsonDocument(NONCE, new BsonString(challenge.nonce())).append(CODE, code(CALLED, challenge));
    }

    /** Returns the caller's response; empty if the called server does not prove the secret. */
    Optional<BsonDocument> respond(Hello hello, BsonDocument message) {
        return text(message, NONCE, NUMBER)
                .map(nonce -> new Challenge(hello, nonce))
                .filter(challenge -> isBy(CALLED, challenge, message))
                .map(challenge -> new BsonDocument(CODE, code(CALLER, challenge)));
    }

    /** Returns whether the caller's response proves the secret. */
    boolean isValidResponse(Challenge challenge, BsonDocument answer) {
        return isBy(CALLER, challenge, answer);
    }

    private boolean isBy(String speaker, Challenge challenge, BsonDocument said) {
        byte[] expected = code(speaker, challenge).getValue().getBytes(StandardCharsets.US_ASCII);
        return text(said, CODE, NUMBER)
                .filter(code -> MessageDigest.isEqual(code.getBytes(StandardCharsets.US_ASCII), expected))
                .isPresent();
    }

    private BsonString code(String speaker, Challenge challenge) {
        Hello hello = challenge.hello();
        String all = String.join(" ", speaker, hello.from(), hello.to(), hello.nonce(), challenge.nonce());
        return new BsonString(HexFormat.of().formatHex(mac(key, all)));
    }

    private static String nonce() {
        byte[] random = new byte[NONCE_BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static Optional<String> text(BsonDocument document, String member, Pattern pattern) {
        return Optional.ofNullable(document.get(member))
                .filter(BsonValue::isString)
                .map(value -> value.asString().getValue())
                .filter(pattern.asMatchPredicate());
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform must support " + ALGORITHM, e);
        }
    }
}

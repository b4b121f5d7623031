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
 * a connection. The caller sends its identity, that of the server it means, and a number that
 * nobody can foresee. The called server answers with such a number of its own and with a code; the
 * caller answers with another code. Codes are HMAC-SHA-256 (RFC 2104) over the speaker's role, both
 * identities and both numbers, under a key from the secret that all servers on one store share. So
 * an overheard code is worth nothing on any other connection.
 */
final class PeerHandshake {

    /** No document of a greeting has more bytes. */
    static final int MOST_BYTES = 512;

    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String NONCE = "nonce";
    private static final String CODE = "code";
    private static final String ALGORITHM = "HmacSHA256";
    private static final String CALLER = "caller";
    private static final String CALLED = "called";
    private static final int NONCE_BYTES = 32;

    /** Neither can be taken for a part of another one in what codes are made of. */
    private static final Pattern IDENTITY = Pattern.compile("[0-9a-f]{16}");

    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] key;

    PeerHandshake(byte[] secret) {
        this.key = mac(secret, "links between servers");
    }

    /** What a caller begins with. */
    record Hello(String from, String to, String nonce) {

        BsonDocument document() {
            return new BsonDocument(FROM, new BsonString(from))
                    .append(TO, new BsonString(to))
                    .append(NONCE, new BsonString(nonce));
        }
    }

    /** A greeting between the two, of which the called one waits for the end. */
    record Challenge(Hello hello, String nonce) {}

    /** Begins a greeting of the member {@code to}. */
    Hello hello(String from, String to) {
        return new Hello(from, to, nonce());
    }

    /** What a caller says, if it means the member {@code self}. */
    Optional<Hello> readHello(BsonDocument said, String self) {
        return text(said, FROM, IDENTITY)
                .flatMap(from -> text(said, NONCE, NUMBER).map(nonce -> new Hello(from, self, nonce)))
                .filter(hello -> text(said, TO, IDENTITY).filter(self::equals).isPresent());
    }

    /** Asks who said hello for its code. */
    Challenge challenge(Hello hello) {
        return new Challenge(hello, nonce());
    }

    /** What is sent to ask, which shows that this server knows the secret. */
    BsonDocument document(Challenge challenge) {
        return new BsonDocument(NONCE, new BsonString(challenge.nonce())).append(CODE, code(CALLED, challenge));
    }

    /** What the caller answers; empty if the called one does not know the secret. */
    Optional<BsonDocument> answer(Hello hello, BsonDocument asked) {
        return text(asked, NONCE, NUMBER)
                .map(nonce -> new Challenge(hello, nonce))
                .filter(challenge -> isBy(CALLED, challenge, asked))
                .map(challenge -> new BsonDocument(CODE, code(CALLER, challenge)));
    }

    /** Whether the caller knows the secret. */
    boolean isAnswered(Challenge challenge, BsonDocument answer) {
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
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}

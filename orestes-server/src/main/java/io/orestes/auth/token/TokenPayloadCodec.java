package io.orestes.auth.token;

import io.orestes.auth.rights.UserRepository;
import io.orestes.model.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the unsigned part of tokens (protocol §5.1): times, kind, user key and credential
 * mark. Time of issue and expiry are eight hex digits each; a letter for the kind, the user's key
 * in base64url, and the mark of the user's credential follow. If only one role counts, four hex
 * digits and that many characters of its key precede the user's key. Pure.
 */
final class TokenPayloadCodec {

    static final int FINGERPRINT_LENGTH = 10;

    private static final int TIMES = 16;
    private static final int ROLE = TIMES + 5;
    private static final long LAST_SECOND = 0xffff_ffffL;
    private static final Pattern HEAD = Pattern.compile("[0-9a-f]{16}(?:[sa]|r[0-9a-f]{4})");
    private static final HexFormat HEX = HexFormat.of();

    /** The latest possible expiry. */
    static final Instant NEVER = Instant.ofEpochSecond(LAST_SECOND);

    private TokenPayloadCodec() {}

    static String write(Session session) {
        String user = encoded(session.user());
        String kind = session.kind() == Session.Kind.API ? "a" : "s";
        return seconds(session.created())
                + seconds(session.expires())
                + session.role().map(role -> ofRole(encoded(role), user)).orElse(kind + user)
                + session.fingerprint();
    }

    /** Decodes the unsigned part; empty if this codec cannot have written it. */
    static Optional<Session> read(String data) {
        int end = data.length() - FINGERPRINT_LENGTH;
        if (end <= TIMES || !HEAD.matcher(data).lookingAt()) {
            return Optional.empty();
        }
        return data.charAt(TIMES) == 'r'
                ? readOfRole(data, end)
                : user(data, TIMES + 1, end).map(user -> session(data, user, null));
    }

    private static Optional<Session> readOfRole(String data, int end) {
        int split = ROLE + HexFormat.fromHexDigits(data, TIMES + 1, ROLE);
        return decoded(data, ROLE, split, end)
                .map(key -> new ObjectRef(UserRepository.ROLE_BUCKET, key))
                .flatMap(role -> user(data, split, end).map(user -> session(data, user, role)));
    }

    private static Session session(String data, ObjectRef user, @Nullable ObjectRef role) {
        return new Session(
                user,
                instant(data, 0),
                instant(data, TIMES / 2),
                data.substring(data.length() - FINGERPRINT_LENGTH),
                data.charAt(TIMES) == 'a' ? Session.Kind.API : Session.Kind.SESSION,
                role);
    }

    private static Optional<ObjectRef> user(String data, int from, int end) {
        return decoded(data, from, end, end).map(key -> new ObjectRef(UserRepository.BUCKET, key));
    }

    private static Optional<String> decoded(String data, int from, int to, int end) {
        if (from > to || to > end) {
            return Optional.empty();
        }
        try {
            byte[] key = Base64.getUrlDecoder().decode(data.substring(from, to));
            return Optional.of(new String(key, StandardCharsets.UTF_8)).filter(ObjectRef::isKey);
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static String ofRole(String role, String user) {
        return "r" + HEX.toHexDigits(role.length(), 4) + role + user;
    }

    private static String encoded(ObjectRef ref) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(ref.key().getBytes(StandardCharsets.UTF_8));
    }

    private static String seconds(Instant instant) {
        return HEX.toHexDigits(Math.min(instant.getEpochSecond(), LAST_SECOND), 8);
    }

    private static Instant instant(String data, int from) {
        return Instant.ofEpochSecond(HexFormat.fromHexDigitsToLong(data, from, from + TIMES / 2));
    }
}

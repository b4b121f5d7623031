package io.orestes.model;

import java.util.Optional;
import java.util.Set;

/**
 * Address of one object: its bucket (class) and its key within that bucket.
 *
 * @param bucket bucket name, e.g. {@code Todo} or {@code logs.AppLog}; case-sensitive. A leading
 *     underscore marks the server's own buckets, which no client can name
 * @param key key within the bucket, unescaped; any characters but NUL and unpaired surrogates, 1 to
 *     {@value #MAX_KEY_LENGTH} of them; not {@code .} or {@code ..}, which no URL can carry (RFC
 *     3986 §5.2.4)
 */
public record ObjectRef(String bucket, String key) {

    /** Longest key, in UTF-16 code units. */
    public static final int MAX_KEY_LENGTH = 512;

    /** Rule of {@link #isKey}, for messages. */
    public static final String KEY_RULE =
            "keys are 1 to " + MAX_KEY_LENGTH + " characters of text without NUL, and not . or ..";

    private static final Set<String> DOT_SEGMENTS = Set.of(".", "..");

    public ObjectRef {
        if (!isBucket(bucket)) {
            throw new IllegalArgumentException("Not a class name: " + bucket);
        }
        if (!isKey(key)) {
            throw new IllegalArgumentException("Not an object key: " + key);
        }
    }

    /**
     * True if {@code name} can name a class: words of letters, digits and underscores, joined by
     * dots, no digit first.
     */
    public static boolean isBucket(String name) {
        boolean wordBegins = true;
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            if (!(letter == '.' ? !wordBegins : isWord(letter, i == 0))) {
                return false;
            }
            wordBegins = letter == '.';
        }
        return !wordBegins;
    }

    private static boolean isWord(char letter, boolean isFirst) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || letter == '_'
                || (!isFirst && letter >= '0' && letter <= '9');
    }

    /** True if {@code key} can be the key of an object. */
    public static boolean isKey(String key) {
        return !DOT_SEGMENTS.contains(key)
                && !key.isEmpty()
                && key.length() <= MAX_KEY_LENGTH
                && key.indexOf('\0') < 0
                && isWellFormed(key);
    }

    /**
     * Parses an id of the form {@code /db/<bucket>/<key>}, in any percent-encoding; empty if it is
     * none.
     */
    public static Optional<ObjectRef> parse(String id) {
        int slash = id.indexOf('/', 4);
        if (!id.startsWith("/db/") || slash < 0 || !isBucket(id.substring(4, slash))) {
            return Optional.empty();
        }
        return UriComponent.decode(id.substring(slash + 1))
                .filter(ObjectRef::isKey)
                .map(key -> new ObjectRef(id.substring(4, slash), key));
    }

    /**
     * Returns the canonical spelling of this object's id, which clients, caches, the sketch and the
     * store use.
     */
    public String id() {
        return "/db/" + bucket + "/" + UriComponent.encode(key);
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isHighSurrogate(unit)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                return false;
            }
        }
        return true;
    }
}

package io.orestes.http.protocol;

import java.util.regex.Pattern;

/** The validation of request targets: characters, escapes, dot segments and the cache buster. */
public final class RequestTargets {

    /**
     * Dot segments. The router would resolve them and handlers would not; two readings of one path
     * are a security risk.
     */
    private static final Pattern DOT_SEGMENT = Pattern.compile("/(?:\\.|%2[eE]){1,2}(?:/|$)");

    private static final String BUSTER = "&BCB";

    private RequestTargets() {}

    /**
     * Returns whether the path ends in a {@code BCB} without a preceding query (protocol §1.7);
     * keys escape the ampersand.
     */
    public static boolean endsInBuster(String uri) {
        return uri.endsWith(BUSTER) && uri.indexOf('?') < 0;
    }

    /** Returns the intended target: with {@code BCB} as its query. */
    public static String withBusterAsQuery(String uri) {
        return uri.substring(0, uri.length() - BUSTER.length()) + "?BCB";
    }

    /**
     * Returns whether all characters are allowed in a request target, every percent sign begins an
     * escape and the path has no dot segments (RFC 3986 §2.1, §5.2.4).
     */
    public static boolean isAcceptable(String uri) {
        return hasOnlyVisibleAscii(uri)
                && (hasNothingToCheck(uri)
                        || (hasWholeEscapes(uri)
                                && !DOT_SEGMENT.matcher(path(uri)).find()));
    }

    /**
     * Returns whether the target is visible ASCII. Quotes and braces are allowed: clients send them
     * unescaped, and they are unambiguous.
     */
    private static boolean hasOnlyVisibleAscii(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char next = uri.charAt(i);
            if (next <= ' ' || next >= 0x7f || next == '#') {
                return false;
            }
        }
        return true;
    }

    private static boolean hasNothingToCheck(String uri) {
        return uri.indexOf('%') < 0 && uri.indexOf("/.") < 0;
    }

    private static boolean hasWholeEscapes(String uri) {
        for (int i = uri.indexOf('%'); i >= 0; i = uri.indexOf('%', i + 1)) {
            if (i + 2 >= uri.length() || !isHex(uri.charAt(i + 1)) || !isHex(uri.charAt(i + 2))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(char digit) {
        return Character.digit(digit, 16) >= 0;
    }

    private static String path(String uri) {
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }
}

package io.invalidb.query;

/** The beginning of a client's input, short enough for an error message. */
public final class Excerpt {

    private static final int MAX_LENGTH = 100;

    private Excerpt() {}

    public static String of(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    }
}

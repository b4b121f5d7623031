package io.orestes.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The codec of entity tags of objects, which contain the version, the commit time and the
 * rendering. An example is {@code 3--mh2k1f0a_1z3}, with the time in base 36. The commit time of a
 * state is strictly larger than that of every earlier state under the same id, also before a
 * deletion. A tag therefore never comes back. Clients cut off the part behind {@code --} to get the
 * version.
 */
public final class ObjectETagCodec {

    private static final int BASE = 36;

    /**
     * Pattern of a tag. Time and rendering are absent if the client has the version only;
     * compressing layers append the last part.
     */
    private static final Pattern TAG = Pattern.compile(
            "(?<version>(?!0+(?!\\d))\\d{1,18})(?:--(?<time>[0-9a-z]{1,12})_[0-9a-z]+)?(?:--[0-9A-Za-z]+)?");

    private ObjectETagCodec() {}

    /**
     * Returns the tag of a state, in quotes.
     *
     * @param rendering code of the rendering of the state, of {@code [0-9a-z]}
     */
    public static String encode(StoredObject object, String rendering) {
        return "\"" + object.version() + "--" + Long.toString(object.updatedAt(), BASE) + "_" + rendering + "\"";
    }

    /**
     * Returns the precondition of a write that expects the object to have this tag; empty if the
     * text is no tag, as with version 0. The rendering does not matter to writes, and versions
     * without a time are those of any life.
     *
     * @param tag without quotes
     */
    public static Optional<Precondition> decodePrecondition(String tag) {
        Matcher matcher = TAG.matcher(tag);
        return matcher.matches() ? Optional.of(precondition(matcher)) : Optional.empty();
    }

    /**
     * True if {@code tag} is the version alone of the state that {@code whole} names, in any life
     * of the object; both without quotes. False if {@code whole} is no tag of an object.
     */
    public static boolean isVersionIn(String tag, String whole) {
        Matcher version = TAG.matcher(tag);
        return version.matches() && version.group("time") == null && whole.startsWith(version.group("version") + "--");
    }

    private static Precondition precondition(Matcher tag) {
        long version = Long.parseLong(tag.group("version"));
        String time = tag.group("time");
        return time == null
                ? new Precondition.ExactVersion(version)
                : new Precondition.ExactState(version, Long.parseLong(time, BASE));
    }
}

package io.orestes.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The codec of entity tags of objects, which contain the version, the commit time and the
 * rendering. An example is {@code 3--mh2k1f0a_1z3}, with the time in base 36. The commit time of a
 * state is strictly larger than that of every earlier state under the same id, also before a
 * deletion. A tag therefore never comes back. Clients cut off the part behind {@code --} and know
 * the version.
 */
public final class ObjectETag {

    private static final int BASE = 36;

    /**
     * Time and rendering are absent if the client knows the version only; the last part is what
     * compressing layers append.
     */
    private static final Pattern TAG = Pattern.compile(
            "(?<version>(?!0+(?!\\d))\\d{1,18})(?:--(?<time>[0-9a-z]{1,12})_[0-9a-z]+)?(?:--[0-9A-Za-z]+)?");

    private ObjectETag() {}

    /**
     * The tag of a state, in quotes.
     *
     * @param rendering differs when the same state would be rendered differently; of {@code
     *     [0-9a-z]}
     */
    public static String of(StoredObject object, String rendering) {
        return "\"" + object.version() + "--" + Long.toString(object.updatedAt(), BASE) + "_" + rendering + "\"";
    }

    /**
     * What a write asks for that expects the object to have this tag; empty if it is none, as with
     * version 0. How the state was rendered does not matter to writes, and versions without a time
     * are those of any life.
     *
     * @param tag without quotes
     */
    public static Optional<Precondition> expected(String tag) {
        Matcher matcher = TAG.matcher(tag);
        return matcher.matches() ? Optional.of(expected(matcher)) : Optional.empty();
    }

    /**
     * Whether a tag is the version alone of what the other one names, in whatever life of the
     * object; both without quotes. False if the other one is none of an object.
     */
    public static boolean isVersionIn(String tag, String whole) {
        Matcher version = TAG.matcher(tag);
        return version.matches() && version.group("time") == null && whole.startsWith(version.group("version") + "--");
    }

    private static Precondition expected(Matcher tag) {
        long version = Long.parseLong(tag.group("version"));
        String time = tag.group("time");
        return time == null
                ? new Precondition.ExactVersion(version)
                : new Precondition.ExactState(version, Long.parseLong(time, BASE));
    }
}

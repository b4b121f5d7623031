package io.orestes.coherence;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An object or a query.
 *
 * @param key its key in the filter
 * @param targets its URLs; a query has several spellings
 * @param history its states
 */
record Resource(String key, List<String> targets, History history) {

    /** The form of an absent object. */
    static final String ABSENT = "gone";

    private static final Pattern OBJECT = Pattern.compile("\"id\":\"([^\"]+)\"[^{]*?\"n\":(\\d+)");
    private static final Pattern NUMBER = Pattern.compile("\"n\":(\\d+)");

    static Resource object(String key) {
        return new Resource(key, List.of("/v1" + key), new History(ABSENT));
    }

    /** Returns the query for a group of objects, in its canonical and in other spellings. */
    static Resource query(String bucket, int group) {
        String key = "/db/" + bucket + "/query?q=%7B%22g%22%3A" + group + "%7D";
        String other = "/db/" + bucket + "/query?start=0&q=%7B%22g%22%3A%20" + group + "%7D";
        return new Resource(key, List.of("/v1" + key, "/v1" + other), new History(""));
    }

    boolean isQuery() {
        return targets.size() > 1;
    }

    /** Returns the form that distinguishes a body from that of every other state. */
    String print(int status, String body) {
        if (status != 200) {
            return ABSENT;
        }
        return isQuery() ? members(body) : number(body);
    }

    private static String members(String body) {
        return OBJECT.matcher(body)
                .results()
                .map(object -> object.group(1) + "=" + object.group(2))
                .sorted()
                .collect(Collectors.joining(" "));
    }

    private static String number(String body) {
        Matcher number = NUMBER.matcher(body);
        return number.find() ? number.group(1) : "no number in " + body;
    }
}

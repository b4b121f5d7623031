package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * The keys of a sorted live query, maintained by a client that only applies events (protocol
 * §18.4).
 */
final class LiveWindow {

    private final List<String> keys = new ArrayList<>();

    List<String> keys() {
        return keys;
    }

    void result(BsonArray objects) {
        keys.clear();
        objects.forEach(object -> keys.add(key(object.asDocument())));
    }

    /** Applies a match and returns its summary, e.g. {@code add/insert a @0}. */
    String match(BsonDocument match) {
        String type = match.getString("matchType").getValue();
        String key = key(match.getDocument("data"));
        assertThat(keys.remove(key)).as("%s of %s", type, key).isEqualTo(!type.equals("add"));
        String summary = type + "/" + match.getString("operation").getValue() + " " + key;
        if (!match.containsKey("index")) {
            assertThat(type).isEqualTo("remove");
            return summary;
        }
        int index = match.getNumber("index").intValue();
        keys.add(index, key);
        return summary + " @" + index;
    }

    private static String key(BsonDocument object) {
        String id = object.getString("id").getValue();
        return id.substring(id.lastIndexOf('/') + 1);
    }
}

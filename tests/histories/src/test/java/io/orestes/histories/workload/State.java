package io.orestes.histories.workload;

import io.orestes.histories.check.Operation;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * An object as a client saw it: a list, or a register, which is a list of its last value.
 *
 * @param version 0 if there is none
 */
record State(String key, long version, List<Integer> values) {

    State {
        values = List.copyOf(values);
    }

    static State absent(String key) {
        return new State(key, 0, List.of());
    }

    static State of(String key, BsonDocument object) {
        return new State(key, object.getNumber("version").longValue(), values(key, object));
    }

    private static List<Integer> values(String key, BsonDocument object) {
        BsonValue value = object.get(Keys.isList(key) ? "items" : "n", BsonNull.VALUE);
        if (value.isArray()) {
            return value.asArray().stream()
                    .map(item -> item.asNumber().intValue())
                    .toList();
        }
        return value.isNumber() ? List.of(value.asNumber().intValue()) : List.of();
    }

    /** Returns the value by which single objects are compared; 0 if there is none. */
    int last() {
        return values.isEmpty() ? 0 : values.get(values.size() - 1);
    }

    /** Returns the state after one more write. */
    State with(int value) {
        List<Integer> after = new ArrayList<>(Keys.isList(key) ? values : List.of());
        after.add(value);
        return new State(key, version + 1, after);
    }

    /** Returns the fields of the object, as JSON. */
    String fields() {
        return Keys.isList(key) ? "\"items\":" + values : "\"n\":" + last();
    }

    Operation read() {
        return Keys.isList(key) ? new Operation.ReadList(key, values) : new Operation.Read(key, version, last());
    }

    /** Returns the write that led to it. */
    Operation written() {
        return write(key, version, last());
    }

    /** @param version 0 if unknown */
    static Operation write(String key, long version, int value) {
        return Keys.isList(key) ? new Operation.Append(key, value) : new Operation.Write(key, version, value);
    }
}

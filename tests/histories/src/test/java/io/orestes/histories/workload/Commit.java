package io.orestes.histories.workload;

import io.orestes.histories.check.Operation;
import io.orestes.histories.check.Transaction;
import io.orestes.histories.check.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonValue;

/** Read set and planned writes of one transaction. Single-threaded. */
final class Commit {

    /** Objects in the states that were read. */
    private final Map<String, State> read = new LinkedHashMap<>();

    /** Objects that were read, with their new states. */
    private final Map<String, State> replaced = new LinkedHashMap<>();

    /** Values for partial updates of objects that may or may not have been read. */
    private final Map<String, List<Integer>> updated = new LinkedHashMap<>();

    void read(State state) {
        read.put(state.key(), state);
    }

    /** Replaces the state that was read, or creates the object if it was absent. */
    void replace(State before, int value) {
        read(before);
        replaced.put(before.key(), before.with(value));
    }

    /** Updates the object whatever its state. */
    void update(String key, List<Integer> values) {
        updated.put(key, values);
    }

    /** The body of the request (protocol §12). */
    String body() {
        return "{\"readSet\":[%s],\"writeSet\":[%s],\"partialUpdates\":[%s]}"
                .formatted(
                        joined(read.values().stream().map(Commit::readEntry).toList()),
                        joined(replaced.values().stream()
                                .map(Commit::writeEntry)
                                .toList()),
                        joined(updated.entrySet().stream()
                                .flatMap(update ->
                                        update.getValue().stream().map(value -> updateEntry(update.getKey(), value)))
                                .toList()));
    }

    private static String joined(List<String> entries) {
        return String.join(",", entries);
    }

    private static String readEntry(State state) {
        return state.version() == 0
                ? "{\"oid\":\"%s\"}".formatted(state.key())
                : "{\"oid\":\"%s\",\"version\":%d}".formatted(state.key(), state.version());
    }

    private static String writeEntry(State after) {
        String version = after.version() == 1 ? "" : "\"version\":%d,".formatted(after.version() - 1);
        return "{\"id\":\"%s\",%s%s}".formatted(after.key(), version, after.fields());
    }

    private static String updateEntry(String key, int value) {
        return "{\"ref\":\"%s\",\"operations\":%s}".formatted(key, operations(key, value));
    }

    /** The partial update that writes a value. */
    static String operations(String key, int value) {
        return Keys.isList(key)
                ? "{\"$push\":{\"items\":%d}}".formatted(value)
                : "{\"$set\":{\"n\":%d}}".formatted(value);
    }

    /** Returns the states that it leaves of objects that it knows. */
    List<State> replaced() {
        return List.copyOf(replaced.values());
    }

    List<String> written() {
        List<String> keys = new ArrayList<>(replaced.keySet());
        keys.addAll(updated.keySet());
        return keys;
    }

    /** Returns the versions in an answer. */
    static Map<String, Long> versions(Answer answer) {
        Map<String, Long> versions = new HashMap<>();
        for (BsonValue object : answer.array()) {
            object.asDocument()
                    .forEach(
                            (id, version) -> versions.put(id, version.asNumber().longValue()));
        }
        return versions;
    }

    /** Records the outcome in the journal. */
    void note(Journal journal, String name, Outcome outcome, Map<String, Long> versions, long called) {
        long answered = journal.now();
        List<Operation> operations = new ArrayList<>();
        read.values().forEach(state -> operations.add(state.read()));
        replaced.values().forEach(state -> operations.add(state.written()));
        updated.forEach((key, values) ->
                values.forEach(value -> operations.add(State.write(key, versions.getOrDefault(key, 0L), value))));
        journal.note(new Transaction(name, Transaction.Kind.TRANSACTION, outcome, called, answered, operations));
        if (outcome != Outcome.ABORTED) {
            noteObjects(journal, name, outcome == Outcome.COMMITTED, versions, called, answered);
        }
    }

    /** Records a commit for each of its objects as an operation at one moment. */
    private void noteObjects(
            Journal journal, String name, boolean isDone, Map<String, Long> versions, long called, long answered) {
        OptionalLong end = isDone ? OptionalLong.of(answered) : OptionalLong.empty();
        replaced.values()
                .forEach(state -> journal.wrote(
                        name,
                        state.key(),
                        OptionalLong.of(state.version() - 1),
                        state.last(),
                        OptionalLong.of(state.version()),
                        called,
                        end));
        updated.forEach((key, values) -> journal.wrote(
                name,
                key,
                Optional.ofNullable(read.get(key))
                        .map(state -> OptionalLong.of(state.version()))
                        .orElse(OptionalLong.empty()),
                values.get(values.size() - 1),
                versions.containsKey(key) ? OptionalLong.of(versions.get(key)) : OptionalLong.empty(),
                called,
                end));
        if (isDone) {
            read.values().stream()
                    .filter(state -> !replaced.containsKey(state.key()) && !updated.containsKey(state.key()))
                    .forEach(state -> journal.saw(name, state, called, answered));
        }
    }
}

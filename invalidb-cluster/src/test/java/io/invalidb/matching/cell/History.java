package io.invalidb.matching.cell;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteOperation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * A random history of committed writes to a few objects: inserts, updates, deletions, insertions
 * again. It computes, independently of the code under test, the result of the query {@code n > 0}
 * after each of them.
 */
public final class History {

    private final List<WriteEvent> writes = new ArrayList<>();

    private History() {}

    public static History random(Random random, int length) {
        History history = new History();
        Map<String, WriteEvent> current = new HashMap<>();
        for (int i = 0; i < length; i++) {
            String id = "/db/Todo/" + random.nextInt(8);
            WriteEvent next = next(id, current.get(id), random);
            current.put(id, next);
            history.writes.add(next);
        }
        return history;
    }

    private static WriteEvent next(String id, @Nullable WriteEvent last, Random random) {
        if (last == null) {
            return upsert(id, new VersionStamp(1, 1), WriteOperation.INSERT, random);
        }
        VersionStamp versionStamp = last.stamp();
        if (last.upsert().isEmpty()) {
            return upsert(id, new VersionStamp(versionStamp.incarnation() + 1, 1), WriteOperation.INSERT, random);
        }
        VersionStamp next = new VersionStamp(versionStamp.incarnation(), versionStamp.version() + 1);
        return random.nextInt(4) == 0
                ? new WriteEvent.Delete("Todo", id, next)
                : upsert(id, next, WriteOperation.UPDATE, random);
    }

    private static WriteEvent upsert(
            String id, VersionStamp versionStamp, WriteOperation writeOperation, Random random) {
        BsonDocument after =
                new BsonDocument("_id", new BsonString(id)).append("n", new BsonInt32(random.nextInt(7) - 3));
        return new WriteEvent.Upsert("Todo", id, versionStamp, writeOperation, after);
    }

    /** Returns the writes in the order of their commits. */
    public List<WriteEvent> writes() {
        return writes;
    }

    /** Returns the result of a fresh query after this many commits: stamps by id. */
    public Map<String, VersionStamp> resultAfter(int commits) {
        Map<String, VersionStamp> result = new TreeMap<>();
        for (WriteEvent write : writes.subList(0, commits)) {
            result.remove(write.id());
            write.upsert()
                    .filter(upsert -> upsert.afterImage().getInt32("n").getValue() > 0)
                    .ifPresent(upsert -> result.put(upsert.id(), upsert.stamp()));
        }
        return result;
    }

    /**
     * Returns the state of a client that only applies the received events; fails on impossible
     * ones.
     */
    public static Map<String, VersionStamp> folded(Map<String, VersionStamp> initial, List<MatchEvent> events) {
        Map<String, VersionStamp> held = new TreeMap<>(initial);
        events.forEach(event -> fold(event, held));
        return held;
    }

    private static void fold(MatchEvent event, Map<String, VersionStamp> held) {
        String id = event.write().id();
        if (held.containsKey(id) != (event.type() != MatchType.ADD)) {
            throw new AssertionError("Impossible " + event + " for a client with " + held);
        }
        if (event.type() == MatchType.REMOVE) {
            held.remove(id);
        } else {
            held.put(id, event.write().stamp());
        }
    }
}

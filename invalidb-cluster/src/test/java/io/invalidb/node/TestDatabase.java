package io.invalidb.node;

import io.invalidb.model.Operation;
import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A few objects of one class, written at random: inserts, updates, deletions, insertions again. */
final class TestDatabase {

    static final String BUCKET = "Todo";

    private static final int OBJECTS = 12;
    private static final List<BsonValue> VALUES = List.of(
            new BsonInt32(1),
            new BsonInt32(2),
            new BsonDouble(1.5),
            BsonNull.VALUE,
            new BsonString("a"),
            new BsonInt32(-4));

    private final Random random;
    private final Map<String, Upsert> stored = new HashMap<>();
    private final Map<String, Stamp> last = new HashMap<>();

    TestDatabase(Random random) {
        this.random = random;
    }

    /** Commits a write. */
    WriteEvent write() {
        String id = "/db/" + BUCKET + "/" + random.nextInt(OBJECTS);
        WriteEvent write = stored.containsKey(id) ? again(id) : insert(id);
        last.put(id, write.stamp());
        if (write instanceof Upsert upsert) {
            stored.put(id, upsert);
        } else {
            stored.remove(id);
        }
        return write;
    }

    private WriteEvent insert(String id) {
        long life = last.getOrDefault(id, new Stamp(0, 0)).incarnation() + 1;
        return new Upsert(BUCKET, id, new Stamp(life, 1), Operation.INSERT, document(id));
    }

    private WriteEvent again(String id) {
        Stamp before = last.getOrDefault(id, new Stamp(1, 0));
        Stamp stamp = new Stamp(before.incarnation(), before.version() + 1);
        return random.nextInt(4) == 0
                ? new WriteEvent.Delete(BUCKET, id, stamp)
                : new Upsert(BUCKET, id, stamp, Operation.UPDATE, document(id));
    }

    private BsonDocument document(String id) {
        BsonDocument document = new BsonDocument("_id", new BsonString(id))
                .append("open", BsonBoolean.valueOf(random.nextInt(4) > 0))
                .append("n", new BsonInt32(random.nextInt(7) - 3));
        if (random.nextInt(3) == 0) {
            document.append("_readAllowed", new BsonArray(List.of(new BsonString("/db/User/" + random.nextInt(3)))));
        }
        return random.nextInt(8) == 0 ? document : document.append("a", VALUES.get(random.nextInt(VALUES.size())));
    }

    /** What a query returns now, in no order. */
    List<Upsert> matching(Filter filter) {
        return stored.values().stream()
                .filter(object -> filter.matches(object.afterImage()))
                .toList();
    }
}

package io.invalidb.node;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.filter.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
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

    private static final List<BsonValue> VALUES = List.of(
            new BsonInt32(1),
            new BsonInt32(2),
            new BsonDouble(1.5),
            BsonNull.VALUE,
            new BsonString("a"),
            new BsonInt32(-4));
    private static final List<BsonValue> LISTS = Stream.of(
                    "[]", "[1, 5]", "[[1], 2]", "[{x: 1}, {x: 3}]", "[{x: [2, 0]}]", "null", "2", "{x: 2}", "[null, 7]")
            .map(value -> BsonDocument.parse("{value: " + value + "}").get("value"))
            .toList();

    private final Random random;
    private final int objects;
    private final Map<String, Upsert> stored = new HashMap<>();
    private final Map<String, VersionStamp> last = new HashMap<>();

    TestDatabase(Random random) {
        this(random, 12);
    }

    /** @param objects maximum number of objects */
    TestDatabase(Random random, int objects) {
        this.random = random;
        this.objects = objects;
    }

    /** Commits a write. */
    WriteEvent write() {
        String id = "/db/" + BUCKET + "/" + random.nextInt(objects);
        WriteEvent write = stored.containsKey(id) ? again(id) : insert(id);
        last.put(id, write.stamp());
        write.upsert().ifPresentOrElse(upsert -> stored.put(id, upsert), () -> stored.remove(id));
        return write;
    }

    private WriteEvent insert(String id) {
        long life = last.getOrDefault(id, new VersionStamp(0, 0)).incarnation() + 1;
        return new Upsert(BUCKET, id, new VersionStamp(life, 1), WriteOperation.INSERT, document(id));
    }

    private WriteEvent again(String id) {
        VersionStamp before = last.getOrDefault(id, new VersionStamp(1, 0));
        VersionStamp versionStamp = new VersionStamp(before.incarnation(), before.version() + 1);
        return random.nextInt(4) == 0
                ? new WriteEvent.Delete(BUCKET, id, versionStamp)
                : new Upsert(BUCKET, id, versionStamp, WriteOperation.UPDATE, document(id));
    }

    private BsonDocument document(String id) {
        BsonDocument document = new BsonDocument("_id", new BsonString(id))
                .append("open", BsonBoolean.valueOf(random.nextInt(4) > 0))
                .append("n", new BsonInt32(random.nextInt(7) - 3));
        if (random.nextInt(3) == 0) {
            document.append("_readAllowed", new BsonArray(List.of(new BsonString("/db/User/" + random.nextInt(3)))));
        }
        if (random.nextInt(4) > 0) {
            document.append("list", LISTS.get(random.nextInt(LISTS.size()))).append("place", place());
        }
        return random.nextInt(8) == 0 ? document : document.append("a", VALUES.get(random.nextInt(VALUES.size())));
    }

    /** Returns a position; many are equally far from zero. */
    private BsonDocument place() {
        BsonDouble longitude = new BsonDouble(random.nextInt(9) - 4);
        BsonArray coordinates = new BsonArray(List.of(longitude, new BsonDouble(random.nextInt(2))));
        return new BsonDocument("type", new BsonString("Point")).append("coordinates", coordinates);
    }

    /** Returns the current result of a query, in no order. */
    List<Upsert> matching(Filter filter) {
        return stored.values().stream()
                .filter(object -> filter.matches(object.afterImage()))
                .toList();
    }
}

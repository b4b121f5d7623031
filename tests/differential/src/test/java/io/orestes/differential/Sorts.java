package io.orestes.differential;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Sort orders over values of all types, arrays among them. */
final class Sorts implements Family {

    private final SeededRandom dice;
    private final Values values;

    Sorts(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        return values.document(3);
    }

    /**
     * Matches a few of the documents, so that arrays at two keys, which mongod does not sort by,
     * are rare.
     */
    @Override
    public BsonDocument filter() {
        BsonDocument scalar = new BsonDocument("$not", new BsonDocument("$type", new BsonString("array")));
        return dice.chance(50) ? new BsonDocument() : new BsonDocument("a", scalar);
    }

    @Override
    public BsonDocument sort() {
        BsonDocument sort = new BsonDocument();
        int keys = 1 + (dice.chance(40) ? 1 : 0);
        for (int i = 0; i < keys; i++) {
            sort.put(values.path(), new BsonInt32(dice.one(List.of(1, -1))));
        }
        return sort;
    }
}

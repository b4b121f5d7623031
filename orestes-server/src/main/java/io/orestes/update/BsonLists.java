package io.orestes.update;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** A utility that copies stored lists and sets for modification. */
final class BsonLists {

    private BsonLists() {}

    /** Returns a modifiable copy, empty for null, with capacity for that many more elements. */
    static BsonArray copy(BsonValue list, int more) {
        List<BsonValue> elements = list.isNull() ? List.of() : list.asArray();
        BsonArray copy = new BsonArray(elements.size() + more);
        copy.addAll(elements);
        return copy;
    }
}

package io.orestes.update;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** A utility that copies stored lists and sets for modification. */
final class BsonLists {

    private BsonLists() {}

    /** A copy to be changed, empty for null, with room for so many more. */
    static BsonArray copy(BsonValue list, int more) {
        List<BsonValue> elements = list.isNull() ? List.of() : list.asArray();
        BsonArray copy = new BsonArray(elements.size() + more);
        copy.addAll(elements);
        return copy;
    }
}

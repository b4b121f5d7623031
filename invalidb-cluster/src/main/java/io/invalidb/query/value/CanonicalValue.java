package io.invalidb.query.value;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;

/** The canonical form of BSON values: one for all values that are equal in {@link BsonOrder}. */
public final class CanonicalValue {

    private CanonicalValue() {}

    /** Returns the canonical form of the value. */
    public static BsonValue of(BsonValue value) {
        if (value instanceof BsonNumber number) {
            return NumberOrder.canonical(number);
        }
        if (value instanceof BsonDocument document) {
            return ofDocument(document);
        }
        if (value instanceof BsonArray array) {
            return ofArray(array);
        }
        return value instanceof BsonSymbol symbol ? new BsonString(symbol.getSymbol()) : value;
    }

    private static BsonDocument ofDocument(BsonDocument document) {
        BsonDocument copy = new BsonDocument(document.size());
        document.forEach((name, field) -> copy.put(name, of(field)));
        return copy;
    }

    private static BsonArray ofArray(BsonArray array) {
        BsonArray copy = new BsonArray(array.size());
        array.forEach(element -> copy.add(of(element)));
        return copy;
    }
}

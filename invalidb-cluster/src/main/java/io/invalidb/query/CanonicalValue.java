package io.invalidb.query;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/** One spelling for all values that {@link BsonOrder} calls equal, as a copy of its own. */
public final class CanonicalValue {

    private CanonicalValue() {}

    /** The spelling of this value. */
    public static BsonValue of(BsonValue value) {
        if (value instanceof BsonNumber number) {
            return NumberOrder.canonical(number);
        }
        if (value instanceof BsonDocument document) {
            return ofDocument(document);
        }
        return value instanceof BsonArray array ? ofArray(array) : ofScalar(value);
    }

    private static BsonValue ofScalar(BsonValue value) {
        if (value instanceof BsonSymbol symbol) {
            return new BsonString(symbol.getSymbol());
        }
        return value instanceof BsonUndefined ? BsonNull.VALUE : value;
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

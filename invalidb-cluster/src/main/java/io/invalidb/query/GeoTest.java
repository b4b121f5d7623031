package io.invalidb.query;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The value is a place within a region. */
record GeoTest(String operator, GeoRegion region) implements ValueTest {

    @Override
    public boolean accepts(@Nullable BsonValue value, Budget budget) {
        return GeoPosition.stored(value)
                .filter(place -> contains(place, budget))
                .isPresent();
    }

    private boolean contains(GeoPosition place, Budget budget) {
        budget.spend(region.steps());
        return region.contains(place);
    }

    @Override
    public void writeTo(BsonDocument operators) {
        operators.put(operator, region.toBson());
    }
}

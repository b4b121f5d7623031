package io.invalidb.query;

import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The value is a place within a region, or a geometry within it or, with {@code $geoIntersects}, partly within it. */
record GeoTest(String operator, GeoRegion region) implements ValueTest {

    @Override
    public boolean accepts(@Nullable BsonValue value, Budget budget) {
        Optional<GeoPosition> place = GeoPosition.stored(value);
        return place.isPresent()
                ? contains(place.get(), budget)
                : StoredGeometry.read(value, budget)
                        .filter(geometry -> region.finds(geometry, budget))
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

package io.invalidb.query;

import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The value is a place within a region, or a geometry within it or, with {@code $geoIntersects}, partly within it. */
record GeoPredicate(String operator, GeoRegion region) implements ValuePredicate {

    @Override
    public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
        Optional<GeoPosition> place = GeoPosition.stored(value);
        return place.isPresent()
                ? contains(place.get(), stepBudget)
                : StoredGeometry.read(value, stepBudget)
                        .filter(geometry -> region.finds(geometry, stepBudget))
                        .isPresent();
    }

    private boolean contains(GeoPosition place, StepBudget stepBudget) {
        stepBudget.spend(region.steps());
        return region.contains(place);
    }

    @Override
    public void writeTo(BsonDocument operators) {
        operators.put(operator, region.toBson());
    }
}

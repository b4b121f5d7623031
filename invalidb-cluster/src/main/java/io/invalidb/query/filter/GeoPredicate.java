package io.invalidb.query.filter;

import io.invalidb.query.StepBudget;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.GeoRegion;
import io.invalidb.query.geo.StoredGeometry;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A predicate that a value is a position or geometry within a region, or intersects it. Only {@code
 * $geoIntersects} accepts geometries that lie partly within the region.
 */
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
    public NecessaryCondition valueCondition(String path) {
        return NecessaryConditions.area(path, region.bounds());
    }

    @Override
    public void writeTo(BsonDocument operators) {
        operators.put(operator, region.toBson());
    }
}

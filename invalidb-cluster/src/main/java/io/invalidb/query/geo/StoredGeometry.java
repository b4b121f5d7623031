package io.invalidb.query.geo;

import com.google.common.geometry.S2Point;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A line, an area or several geometries, stored as GeoJSON. Single points are {@linkplain
 * GeoPosition#stored positions}.
 */
public final class StoredGeometry {

    /**
     * Cost of a corner, in steps of a {@link StepBudget}: mostly for the proof that no edges cross.
     */
    private static final long STEPS_PER_CORNER = 400;

    private static final long STEPS_PER_PAIR_OF_RINGS = 30;

    private static final Set<String> TYPES =
            Set.of("LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection");

    private final List<GeoShape> shapes;

    private StoredGeometry(List<GeoShape> shapes) {
        this.shapes = shapes;
    }

    /**
     * Returns the geometry of a value; empty if it is none or malformed, which no filter matches.
     */
    public static Optional<StoredGeometry> read(@Nullable BsonValue value, StepBudget budget) {
        return value instanceof BsonDocument document && isGeometry(document)
                ? readShapes(document, budget)
                : Optional.empty();
    }

    private static boolean isGeometry(BsonDocument document) {
        return document.get("type") instanceof BsonString type && TYPES.contains(type.getValue());
    }

    private static Optional<StoredGeometry> readShapes(BsonDocument document, StepBudget budget) {
        GeoJsonReader reader = new GeoJsonReader(new Metered(budget));
        try {
            BsonDocument unused = reader.read(document);
        } catch (QuerySyntaxException | QueryNotSupportedException malformed) {
            return Optional.empty();
        }
        return Optional.of(new StoredGeometry(reader.shapes()));
    }

    private record Metered(StepBudget budget) implements GeoJsonReader.ComplexityLimit {

        @Override
        public void corner() {
            budget.spend(STEPS_PER_CORNER);
        }

        @Override
        public void rings(int count) {
            budget.spend(STEPS_PER_PAIR_OF_RINGS * count * count);
        }
    }

    /**
     * A reader of the bounds of one document's geometries; together they may cost no more than one
     * evaluation of a filter.
     */
    public static final class Bounds {

        private final StepBudget budget;

        public Bounds() {
            this(new StepBudget());
        }

        public Bounds(StepBudget budget) {
            this.budget = budget;
        }

        /**
         * Returns rectangles around the geometry that is stored as this value; none if it is no
         * such geometry.
         *
         * @throws BudgetExceededException if it is too expensive to read, so that filters may fail
         *     on the document
         */
        public List<GeoBox> of(BsonValue value) {
            List<GeoBox> bounds = new ArrayList<>();
            read(value, budget)
                    .ifPresent(geometry ->
                            geometry.shapes.forEach(shape -> bounds.addAll(SphericalRegion.boxes(shape.bound()))));
            return bounds;
        }
    }

    List<GeoShape> shapes() {
        return shapes;
    }

    /** Returns the angle to its nearest part, in radians. */
    public double distance(GeoPosition from) {
        S2Point point = SphericalRegion.point(from);
        return shapes.stream().mapToDouble(shape -> shape.distance(point)).min().orElseThrow();
    }
}

package io.invalidb.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2LatLngRect;
import com.google.common.geometry.S2Point;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * A region of the sphere, evaluated with S2 as in MongoDB. Edges are the shortest paths on the
 * sphere. A point is inside if the smallest cell around it, of about a centimetre, touches the
 * region. Loaded with the first query that needs it.
 */
public final class SphericalRegion implements GeoRegion {

    private static final int MAX_CORNERS = 1_000;

    /** Cost of a corner, in steps of a {@link StepBudget}. */
    private static final long STEPS_PER_CORNER = 10;

    /** Cost of a corner of a stored geometry, which is not in an index yet, in steps. */
    private static final long STEPS_PER_STORED_CORNER = 400;

    /** Margin of about six metres, in radians: far more than the smallest cell. */
    private static final S1Angle MARGIN = S1Angle.radians(1e-6);

    private final List<Part> parts;
    private final boolean isWhole;
    private final long steps;
    private final BsonDocument form;

    /**
     * Creates a region. With {@code isWhole} it matches only geometries of which it matches all
     * shapes.
     */
    private SphericalRegion(List<Part> parts, boolean isWhole, BsonDocument form) {
        this.parts = parts;
        this.isWhole = isWhole;
        this.steps = parts.stream().mapToLong(Part::steps).sum();
        this.form = form;
    }

    /** One part, connected or not, with its matching function. */
    private record Part(S2LatLngRect bound, int corners, ShapeTest finding, IntersectionCost cutting) {

        static Part of(GeoShape shape, ShapeTest finding) {
            return new Part(shape.bound().expandedByDistance(MARGIN), shape.corners(), finding, shape::meterCuts);
        }

        long steps() {
            return STEPS_PER_CORNER * (1L + corners);
        }

        boolean finds(GeoShape shape, StepBudget stepBudget) {
            stepBudget.spend(1);
            if (!bound.intersects(shape.bound())) {
                return false;
            }
            stepBudget.spend(steps() + STEPS_PER_STORED_CORNER * shape.corners());
            cutting.meter(shape, stepBudget);
            return finding.finds(shape);
        }
    }

    /**
     * The test whether a shape is in a part or, with {@code $geoIntersects}, has a point in common
     * with it.
     */
    private interface ShapeTest {
        boolean finds(GeoShape shape);
    }

    /** The charge for the intersection of a shape and a part. */
    private interface IntersectionCost {
        void meter(GeoShape shape, StepBudget stepBudget);
    }

    /** Returns the cap of {@code $centerSphere}, the radius in radians. */
    static SphericalRegion cap(GeoPosition center, double radius) {
        S2Cap cap = S2Cap.fromAxisAngle(point(center), S1Angle.radians(radius));
        BsonArray operand = GeoOperandParser.array(List.of(center.toBson(), GeoOperandParser.number(radius)));
        Part part = new Part(
                cap.getRectBound().expandedByDistance(MARGIN),
                1,
                shape -> shape.isWithin(cap),
                (shape, stepBudget) -> {});
        return new SphericalRegion(List.of(part), true, new BsonDocument("$centerSphere", operand));
    }

    /** Returns rectangles that cover all positions up to that many radians away. */
    public static List<GeoBox> around(GeoPosition center, double radius) {
        return boxes(S2Cap.fromAxisAngle(point(center), S1Angle.radians(Math.min(radius, Math.PI)))
                .getRectBound());
    }

    @Override
    public List<GeoBox> bounds() {
        List<GeoBox> bounds = new ArrayList<>();
        parts.forEach(part -> bounds.addAll(boxes(part.bound)));
        return bounds;
    }

    /** Returns the boxes of a rectangle: two if it crosses the date line. */
    static List<GeoBox> boxes(S2LatLngRect rectangle) {
        S2LatLngRect wide = rectangle.expandedByDistance(MARGIN);
        double west = Math.toDegrees(wide.lng().lo());
        double east = Math.toDegrees(wide.lng().hi());
        double south = Math.toDegrees(wide.lat().lo());
        double north = Math.toDegrees(wide.lat().hi());
        return wide.lng().isInverted()
                ? List.of(GeoBox.withMargin(west, south, 180, north), GeoBox.withMargin(-180, south, east, north))
                : List.of(GeoBox.withMargin(west, south, east, north));
    }

    /**
     * Returns the region for shapes within a {@code $geometry} that is an area: Polygon or
     * MultiPolygon.
     */
    static SphericalRegion within(BsonDocument geometry) {
        String type = GeoOperandParser.type(geometry);
        if (!type.equals("Polygon") && !type.equals("MultiPolygon")) {
            throw new QuerySyntaxException("$geoWithin takes a Polygon or a MultiPolygon");
        }
        return of(geometry, true);
    }

    /** Returns the region for shapes that intersect a {@code $geometry} of any type. */
    static SphericalRegion intersecting(BsonDocument geometry) {
        return of(geometry, false);
    }

    private static SphericalRegion of(BsonDocument geometry, boolean isWhole) {
        GeoJsonReader reader = new GeoJsonReader(new Limit());
        BsonDocument form = reader.read(geometry);
        List<Part> parts = reader.shapes().stream()
                .map(shape -> Part.of(shape, isWhole ? shape::contains : shape::intersects))
                .toList();
        return new SphericalRegion(parts, isWhole, new BsonDocument("$geometry", form));
    }

    /** The complexity limit of geometries in queries. */
    private static final class Limit implements GeoJsonReader.ComplexityLimit {

        private int corners = 0;

        @Override
        public void corner() {
            if (++corners > MAX_CORNERS) {
                throw new QueryNotSupportedException("A geometry has at most " + MAX_CORNERS + " points");
            }
        }

        @Override
        public void rings(int count) {
            if (count > MAX_CORNERS) {
                throw new QueryNotSupportedException("A polygon has at most " + MAX_CORNERS + " rings");
            }
        }
    }

    @Override
    public boolean contains(GeoPosition place) {
        if (!place.isOnSphere()) {
            return false;
        }
        GeoShape spot = GeoShape.Point.at(place);
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).finding.finds(spot)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean finds(StoredGeometry geometry, StepBudget stepBudget) {
        return isWhole
                ? geometry.shapes().stream().allMatch(shape -> finds(shape, stepBudget))
                : geometry.shapes().stream().anyMatch(shape -> finds(shape, stepBudget));
    }

    private boolean finds(GeoShape shape, StepBudget stepBudget) {
        return parts.stream().anyMatch(part -> part.finds(shape, stepBudget));
    }

    @Override
    public long steps() {
        return steps;
    }

    @Override
    public BsonDocument toBson() {
        return form;
    }

    static S2Point point(GeoPosition place) {
        return S2LatLng.fromDegrees(place.y(), place.x()).normalized().toPoint();
    }

    /** Returns the angle between two positions, in radians. */
    public static double distance(GeoPosition one, GeoPosition other) {
        return point(one).angle(point(other));
    }
}

package io.invalidb.query.filter;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.geo.CoordinateReferenceSystem;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoOperandParser;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.GeoRegion;
import io.invalidb.query.geo.SphericalRegion;
import io.invalidb.query.geo.StoredGeometry;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A predicate on the distance of a position, which can also order the result by distance. It orders
 * the result, nearest first, if it is the only near predicate of its filter.
 *
 * @param metric measure of distances
 * @param minDistance minimum distance, in the unit of the metric
 * @param maxDistance maximum distance, infinite without a bound
 */
record NearPredicate(Metric metric, GeoPosition center, double minDistance, double maxDistance)
        implements ValuePredicate {

    /** Cost of one distance in steps. */
    private static final long STEPS_PER_MEASUREMENT = 20;

    /** The measures of the distance of two positions, with their spelling in queries. */
    enum Metric {
        /** Distance along the sphere in metres, from a point in GeoJSON. */
        METRES("$nearSphere"),
        /** Angle on the sphere in radians, from a pair of numbers. */
        RADIANS("$nearSphere"),
        /** Distance on the plane. */
        PLANE("$near");

        private final String operator;

        Metric(String operator) {
            this.operator = operator;
        }

        /** Returns the distance of a geometry; geometries are measured on the sphere only. */
        private double distance(GeoPosition from, StoredGeometry to) {
            return switch (this) {
                case METRES -> to.distance(from) * GeoPosition.EARTH_RADIUS;
                case RADIANS -> to.distance(from);
                case PLANE -> Double.NaN;
            };
        }

        private double distance(GeoPosition one, GeoPosition other) {
            return switch (this) {
                case METRES -> SphericalRegion.distance(one, other) * GeoPosition.EARTH_RADIUS;
                case RADIANS -> SphericalRegion.distance(one, other);
                case PLANE -> GeoRegion.Circle.distance(one, other);
            };
        }
    }

    /**
     * Parses the operand of {@code $near} or {@code $nearSphere}; distances may be inside of it or
     * beside it.
     */
    static NearPredicate parse(String operator, BsonValue operand, BsonDocument siblings) {
        if (operand instanceof BsonDocument document && document.containsKey("$geometry")) {
            return of(Metric.METRES, point(operator, document), document);
        }
        if (operand instanceof BsonDocument document && document.containsKey("type")) {
            return of(Metric.METRES, point(operator, new BsonDocument("$geometry", document)), siblings);
        }
        return operator.equals("$nearSphere")
                ? of(Metric.RADIANS, GeoPosition.parseOnSphere(operator, operand), siblings)
                : of(Metric.PLANE, GeoPosition.parse(operator, operand), siblings);
    }

    private static NearPredicate of(Metric metric, GeoPosition center, BsonDocument bounds) {
        return new NearPredicate(
                metric,
                center,
                bound(metric, bounds, "$minDistance", 0),
                bound(metric, bounds, "$maxDistance", Double.POSITIVE_INFINITY));
    }

    /** Parses a bound, which has to be finite only in metres, as in MongoDB. */
    private static double bound(Metric metric, BsonDocument bounds, String operator, double otherwise) {
        BsonValue bound = bounds.get(operator);
        double distance = bound == null ? otherwise : GeoOperandParser.distance(operator, bound);
        if (bound != null && metric == Metric.METRES && !Double.isFinite(distance)) {
            throw new QuerySyntaxException(operator + " takes a finite distance");
        }
        return distance;
    }

    private static GeoPosition point(String operator, BsonDocument operand) {
        BsonDocument geometry =
                operand.get("$geometry") instanceof BsonDocument document ? document : new BsonDocument();
        if (!GeoOperandParser.type(geometry).equals("Point")
                || !(geometry.get("coordinates") instanceof BsonArray pair)) {
            throw new QuerySyntaxException(operator + " takes a Point");
        }
        if (!CoordinateReferenceSystem.isSphere(geometry.get("crs"))) {
            throw new QueryNotSupportedException("Only the default coordinate reference system is supported");
        }
        return GeoPosition.parseOnSphere(operator, pair);
    }

    @Override
    public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
        stepBudget.spend(STEPS_PER_MEASUREMENT);
        return isWithin(distance(value, stepBudget));
    }

    /**
     * Tests all values, so that every matching document can also be {@linkplain #distance sorted},
     * at no higher cost.
     */
    @Override
    public boolean test(BsonDocument document, FieldPath path, StepBudget stepBudget) {
        return nearest(document, path, stepBudget).found;
    }

    NearPredicate withMaxDistance(double otherMost) {
        return new NearPredicate(metric, center, minDistance, otherMost);
    }

    private boolean isWithin(double distance) {
        return distance >= minDistance && distance <= maxDistance;
    }

    /** Returns the distance of a value; NaN if it is neither a position nor a geometry. */
    private double distance(@Nullable BsonValue value, StepBudget stepBudget) {
        Optional<GeoPosition> place = GeoPosition.stored(value);
        return place.isPresent()
                ? distance(place.get())
                : StoredGeometry.read(value, stepBudget)
                        .map(geometry -> metric.distance(center, geometry))
                        .orElse(Double.NaN);
    }

    private double distance(GeoPosition place) {
        return metric == Metric.PLANE || place.isOnSphere() ? metric.distance(center, place) : Double.NaN;
    }

    /**
     * Returns rectangles that cover every finite position that passes; none if there is no maximum
     * distance.
     */
    private List<GeoBox> bounds() {
        if (maxDistance == Double.POSITIVE_INFINITY) {
            return List.of();
        }
        return switch (metric) {
            case METRES -> SphericalRegion.around(center, maxDistance / GeoPosition.EARTH_RADIUS);
            case RADIANS -> SphericalRegion.around(center, maxDistance);
            case PLANE -> new GeoRegion.Circle(center, maxDistance).bounds();
        };
    }

    /**
     * Returns the smallest distance within the bounds that a document has at a path; infinite if
     * there is none.
     */
    double distance(BsonDocument document, FieldPath path, StepBudget stepBudget) {
        return nearest(document, path, stepBudget).distance;
    }

    private Nearest nearest(BsonDocument document, FieldPath path, StepBudget stepBudget) {
        Nearest nearest = new Nearest(this);
        boolean unused = path.any(document, true, nearest, stepBudget);
        return nearest;
    }

    private static final class Nearest implements FieldPath.Visitor {

        private final NearPredicate test;
        private double distance = Double.POSITIVE_INFINITY;
        private boolean found;

        Nearest(NearPredicate test) {
            this.test = test;
        }

        @Override
        public boolean accepts(@Nullable BsonValue value, StepBudget stepBudget) {
            stepBudget.spend(STEPS_PER_MEASUREMENT);
            double measured = test.distance(value, stepBudget);
            if (test.isWithin(measured)) {
                found = true;
                distance = Math.min(distance, measured);
            }
            return false;
        }
    }

    @Override
    public int nearPredicates() {
        return 1;
    }

    @Override
    public Optional<ProximityCriterion> proximityAt(FieldPath path) {
        return Optional.of(new ProximityCriterion(path, this));
    }

    @Override
    public NecessaryCondition valueCondition(String path) {
        return NecessaryConditions.area(path, bounds());
    }

    @Override
    public void writeTo(BsonDocument operators) {
        if (metric == Metric.METRES) {
            BsonDocument point =
                    new BsonDocument("type", new BsonString("Point")).append("coordinates", center.toBson());
            BsonDocument operand = new BsonDocument("$geometry", point);
            putBounds(operand);
            operators.put(metric.operator, operand);
        } else {
            operators.put(metric.operator, center.toBson());
            putBounds(operators);
        }
    }

    private void putBounds(BsonDocument target) {
        if (minDistance > 0) {
            target.put("$minDistance", GeoOperandParser.number(minDistance));
        }
        if (maxDistance < Double.POSITIVE_INFINITY) {
            target.put("$maxDistance", GeoOperandParser.number(maxDistance));
        }
    }
}

package io.invalidb.query.geo;

import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2LatLngRect;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import io.invalidb.query.StepBudget;
import java.util.List;

/**
 * A point, a line or an area on the sphere. S2 decides whether two of them meet at a border, as in
 * MongoDB.
 */
sealed interface GeoShape permits GeoShape.Point, GeoShape.Line, GeoShape.Area {

    /** Returns whether the shapes have a point in common. */
    boolean intersects(GeoShape other);

    /** Returns whether this shape and a point have a point in common. */
    boolean intersectsPoint(Point point);

    /** Returns whether this shape and a line have a point in common. */
    boolean intersectsLine(Line other);

    /** Returns whether this shape and an area have a point in common. */
    boolean intersectsArea(Area area);

    /** Returns whether this shape contains all of the other one. Only areas contain something. */
    default boolean contains(GeoShape other) {
        return false;
    }

    /** Returns whether the area contains all of this shape. */
    boolean isWithin(Area area);

    /**
     * Returns whether the cap contains all of this shape: a line or an area that is far enough from
     * the center of the cap's complement.
     */
    default boolean isWithin(S2Cap cap) {
        S2Cap rest = cap.complement();
        return distance(rest.axis()) >= rest.angle().radians();
    }

    /** Returns the angle to its nearest part, in radians. */
    double distance(S2Point from);

    S2LatLngRect bound();

    int corners();

    /**
     * Charges the cost of cutting a line at the borders of an area, which S2 does at each crossing
     * before the result is known: a zigzag and a comb of a thousand corners each cross a million
     * times.
     */
    default void meterCuts(GeoShape other, StepBudget stepBudget) {}

    /** Charges the cost of cutting a line at the borders of this shape. */
    default void meterCutsOfLine(Line line, StepBudget stepBudget) {}

    /** Charges the cost of cutting this shape at the borders of an area. */
    default void meterCutsByArea(Area area, StepBudget stepBudget) {}

    /** The crossings of lines with the borders of areas. */
    final class CrossingCost {

        /** Number of pairs of edges whose crossings are cheap. Each further pair is a step. */
        private static final long FEW_PAIRS = 2_000;

        private static final long STEPS_PER_CUT = 100;

        private CrossingCost() {}

        private static void meter(S2Polygon polygon, S2Polyline line, StepBudget stepBudget) {
            long pairs = (long) polygon.getNumVertices() * line.numVertices();
            if (pairs > FEW_PAIRS) {
                stepBudget.spend(pairs);
                for (int i = 0; i < polygon.numLoops(); i++) {
                    meter(polygon.loop(i), line, stepBudget);
                }
            }
        }

        private static void meter(S2Loop loop, S2Polyline line, StepBudget stepBudget) {
            for (int i = 1; i < line.numVertices(); i++) {
                S2EdgeUtil.EdgeCrosser edge =
                        new S2EdgeUtil.EdgeCrosser(line.vertex(i - 1), line.vertex(i), loop.vertex(0));
                for (int corner = 1; corner <= loop.numVertices(); corner++) {
                    stepBudget.spend(edge.robustCrossing(loop.vertex(corner)) >= 0 ? STEPS_PER_CUT : 0);
                }
            }
        }
    }

    /** A point on the sphere, as large as the smallest S2 cell around it, about a centimetre. */
    record Point(S2Point point, S2Cell cell) implements GeoShape {

        static Point at(GeoPosition place) {
            S2Point point = SphericalRegion.point(place);
            return new Point(point, new S2Cell(point));
        }

        @Override
        public boolean intersects(GeoShape other) {
            return other.intersectsPoint(this);
        }

        @Override
        public boolean intersectsPoint(Point other) {
            return cell.id().equals(other.cell.id());
        }

        @Override
        public boolean intersectsLine(Line other) {
            return other.line.mayIntersect(cell);
        }

        @Override
        public boolean intersectsArea(Area area) {
            return area.touches(this);
        }

        @Override
        public boolean isWithin(Area area) {
            return area.touches(this);
        }

        @Override
        public boolean isWithin(S2Cap cap) {
            return cap.mayIntersect(cell);
        }

        @Override
        public double distance(S2Point from) {
            return from.angle(point);
        }

        @Override
        public S2LatLngRect bound() {
            return cell.getRectBound();
        }

        @Override
        public int corners() {
            return 1;
        }
    }

    /** A line of the shortest paths from corner to corner. */
    record Line(S2Polyline line) implements GeoShape {

        /** Rounding of calculated points, in radians: below a tenth of a millimetre. */
        private static final double ROUNDING = 1e-11;

        @Override
        public boolean intersects(GeoShape other) {
            return other.intersectsLine(this);
        }

        @Override
        public boolean intersectsPoint(Point point) {
            return line.mayIntersect(point.cell());
        }

        @Override
        public boolean intersectsLine(Line other) {
            return other.line.intersects(line);
        }

        @Override
        public boolean intersectsArea(Area area) {
            return !area.polygon.intersectWithPolyline(line).isEmpty();
        }

        @Override
        public boolean isWithin(Area area) {
            return isWhole(area.polygon.intersectWithPolyline(line));
        }

        @Override
        public void meterCuts(GeoShape other, StepBudget stepBudget) {
            other.meterCutsOfLine(this, stepBudget);
        }

        @Override
        public void meterCutsByArea(Area area, StepBudget stepBudget) {
            CrossingCost.meter(area.polygon, line, stepBudget);
        }

        /**
         * Returns whether the parts of it inside of an area form one line, from its beginning to
         * its end.
         */
        private boolean isWhole(List<S2Polyline> inside) {
            return inside.size() == 1
                    && inside.get(0).vertex(0).angle(line.vertex(0)) <= ROUNDING
                    && last(inside.get(0)).angle(last(line)) <= ROUNDING
                    && length(line) - length(inside.get(0)) <= ROUNDING;
        }

        private static S2Point last(S2Polyline line) {
            return line.vertex(line.numVertices() - 1);
        }

        private static double length(S2Polyline line) {
            return line.getArclengthAngle().radians();
        }

        @Override
        public double distance(S2Point from) {
            double distance = Double.POSITIVE_INFINITY;
            for (int i = 1; i < line.numVertices(); i++) {
                distance = Math.min(
                        distance,
                        S2EdgeUtil.getDistance(from, line.vertex(i - 1), line.vertex(i))
                                .radians());
            }
            return distance;
        }

        @Override
        public S2LatLngRect bound() {
            return line.getRectBound();
        }

        @Override
        public int corners() {
            return line.numVertices();
        }
    }

    /** A polygon, possibly with holes. */
    record Area(S2Polygon polygon) implements GeoShape {

        @Override
        public boolean intersects(GeoShape other) {
            return other.intersectsArea(this);
        }

        @Override
        public boolean intersectsPoint(Point point) {
            return touches(point);
        }

        @Override
        public boolean intersectsLine(Line other) {
            return !polygon.intersectWithPolyline(other.line()).isEmpty();
        }

        @Override
        public boolean intersectsArea(Area other) {
            return other.polygon.intersects(polygon);
        }

        @Override
        public boolean contains(GeoShape other) {
            return other.isWithin(this);
        }

        @Override
        public boolean isWithin(Area area) {
            return area.polygon.contains(polygon);
        }

        @Override
        public void meterCuts(GeoShape other, StepBudget stepBudget) {
            other.meterCutsByArea(this, stepBudget);
        }

        @Override
        public void meterCutsOfLine(Line line, StepBudget stepBudget) {
            CrossingCost.meter(polygon, line.line(), stepBudget);
        }

        /**
         * Returns whether the area touches a point; {@code mayIntersect} is fast and has a margin.
         */
        private boolean touches(Point spot) {
            return polygon.contains(spot.point())
                    || (polygon.mayIntersect(spot.cell()) && new S2Polygon(spot.cell()).intersects(polygon));
        }

        @Override
        public double distance(S2Point from) {
            return polygon.getDistance(from).radians();
        }

        @Override
        public S2LatLngRect bound() {
            return polygon.getRectBound();
        }

        @Override
        public int corners() {
            return polygon.getNumVertices();
        }
    }
}

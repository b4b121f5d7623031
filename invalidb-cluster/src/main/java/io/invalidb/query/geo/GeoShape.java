package io.invalidb.query.geo;

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

    /** Returns whether this shape contains all of the other one. Only areas contain something. */
    boolean contains(GeoShape other);

    /** Returns the angle to its nearest part, in radians. */
    double distance(S2Point from);

    S2LatLngRect bound();

    int corners();

    /**
     * Charges the cost of cutting a line at the borders of an area, which S2 does at each crossing
     * before the result is known: a zigzag and a comb of a thousand corners each cross a million
     * times.
     */
    static void meterCuts(GeoShape one, GeoShape other, StepBudget stepBudget) {
        if (one instanceof Area area && other instanceof Line line) {
            CrossingCost.meter(area.polygon, line.line, stepBudget);
        } else if (one instanceof Line line && other instanceof Area area) {
            CrossingCost.meter(area.polygon, line.line, stepBudget);
        }
    }

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
            return other instanceof Point spot ? cell.id().equals(spot.cell.id()) : other.intersects(this);
        }

        @Override
        public boolean contains(GeoShape other) {
            return false;
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
            if (other instanceof Point spot) {
                return line.mayIntersect(spot.cell());
            }
            return other instanceof Line that ? line.intersects(that.line) : other.intersects(this);
        }

        @Override
        public boolean contains(GeoShape other) {
            return false;
        }

        /**
         * Returns whether the parts of it inside of an area form one line, from its beginning to
         * its end.
         */
        boolean isWhole(List<S2Polyline> inside) {
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
            if (other instanceof Point spot) {
                return touches(spot);
            }
            return other instanceof Line line
                    ? !polygon.intersectWithPolyline(line.line()).isEmpty()
                    : polygon.intersects(((Area) other).polygon);
        }

        @Override
        public boolean contains(GeoShape other) {
            if (other instanceof Point spot) {
                return touches(spot);
            }
            return other instanceof Line line
                    ? line.isWhole(polygon.intersectWithPolyline(line.line()))
                    : polygon.contains(((Area) other).polygon);
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

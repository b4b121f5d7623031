package io.invalidb.query.geo;

import io.invalidb.query.StepBudget;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.bson.BsonDocument;

/** A region of the plane or of the sphere, its borders included. */
public interface GeoRegion {

    /**
     * Returns whether the position is in the region; positions off the sphere are in no part of it.
     */
    boolean contains(GeoPosition place);

    /**
     * Returns whether the region matches a stored geometry: never on the plane, where MongoDB
     * ignores geometries.
     */
    default boolean finds(StoredGeometry geometry, StepBudget stepBudget) {
        return false;
    }

    /** Returns the cost of {@link #contains}, in steps of a {@link StepBudget}. */
    long steps();

    /** Returns rectangles that cover every finite position of it; none if it has no bounds. */
    List<GeoBox> bounds();

    /**
     * Returns the region as the operand of a geo operator, which parses back to an equal region.
     */
    BsonDocument toBson();

    /** The rectangle of {@code $box}. */
    record Box(GeoPosition least, GeoPosition most) implements GeoRegion {

        static Box between(GeoPosition one, GeoPosition other) {
            return new Box(
                    new GeoPosition(Math.min(one.x(), other.x()), Math.min(one.y(), other.y())),
                    new GeoPosition(Math.max(one.x(), other.x()), Math.max(one.y(), other.y())));
        }

        @Override
        public boolean contains(GeoPosition place) {
            return place.x() >= least.x() && place.x() <= most.x() && place.y() >= least.y() && place.y() <= most.y();
        }

        @Override
        public long steps() {
            return 1;
        }

        @Override
        public List<GeoBox> bounds() {
            return List.of(new GeoBox(least.x(), least.y(), most.x(), most.y()));
        }

        @Override
        public BsonDocument toBson() {
            return new BsonDocument("$box", GeoOperandParser.array(List.of(least.toBson(), most.toBson())));
        }
    }

    /** The circle of {@code $center}. */
    record Circle(GeoPosition center, double radius) implements GeoRegion {

        @Override
        public boolean contains(GeoPosition place) {
            return distance(center, place) - radius <= 0;
        }

        public static double distance(GeoPosition one, GeoPosition other) {
            double a = one.x() - other.x();
            double b = one.y() - other.y();
            return a == 0 || b == 0 ? Math.abs(a + b) : Math.sqrt(a * a + b * b);
        }

        @Override
        public long steps() {
            return 1;
        }

        @Override
        public List<GeoBox> bounds() {
            GeoBox box = GeoBox.withMargin(
                    center.x() - radius, center.y() - radius, center.x() + radius, center.y() + radius);
            return box.isFinite() ? List.of(box) : List.of();
        }

        @Override
        public BsonDocument toBson() {
            return new BsonDocument(
                    "$center", GeoOperandParser.array(List.of(center.toBson(), GeoOperandParser.number(radius))));
        }
    }

    /**
     * The polygon of {@code $polygon}: it contains a position if a ray to the left crosses its
     * border an odd number of times.
     */
    record Polygon(List<GeoPosition> corners) implements GeoRegion {

        @Override
        public boolean contains(GeoPosition place) {
            boolean inside = false;
            GeoPosition from = corners.get(corners.size() - 1);
            for (int i = 0; i < corners.size(); i++) {
                GeoPosition to = corners.get(i);
                if (isOn(place, from, to)) {
                    return true;
                }
                inside ^= isBeside(place, from, to) && crosses(place, from, to);
                from = to;
            }
            return inside;
        }

        /**
         * Returns whether the position is on an edge. Corners and edges along the axes belong to
         * the polygon; for others the ray decides.
         */
        private static boolean isOn(GeoPosition place, GeoPosition from, GeoPosition to) {
            boolean isCorner = place.equals(from) || place.equals(to);
            boolean isLevel = from.y() == to.y()
                    && place.y() == from.y()
                    && place.x() >= Math.min(from.x(), to.x())
                    && place.x() <= Math.max(from.x(), to.x());
            boolean isUpright = from.x() == to.x() && place.x() == from.x() && isBeside(place, from, to);
            return isCorner || isLevel || isUpright;
        }

        /**
         * Returns whether the position is at the height of the edge, its lower end excluded, and
         * not to the right of it.
         */
        private static boolean isBeside(GeoPosition place, GeoPosition from, GeoPosition to) {
            return place.y() > Math.min(from.y(), to.y())
                    && place.y() <= Math.max(from.y(), to.y())
                    && place.x() <= Math.max(from.x(), to.x());
        }

        private static boolean crosses(GeoPosition place, GeoPosition from, GeoPosition to) {
            double at = (place.y() - from.y()) * (to.x() - from.x()) / (to.y() - from.y()) + from.x();
            return from.x() == to.x() || place.x() <= at;
        }

        @Override
        public long steps() {
            return corners.size();
        }

        @Override
        public List<GeoBox> bounds() {
            DoubleSummaryStatistics x =
                    corners.stream().mapToDouble(GeoPosition::x).summaryStatistics();
            DoubleSummaryStatistics y =
                    corners.stream().mapToDouble(GeoPosition::y).summaryStatistics();
            return List.of(GeoBox.withMargin(x.getMin(), y.getMin(), x.getMax(), y.getMax()));
        }

        @Override
        public BsonDocument toBson() {
            return new BsonDocument(
                    "$polygon",
                    GeoOperandParser.array(
                            corners.stream().map(GeoPosition::toBson).toList()));
        }
    }
}

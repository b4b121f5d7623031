package io.invalidb.query;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2LatLngRect;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A part of the sphere. Like MongoDB it uses S2, where edges are the shortest ways on the sphere, and counts a place as inside
 * if the smallest cell around it, of about a centimetre, touches the region. Loaded with the first query that needs it.
 */
final class GeoSphere implements GeoRegion {

    private static final int MAX_CORNERS = 1_000;

    /** Those of a {@link Budget}. */
    private static final long STEPS_PER_CORNER = 10;

    /** About six metres, in radians: far more than the smallest cell. */
    private static final S1Angle MARGIN = S1Angle.radians(1e-6);

    private final List<Shape> shapes;
    private final long steps;
    private final BsonDocument form;

    private GeoSphere(List<Shape> shapes, int corners, BsonDocument form) {
        this.shapes = shapes;
        this.steps = STEPS_PER_CORNER * (1L + corners);
        this.form = form;
    }

    /** One connected or unconnected part, which the rectangle holds. */
    private record Shape(S2LatLngRect bound, Touching touching) {}

    /** Whether a part is at a place, or at the smallest cell around it. */
    private interface Touching {
        boolean touches(S2Point point, S2Cell cell);
    }

    /** {@code $centerSphere}, the radius in radians. */
    static GeoSphere cap(GeoPosition center, double radius) {
        S2Cap cap = S2Cap.fromAxisAngle(point(center), S1Angle.radians(radius));
        BsonArray operand = GeoOperand.array(List.of(center.toBson(), GeoOperand.number(radius)));
        Shape shape = new Shape(cap.getRectBound(), (point, cell) -> cap.mayIntersect(cell));
        return new GeoSphere(List.of(shape), 1, new BsonDocument("$centerSphere", operand));
    }

    /** Rectangles that hold all places up to that many radians away. */
    static List<GeoBox> around(GeoPosition center, double radius) {
        return boxes(S2Cap.fromAxisAngle(point(center), S1Angle.radians(Math.min(radius, Math.PI)))
                .getRectBound());
    }

    @Override
    public List<GeoBox> bounds() {
        List<GeoBox> bounds = new ArrayList<>();
        shapes.forEach(shape -> bounds.addAll(boxes(shape.bound)));
        return bounds;
    }

    /** Two if the rectangle lies on both sides of the date line. */
    private static List<GeoBox> boxes(S2LatLngRect rectangle) {
        S2LatLngRect wide = rectangle.expandedByDistance(MARGIN);
        double west = Math.toDegrees(wide.lng().lo());
        double east = Math.toDegrees(wide.lng().hi());
        double south = Math.toDegrees(wide.lat().lo());
        double north = Math.toDegrees(wide.lat().hi());
        return wide.lng().isInverted()
                ? List.of(GeoBox.withMargin(west, south, 180, north), GeoBox.withMargin(-180, south, east, north))
                : List.of(GeoBox.withMargin(west, south, east, north));
    }

    /** {@code $geometry} with an area: Polygon or MultiPolygon. */
    static GeoSphere area(BsonDocument geometry) {
        String type = GeoOperand.type(geometry);
        if (!type.equals("Polygon") && !type.equals("MultiPolygon")) {
            throw new QuerySyntaxException("$geoWithin takes a Polygon or a MultiPolygon");
        }
        return geometry(geometry);
    }

    /** {@code $geometry} of any type. */
    static GeoSphere geometry(BsonDocument geometry) {
        if (!GeoReference.isSphere(geometry.get("crs"))) {
            throw new QueryNotSupportedException("Only the default coordinate reference system is supported");
        }
        List<Shape> shapes = new ArrayList<>();
        Reader reader = new Reader();
        BsonDocument form = reader.read(geometry, shapes);
        return new GeoSphere(List.copyOf(shapes), reader.corners, new BsonDocument("$geometry", form));
    }

    @Override
    public boolean contains(GeoPosition place) {
        if (!place.isOnSphere()) {
            return false;
        }
        S2Point point = point(place);
        S2Cell cell = new S2Cell(point);
        for (int i = 0; i < shapes.size(); i++) {
            if (shapes.get(i).touching.touches(point, cell)) {
                return true;
            }
        }
        return false;
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

    /** The angle between two places, in radians. */
    static double distance(GeoPosition one, GeoPosition other) {
        return point(one).angle(point(other));
    }

    /** Reads GeoJSON. */
    private static final class Reader {

        private int corners = 0;

        BsonDocument read(BsonDocument geometry, List<Shape> shapes) {
            String type = GeoOperand.type(geometry);
            if (type.equals("GeometryCollection")) {
                return collection(geometry, shapes);
            }
            BsonValue coordinates = geometry.get("coordinates", new BsonString("nowhere"));
            BsonValue form =
                    switch (type) {
                        case "Point" -> point(coordinates, shapes);
                        case "LineString" -> line(coordinates, shapes);
                        case "Polygon" -> polygon(coordinates, shapes);
                        case "MultiPoint" -> each(coordinates, part -> point(part, shapes));
                        case "MultiLineString" -> each(coordinates, part -> line(part, shapes));
                        case "MultiPolygon" -> each(coordinates, part -> polygon(part, shapes));
                        default -> throw new QuerySyntaxException("GeoJSON has no type '" + Excerpt.of(type) + "'");
                    };
            return new BsonDocument("type", new BsonString(type)).append("coordinates", form);
        }

        private BsonDocument collection(BsonDocument geometry, List<Shape> shapes) {
            BsonValue geometries = geometry.get("geometries", new BsonString("none"));
            BsonArray forms = each(geometries, part -> {
                if (!(part instanceof BsonDocument document)
                        || GeoOperand.type(document).equals("GeometryCollection")) {
                    throw new QuerySyntaxException("A GeometryCollection consists of simple geometries");
                }
                return read(document, shapes);
            });
            return new BsonDocument("type", new BsonString("GeometryCollection")).append("geometries", forms);
        }

        /** Reads one part of a geometry and gives its normal form. */
        private interface PartReader {
            BsonValue read(BsonValue part);
        }

        private static BsonArray each(BsonValue parts, PartReader reader) {
            if (!(parts instanceof BsonArray array) || array.isEmpty()) {
                throw new QuerySyntaxException("GeoJSON has arrays of coordinates that are not empty");
            }
            BsonArray forms = new BsonArray(array.size());
            array.forEach(part -> forms.add(reader.read(part)));
            return forms;
        }

        private GeoPosition corner(BsonValue value) {
            if (++corners > MAX_CORNERS) {
                throw new QueryNotSupportedException("A geometry has at most " + MAX_CORNERS + " points");
            }
            if (!value.isArray()) {
                throw new QuerySyntaxException("A position in GeoJSON is an array");
            }
            return GeoPosition.parseOnSphere("$geometry", value);
        }

        private BsonValue point(BsonValue value, List<Shape> shapes) {
            GeoPosition place = corner(value);
            S2Cell self = new S2Cell(GeoSphere.point(place));
            shapes.add(new Shape(self.getRectBound(), (point, cell) -> cell.id().equals(self.id())));
            return place.toBson();
        }

        private BsonValue line(BsonValue value, List<Shape> shapes) {
            List<S2Point> vertices = new ArrayList<>();
            BsonArray form = each(value, part -> vertex(part, vertices));
            S2Polyline line = new S2Polyline(vertices);
            if (vertices.size() < 2 || !line.isValid()) {
                throw new QuerySyntaxException("A LineString has two different points or more");
            }
            shapes.add(new Shape(line.getRectBound(), (point, cell) -> line.mayIntersect(cell)));
            return form;
        }

        /** Neighbours that are equal count once. */
        private BsonValue vertex(BsonValue value, List<S2Point> vertices) {
            GeoPosition place = corner(value);
            S2Point vertex = GeoSphere.point(place);
            if (vertices.isEmpty() || !vertices.get(vertices.size() - 1).equalsPoint(vertex)) {
                vertices.add(vertex);
            }
            return place.toBson();
        }

        private BsonValue polygon(BsonValue value, List<Shape> shapes) {
            List<S2Loop> loops = new ArrayList<>();
            BsonArray form = each(value, ring -> ring(ring, loops));
            S2Polygon polygon = polygon(loops);
            shapes.add(new Shape(
                    polygon.getRectBound(), (point, cell) -> polygon.contains(point) || touches(polygon, cell)));
            return form;
        }

        /** {@code mayIntersect} is quick and leaves a margin. */
        private static boolean touches(S2Polygon polygon, S2Cell cell) {
            return polygon.mayIntersect(cell) && new S2Polygon(cell).intersects(polygon);
        }

        private BsonValue ring(BsonValue value, List<S2Loop> loops) {
            List<S2Point> vertices = new ArrayList<>();
            BsonArray form = each(value, part -> vertex(part, vertices));
            boolean isClosed = vertices.get(0).equalsPoint(vertices.get(vertices.size() - 1));
            if (form.size() < 4 || !isClosed || vertices.size() < 4) {
                throw new QuerySyntaxException(
                        "A ring of a polygon has three different corners and ends where it starts");
            }
            S2Loop loop = new S2Loop(vertices.subList(0, vertices.size() - 1));
            require(loop.isValid());
            loop.normalize();
            require(loops.isEmpty() || loops.get(0).contains(loop));
            loops.add(loop);
            return form;
        }

        private static S2Polygon polygon(List<S2Loop> loops) {
            int rings = loops.size();
            require(rings == 1 || S2Polygon.isValid(loops));
            S2Polygon polygon = new S2Polygon(loops);
            require(polygon.isNormalized() && polygon.getLastDescendant(0) == rings - 1);
            for (int i = 0; i < rings; i++) {
                require(polygon.loop(i).depth() <= 1);
            }
            return polygon;
        }

        private static void require(boolean isValid) {
            if (!isValid) {
                throw new QuerySyntaxException(
                        "A polygon has a border that crosses itself or holes that are not within it");
            }
        }
    }
}

package io.invalidb.query.geo;

import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The reader of geometries in GeoJSON (RFC 7946), which also gives their normal form. A geometry
 * that MongoDB refuses is a {@link QuerySyntaxException}, another reference system a {@link
 * QueryNotSupportedException}.
 */
final class GeoJsonReader {

    private final ComplexityLimit complexityLimit;
    private final List<GeoShape> shapes = new ArrayList<>();

    /**
     * A limit on the corners and rings of a geometry, called before each of them is read. It may
     * refuse them by an exception.
     */
    interface ComplexityLimit {

        void corner();

        /** Called with the number of rings of one polygon, each of which is compared with each. */
        void rings(int count);
    }

    GeoJsonReader(ComplexityLimit complexityLimit) {
        this.complexityLimit = complexityLimit;
    }

    /** Returns the shapes read so far. */
    List<GeoShape> shapes() {
        return List.copyOf(shapes);
    }

    /** Reads a geometry and returns its normal form. */
    BsonDocument read(BsonDocument geometry) {
        String type = GeoOperandParser.type(geometry);
        if (type.equals("GeometryCollection")) {
            return collection(geometry);
        }
        if (!CoordinateReferenceSystem.isSphere(geometry.get("crs"))) {
            throw new QueryNotSupportedException("Only the default coordinate reference system is supported");
        }
        BsonValue coordinates = geometry.get("coordinates", new BsonString("nowhere"));
        BsonValue form =
                switch (type) {
                    case "Point" -> point(coordinates);
                    case "LineString" -> line(coordinates);
                    case "Polygon" -> polygon(coordinates);
                    case "MultiPoint" -> each(coordinates, this::point);
                    case "MultiLineString" -> each(coordinates, this::line);
                    case "MultiPolygon" -> each(coordinates, this::polygon);
                    default -> throw new QuerySyntaxException("GeoJSON has no type '" + Excerpt.of(type) + "'");
                };
        return new BsonDocument("type", new BsonString(type)).append("coordinates", form);
    }

    /**
     * Reads a collection. Its own reference system is ignored, as in MongoDB; those of its parts
     * count.
     */
    private BsonDocument collection(BsonDocument geometry) {
        BsonValue geometries = geometry.get("geometries", new BsonString("none"));
        BsonArray forms = each(geometries, part -> {
            if (!(part instanceof BsonDocument document)
                    || GeoOperandParser.type(document).equals("GeometryCollection")) {
                throw new QuerySyntaxException("A GeometryCollection consists of simple geometries");
            }
            return read(document);
        });
        return new BsonDocument("type", new BsonString("GeometryCollection")).append("geometries", forms);
    }

    /** A reader of one part of a geometry, which returns its normal form. */
    private interface PartReader {
        BsonValue read(BsonValue part);
    }

    private static BsonArray each(BsonValue parts, PartReader reader) {
        if (!(parts instanceof BsonArray array) || array.isEmpty()) {
            throw new QuerySyntaxException("GeoJSON has arrays of coordinates that are not empty");
        }
        BsonArray forms = new BsonArray();
        array.forEach(part -> forms.add(reader.read(part)));
        return forms;
    }

    private GeoPosition corner(BsonValue value) {
        complexityLimit.corner();
        if (!value.isArray()) {
            throw new QuerySyntaxException("A position in GeoJSON is an array");
        }
        return GeoPosition.parseOnSphere("$geometry", value);
    }

    private BsonValue point(BsonValue value) {
        GeoPosition place = corner(value);
        shapes.add(GeoShape.Point.at(place));
        return place.toBson();
    }

    private BsonValue line(BsonValue value) {
        List<S2Point> vertices = new ArrayList<>();
        BsonArray form = each(value, part -> vertex(part, vertices));
        S2Polyline line = new S2Polyline(vertices);
        if (vertices.size() < 2 || !line.isValid()) {
            throw new QuerySyntaxException("A LineString has two different points or more");
        }
        shapes.add(new GeoShape.Line(line));
        return form;
    }

    /** Reads a vertex; equal neighbours count once. */
    private BsonValue vertex(BsonValue value, List<S2Point> vertices) {
        GeoPosition place = corner(value);
        S2Point vertex = SphericalRegion.point(place);
        if (vertices.isEmpty() || !vertices.get(vertices.size() - 1).equalsPoint(vertex)) {
            vertices.add(vertex);
        }
        return place.toBson();
    }

    private BsonValue polygon(BsonValue value) {
        List<S2Loop> loops = new ArrayList<>();
        complexityLimit.rings(value instanceof BsonArray rings ? rings.size() : 0);
        BsonArray form = each(value, ring -> ring(ring, loops));
        shapes.add(new GeoShape.Area(polygon(loops)));
        return form;
    }

    private BsonValue ring(BsonValue value, List<S2Loop> loops) {
        List<S2Point> vertices = new ArrayList<>();
        BsonArray form = each(value, part -> vertex(part, vertices));
        boolean isClosed = vertices.get(0).equalsPoint(vertices.get(vertices.size() - 1));
        if (form.size() < 4 || !isClosed || vertices.size() < 4) {
            throw new QuerySyntaxException("A ring of a polygon has three different corners and ends where it starts");
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

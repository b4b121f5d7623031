package io.orestes.differential;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Places in all spellings and regions of the plane and of the sphere. */
final class Places implements Family {

    private final Dice dice;
    private final Values values;

    Places(Dice dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        return switch (dice.below(12)) {
            case 0 -> new BsonDocument("a", dice.some(0, 3, this::place));
            case 1 -> new BsonDocument("a", new BsonDocument("b", place()));
            case 2 -> new BsonDocument("a", dice.some(0, 2, () -> new BsonDocument("b", place())));
            case 3 -> new BsonDocument("a", values.value(2));
            case 4 -> new BsonDocument("a", odd());
            default -> new BsonDocument("a", place());
        };
    }

    private BsonValue place() {
        return dice.chance(50) ? pair() : dice.chance(80) ? point(pair()) : named();
    }

    private BsonDocument named() {
        BsonArray pair = pair();
        return new BsonDocument("x", pair.get(0)).append("y", pair.get(1));
    }

    private BsonValue odd() {
        return switch (dice.below(6)) {
            case 0 -> new BsonArray(List.of(new BsonInt32(1)));
            case 1 -> dice.some(2, 3, values::number);
            case 2 -> point(dice.some(1, 3, values::number));
            case 3 -> point(pair()).append("crs", crs());
            case 4 -> new BsonDocument("type", values.value(0)).append("coordinates", pair());
            default -> new BsonDocument("coordinates", pair()).append("type", new BsonString("Point"));
        };
    }

    static BsonDocument point(BsonArray coordinates) {
        return new BsonDocument("type", new BsonString("Point")).append("coordinates", coordinates);
    }

    private BsonDocument crs() {
        String name = dice.one(List.of("EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:1", "x"));
        return new BsonDocument("type", new BsonString("name"))
                .append("properties", new BsonDocument("name", new BsonString(name)));
    }

    private BsonArray pair() {
        if (dice.chance(50)) {
            return pair(dice.below(7) - 3, dice.below(7) - 3);
        }
        double scale = dice.one(List.of(1.0, 1.0, 30.0));
        return pair(dice.between(-6, 6) * scale, dice.between(-3, 3) * scale);
    }

    static BsonArray pair(double x, double y) {
        boolean whole = x == (int) x && y == (int) y;
        return new BsonArray(
                whole
                        ? List.of(new BsonInt32((int) x), new BsonInt32((int) y))
                        : List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    @Override
    public BsonDocument filter() {
        BsonDocument test = dice.chance(70)
                ? new BsonDocument(dice.chance(95) ? "$geoWithin" : "$within", region())
                : new BsonDocument("$geoIntersects", new BsonDocument("$geometry", geometry()));
        String path = dice.one(List.of("a", "a", "a", "a.b", "a.0"));
        return new BsonDocument(path, dice.chance(15) ? new BsonDocument("$not", test) : test);
    }

    private BsonDocument region() {
        return switch (dice.below(6)) {
            case 0 -> new BsonDocument("$box", new BsonArray(List.of(pair(), pair())));
            case 1 -> new BsonDocument("$center", new BsonArray(List.of(pair(), radius(4))));
            case 2 -> new BsonDocument("$centerSphere", new BsonArray(List.of(pair(), radius(0.2))));
            case 3 -> new BsonDocument("$polygon", dice.some(2, 6, this::pair));
            case 4 -> new BsonDocument("$geometry", multiPolygon());
            default -> new BsonDocument("$geometry", polygon());
        };
    }

    private BsonValue radius(double most) {
        return dice.chance(10) ? values.number() : new BsonDouble(dice.between(0, most));
    }

    private BsonDocument geometry() {
        return switch (dice.below(6)) {
            case 0 -> point(pair());
            case 1 -> of("LineString", dice.some(1, 4, this::pair));
            case 2 -> of("MultiPoint", dice.some(0, 4, this::pair));
            case 3 -> of("MultiLineString", dice.some(1, 2, () -> dice.some(2, 4, this::pair)));
            case 4 ->
                new BsonDocument("type", new BsonString("GeometryCollection"))
                        .append("geometries", dice.some(0, 2, this::polygon));
            default -> polygon();
        };
    }

    private BsonDocument polygon() {
        return of("Polygon", rings());
    }

    private BsonDocument multiPolygon() {
        return of("MultiPolygon", dice.some(1, 2, this::rings));
    }

    private static BsonDocument of(String type, BsonArray coordinates) {
        return new BsonDocument("type", new BsonString(type)).append("coordinates", coordinates);
    }

    /** Around a centre, perhaps with a hole around it. */
    private BsonArray rings() {
        if (dice.chance(10)) {
            return dice.some(0, 2, () -> dice.some(0, 5, this::pair));
        }
        double x = dice.below(5) - 2;
        double y = dice.below(5) - 2;
        double size = dice.one(List.of(1.0, 2.0, 3.0, 20.0));
        BsonArray rings = new BsonArray(List.of(ring(x, y, size)));
        if (dice.chance(30)) {
            rings.add(ring(x, y, size / 2));
        }
        return rings;
    }

    private BsonArray ring(double x, double y, double size) {
        List<BsonArray> corners = new ArrayList<>();
        int count = 3 + dice.below(5);
        boolean clockwise = dice.chance(50);
        for (int i = 0; i < count; i++) {
            double angle = 2 * Math.PI * i / count * (clockwise ? -1 : 1) + Math.PI / 4;
            double reach = size * (count == 4 ? Math.sqrt(2) : dice.between(0.8, 1.2));
            corners.add(pair(rounded(x + reach * Math.cos(angle), count), rounded(y + reach * Math.sin(angle), count)));
        }
        corners.add(corners.get(0).clone());
        return new BsonArray(corners);
    }

    /** Squares have their corners and edges where whole numbers are, so that places lie on borders. */
    private static double rounded(double value, int corners) {
        return corners == 4 ? Math.rint(value) : value;
    }
}

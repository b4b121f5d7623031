package io.orestes.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** GeoJSON of all kinds around the origin, some of it malformed. */
final class Geometries {

    private final SeededRandom dice;
    private final Supplier<BsonArray> pairs;

    /** Points and the ends of lines are chosen from these. */
    Geometries(SeededRandom dice, Supplier<BsonArray> pairs) {
        this.dice = dice;
        this.pairs = pairs;
    }

    /** Returns a geometry for a query. */
    BsonDocument any() {
        return switch (dice.below(8)) {
            case 0 -> of("Point", pairs.get());
            case 1 -> of("LineString", line(1));
            case 2 -> of("MultiPoint", dice.some(0, 4, pairs));
            case 3 -> of("MultiLineString", dice.some(1, 2, () -> line(2)));
            case 4 -> multiPolygon();
            case 5 -> collection();
            default -> polygon();
        };
    }

    /** Returns a geometry for a document: with more lines and areas, and more errors. */
    BsonDocument stored() {
        BsonDocument geometry =
                switch (dice.below(9)) {
                    case 0 -> of("MultiPoint", dice.some(0, 3, pairs));
                    case 1, 2, 3 -> of("LineString", line(2));
                    case 4 -> of("MultiLineString", dice.some(1, 2, () -> line(2)));
                    case 5 -> multiPolygon();
                    case 6 -> collection();
                    default -> polygon();
                };
        return dice.chance(10) ? distorted(geometry) : geometry;
    }

    private BsonDocument distorted(BsonDocument geometry) {
        BsonDocument distorted = geometry.clone();
        switch (dice.below(6)) {
            case 0 ->
                distorted.put("type", new BsonString(dice.one(List.of("Polygon", "LineString", "polygon", "Point"))));
            case 1 -> distorted.put("crs", Places.crs(dice));
            case 2 -> distorted.remove("type");
            case 3 -> distorted.put("coordinates", new BsonArray(List.of(of("LineString", line(2)))));
            case 4 -> spoil(distorted.values());
            default -> {
                BsonDocument first = new BsonDocument("note", new BsonString("x"));
                first.putAll(geometry);
                return first;
            }
        }
        return distorted;
    }

    /** Replaces the first value of the deepest arrays. */
    private void spoil(Iterable<BsonValue> values) {
        for (BsonValue value : values) {
            if (value instanceof BsonDocument document) {
                spoil(document.values());
            } else if (value instanceof BsonArray array && !array.isEmpty()) {
                if (array.get(0).isArray() || array.get(0).isDocument()) {
                    spoil(List.of(array.get(dice.below(array.size()))));
                } else {
                    array.set(dice.below(array.size()), new Values(dice).value(0));
                }
            }
        }
    }

    private BsonArray line(int least) {
        return dice.some(least, 4, this::end);
    }

    /**
     * Returns a point on no border of a square: where an end and an edge are in line up to the last
     * digit of their numbers, ours calculates exactly, and the S2 of the genuine server chooses a
     * side by the order of the numbers.
     */
    private BsonArray end() {
        return dice.chance(50)
                ? Places.pair((dice.below(24) - 11.5) / 2, (dice.below(12) - 5.5) / 2)
                : Places.pair(dice.between(-6, 6), dice.between(-3, 3));
    }

    private BsonDocument collection() {
        BsonArray parts = dice.some(0, 3, this::simple);
        return new BsonDocument("type", new BsonString("GeometryCollection")).append("geometries", parts);
    }

    private BsonDocument simple() {
        BsonDocument part =
                switch (dice.below(6)) {
                    case 0, 1 -> of("Point", pairs.get());
                    case 2 -> of("LineString", line(2));
                    case 3 -> dice.chance(20) ? of("MultiPoint", dice.some(0, 3, pairs)) : multiPolygon();
                    default -> polygon();
                };
        return dice.chance(5) ? part.append("crs", Places.crs(dice)) : part;
    }

    BsonDocument polygon() {
        return of("Polygon", rings());
    }

    BsonDocument multiPolygon() {
        return of("MultiPolygon", dice.some(1, 2, this::rings));
    }

    static BsonDocument of(String type, BsonArray coordinates) {
        return new BsonDocument("type", new BsonString(type)).append("coordinates", coordinates);
    }

    /** Returns the ring around a centre, perhaps with a hole. */
    private BsonArray rings() {
        if (dice.chance(10)) {
            return dice.some(0, 2, () -> dice.some(0, 5, pairs));
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

    /**
     * Returns a ring that ends where it starts; squares have their corners and edges at whole
     * numbers.
     */
    BsonArray ring(double x, double y, double size) {
        List<BsonArray> corners = new ArrayList<>();
        int count = 3 + dice.below(5);
        boolean clockwise = dice.chance(50);
        for (int i = 0; i < count; i++) {
            double angle = 2 * Math.PI * i / count * (clockwise ? -1 : 1) + Math.PI / 4;
            double reach = size * (count == 4 ? Math.sqrt(2) : dice.between(0.8, 1.2));
            corners.add(Places.pair(
                    rounded(x + reach * Math.cos(angle), count), rounded(y + reach * Math.sin(angle), count)));
        }
        corners.add(corners.get(0).clone());
        return new BsonArray(corners);
    }

    private static double rounded(double value, int corners) {
        return corners == 4 ? Math.rint(value) : value;
    }
}

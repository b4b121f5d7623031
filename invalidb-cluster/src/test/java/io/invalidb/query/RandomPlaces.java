package io.invalidb.query;

import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Random positions and geometries in all spellings, many near the date line and the poles, and
 * filters on them that often match.
 */
public final class RandomPlaces {

    private static final double[] LONGITUDES = {0, 0.1, 90, 179.9, 180, -180, -179.9, -90};
    private static final double[] LATITUDES = {0, 0.1, 45, 89.9, 90, -90, -89.9};

    private final Random random;

    public RandomPlaces(long seed) {
        this.random = new Random(seed);
    }

    /** Returns a position, two of them, a geometry, or a similar value. */
    public BsonValue place() {
        return switch (random.nextInt(13)) {
            case 0 -> pair(random.nextInt(2) / 0.0, y());
            case 1 -> pair(x() * 3, y() * 1e300);
            case 2 -> new BsonDocument("x", number(x())).append("y", number(y()));
            case 3, 4 -> new BsonDocument("type", new BsonString("Point")).append("coordinates", pair(x(), y()));
            case 5 -> new BsonArray(List.of(pair(x(), y()), pair(x(), y())));
            case 6, 7, 8, 9, 10 -> geometry();
            default -> pair(x(), y());
        };
    }

    /** Returns a filter of one geo operator. */
    public BsonDocument filter(String path) {
        return new BsonDocument(path, operator());
    }

    private BsonDocument operator() {
        BsonValue distance = number(random.nextInt(4) * random.nextDouble());
        return switch (random.nextInt(9)) {
            case 7, 8 -> new BsonDocument("$geoIntersects", new BsonDocument("$geometry", geometry()));
            case 0 -> within("$box", new BsonArray(List.of(pair(x(), y()), pair(x(), y()))));
            case 1 -> within("$center", new BsonArray(List.of(pair(x(), y()), distance)));
            case 2 -> within("$centerSphere", new BsonArray(List.of(pair(x(), y()), distance)));
            case 3 -> within("$polygon", new BsonArray(List.of(pair(x(), y()), pair(x(), y()), pair(x(), y()))));
            case 4 -> within("$geometry", area());
            case 5 -> new BsonDocument("$near", pair(x(), y())).append("$maxDistance", distance);
            default ->
                new BsonDocument(
                        "$nearSphere",
                        new BsonDocument("$geometry", point())
                                .append("$maxDistance", number(random.nextInt(2_000_000))));
        };
    }

    private static BsonDocument within(String shape, BsonValue operand) {
        return new BsonDocument("$geoWithin", new BsonDocument(shape, operand));
    }

    private BsonDocument point() {
        return new BsonDocument("type", new BsonString("Point")).append("coordinates", pair(x(), y()));
    }

    /** Returns a line, an area of any size, or both. */
    private BsonDocument geometry() {
        return switch (random.nextInt(6)) {
            case 0 ->
                geoJson("LineString", new BsonArray(List.of(pair(x(), y()), pair(x(), slight()), pair(x(), y()))));
            case 1 -> geoJson("MultiPoint", new BsonArray(List.of(pair(x(), y()), pair(x(), y()))));
            case 2 -> geoJson("Polygon", new BsonArray(List.of(aroundPole(random.nextInt(60) + 20))));
            case 3 ->
                new BsonDocument("type", new BsonString("GeometryCollection"))
                        .append("geometries", new BsonArray(List.of(point(), area())));
            default -> area();
        };
    }

    private static BsonDocument geoJson(String type, BsonArray coordinates) {
        return new BsonDocument("type", new BsonString(type)).append("coordinates", coordinates);
    }

    private static BsonArray aroundPole(double y) {
        return new BsonArray(List.of(pair(0, y), pair(120, y), pair(-120, y), pair(0, y)));
    }

    /** Returns a triangle on the sphere, perhaps across the date line. */
    private BsonDocument area() {
        double x = random.nextInt(4) * 90 - 170 + slight();
        double y = random.nextInt(120) - 80;
        BsonArray ring = new BsonArray(
                List.of(pair(x, y), pair(around(x + 20 * random.nextDouble() + 5), y), pair(x, y + 20), pair(x, y)));
        return geoJson("Polygon", new BsonArray(List.of(ring)));
    }

    private static double around(double longitude) {
        return longitude > 180 ? longitude - 360 : longitude;
    }

    private double x() {
        return Math.max(-180, Math.min(180, LONGITUDES[random.nextInt(LONGITUDES.length)] + slight()));
    }

    private double y() {
        return Math.max(-90, Math.min(90, LATITUDES[random.nextInt(LATITUDES.length)] + slight()));
    }

    private double slight() {
        return random.nextInt(2) * random.nextGaussian();
    }

    private static BsonArray pair(double x, double y) {
        return new BsonArray(List.of(number(x), number(y)));
    }

    private static BsonValue number(double number) {
        return number == (int) number ? new BsonInt32((int) number) : new BsonDouble(number);
    }
}

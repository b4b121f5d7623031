package io.invalidb.query.geo;

import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.value.NumberOrder;
import java.util.Iterator;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A position on the plane or, in degrees, on the sphere.
 *
 * @param x longitude on the sphere
 * @param y latitude on the sphere
 */
public record GeoPosition(double x, double y) {

    /** Radius of the earth in metres, as in MongoDB. */
    public static final double EARTH_RADIUS = 6_378_100;

    /** Returns whether neither number is infinite or NaN. */
    public boolean isFinite() {
        return Double.isFinite(x) && Double.isFinite(y);
    }

    /** Returns whether longitude and latitude are within their bounds. */
    public boolean isOnSphere() {
        return Math.abs(x) <= 180 && Math.abs(y) <= 90;
    }

    /**
     * Returns the position of a stored value: a GeoJSON point, or two numbers at the beginning of
     * an array or object. Empty for other values, e.g. a {@link StoredGeometry}.
     */
    public static Optional<GeoPosition> stored(@Nullable BsonValue value) {
        if (value instanceof BsonArray array) {
            return pair(array.iterator());
        }
        if (!(value instanceof BsonDocument document) || document.isEmpty()) {
            return Optional.empty();
        }
        return document.values().iterator().next() instanceof BsonNumber
                ? pair(document.values().iterator())
                : point(document);
    }

    private static Optional<GeoPosition> point(BsonDocument document) {
        boolean isPoint = document.get("type") instanceof BsonString type
                && type.getValue().equals("Point")
                && CoordinateReferenceSystem.isSphere(document.get("crs"));
        return isPoint && document.get("coordinates") instanceof BsonArray coordinates
                ? pair(coordinates.iterator()).filter(GeoPosition::isOnSphere)
                : Optional.empty();
    }

    /** Returns the position of two numbers; zero has no sign. */
    private static Optional<GeoPosition> pair(Iterator<BsonValue> values) {
        return values.hasNext()
                        && values.next() instanceof BsonNumber x
                        && values.hasNext()
                        && values.next() instanceof BsonNumber y
                ? Optional.of(new GeoPosition(asDouble(x) + 0.0, asDouble(y) + 0.0))
                : Optional.empty();
    }

    /** Parses a position in a query: an array or object of two numbers. */
    public static GeoPosition parse(String operator, @Nullable BsonValue value) {
        Iterator<BsonValue> values = elements(value);
        return pair(values)
                .filter(GeoPosition::isFinite)
                .orElseThrow(() -> new QuerySyntaxException(operator + " takes places of two numbers each"));
    }

    /** Parses a position that must lie on the sphere. */
    public static GeoPosition parseOnSphere(String operator, @Nullable BsonValue value) {
        GeoPosition position = parse(operator, value);
        if (!position.isOnSphere()) {
            throw new QuerySyntaxException(operator + " takes a longitude up to 180 and a latitude up to 90 degrees");
        }
        return position;
    }

    private static Iterator<BsonValue> elements(@Nullable BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.values().iterator();
        }
        return value instanceof BsonArray array ? array.iterator() : new BsonArray().iterator();
    }

    static double asDouble(BsonNumber number) {
        return number.isDecimal128()
                ? Double.parseDouble(number.asDecimal128().getValue().toString())
                : number.doubleValue();
    }

    public BsonArray toBson() {
        BsonArray pair = new BsonArray(2);
        pair.add(NumberOrder.canonical(new BsonDouble(x)));
        pair.add(NumberOrder.canonical(new BsonDouble(y)));
        return pair;
    }
}

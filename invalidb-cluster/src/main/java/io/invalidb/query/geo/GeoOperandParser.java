package io.invalidb.query.geo;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.value.NumberOrder;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The parser for the operands of the geo operators. */
public final class GeoOperandParser {

    private static final int MAX_CORNERS = 1_000;

    private GeoOperandParser() {}

    /** Parses the operand of {@code $geoWithin}. */
    public static GeoRegion within(BsonValue operand) {
        BsonDocument document = sole(operand, "$geoWithin");
        BsonValue shape = document.values().iterator().next();
        return switch (document.getFirstKey()) {
            case "$geometry" -> SphericalRegion.within(geometry(shape));
            case "$box" -> box(shape);
            case "$center" -> circle(shape, "$center");
            case "$centerSphere" -> cap(shape);
            case "$polygon" -> polygon(shape);
            default -> throw new QuerySyntaxException("$geoWithin has no shape " + Excerpt.of(document.getFirstKey()));
        };
    }

    /** Parses the operand of {@code $geoIntersects}. */
    public static GeoRegion intersecting(BsonValue operand) {
        BsonDocument document = sole(operand, "$geoIntersects");
        BsonValue geometry = document.get("$geometry");
        if (geometry == null) {
            throw new QuerySyntaxException("$geoIntersects takes a $geometry");
        }
        return SphericalRegion.intersecting(geometry(geometry));
    }

    private static BsonDocument sole(BsonValue operand, String operator) {
        if (operand instanceof BsonDocument document) {
            BsonDocument shapes = document.clone();
            shapes.remove("$uniqueDocs");
            if (shapes.size() == 1) {
                return shapes;
            }
        }
        throw new QuerySyntaxException(operator + " takes an object with one shape");
    }

    private static BsonDocument geometry(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document;
        }
        throw new QuerySyntaxException("$geometry takes GeoJSON");
    }

    public static String type(BsonDocument geometry) {
        if (geometry.get("type") instanceof BsonString type) {
            return type.getValue();
        }
        throw new QuerySyntaxException("$geometry takes GeoJSON, with a type");
    }

    private static BsonArray array(BsonValue value, String operator, int least, int most) {
        List<BsonValue> elements = value instanceof BsonDocument document ? List.copyOf(document.values()) : List.of();
        BsonArray array = value instanceof BsonArray given ? given : new BsonArray(elements);
        if (array.size() < least || array.size() > most) {
            throw new QuerySyntaxException(operator + " takes " + least + " elements or more, at most " + most);
        }
        return array;
    }

    private static GeoRegion box(BsonValue operand) {
        BsonArray corners = array(operand, "$box", 2, Integer.MAX_VALUE);
        return GeoRegion.Box.between(
                GeoPosition.parse("$box", corners.get(0)), GeoPosition.parse("$box", corners.get(1)));
    }

    private static GeoRegion circle(BsonValue operand, String operator) {
        BsonArray parts = array(operand, operator, 2, 2);
        return new GeoRegion.Circle(GeoPosition.parse(operator, parts.get(0)), distance(operator, parts.get(1)));
    }

    private static GeoRegion cap(BsonValue operand) {
        BsonArray parts = array(operand, "$centerSphere", 2, 2);
        return SphericalRegion.cap(
                GeoPosition.parseOnSphere("$centerSphere", parts.get(0)), distance("$centerSphere", parts.get(1)));
    }

    /** Parses a number that is not negative. */
    public static double distance(String operator, @Nullable BsonValue value) {
        double distance = value instanceof BsonNumber number ? GeoPosition.asDouble(number) : -1;
        if (!(distance >= 0)) {
            throw new QuerySyntaxException(operator + " takes a distance that is not negative");
        }
        return distance;
    }

    private static GeoRegion polygon(BsonValue operand) {
        BsonArray corners = array(operand, "$polygon", 3, Integer.MAX_VALUE);
        if (corners.size() > MAX_CORNERS) {
            throw new QueryNotSupportedException("$polygon takes at most " + MAX_CORNERS + " corners");
        }
        return new GeoRegion.Polygon(corners.stream()
                .map(corner -> GeoPosition.parse("$polygon", corner))
                .toList());
    }

    static BsonArray array(List<? extends BsonValue> elements) {
        return new BsonArray(elements);
    }

    public static BsonValue number(double value) {
        return NumberOrder.canonical(new BsonDouble(value));
    }
}

package io.orestes.schema.type;

import io.orestes.json.WireDates;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The decoder of basic values from wire form to stored form (protocol §1.5). The result is empty
 * where a value is not of the type.
 */
public final class BasicValueDecoder {

    private static final Pattern FILE = Pattern.compile("/file/[^/]+/.+", Pattern.DOTALL);
    private static final Set<String> GEO_POINT = Set.of("latitude", "longitude");
    private static final double TWO_TO_63 = 0x1p63;

    private BasicValueDecoder() {}

    public static Optional<BsonValue> decode(BasicType type, BsonValue value) {
        return switch (type) {
            case BOOLEAN -> Optional.of(value).filter(BsonValue::isBoolean);
            case DOUBLE -> number(value);
            case INTEGER -> integer(value);
            case STRING -> Optional.of(value).filter(BsonValue::isString);
            case DATE_TIME -> text(value).flatMap(WireDates::parseDateTime).map(BsonDateTime::new);
            case DATE -> text(value).flatMap(WireDates::parseDateTime).map(BasicValueDecoder::date);
            case TIME -> text(value).flatMap(WireDates::parseTime).map(BasicValueDecoder::time);
            case FILE -> text(value).filter(id -> FILE.matcher(id).matches()).map(BsonString::new);
            case GEO_POINT ->
                Optional.of(value).filter(BsonValue::isDocument).flatMap(point -> geoPoint(point.asDocument()));
            case JSON_ARRAY -> Optional.of(value).filter(BsonValue::isArray);
            case JSON_OBJECT -> Optional.of(value).filter(BsonValue::isDocument);
        };
    }

    /** Returns the stored form of the day in UTC of an instant. */
    public static BsonValue date(long epochMillis) {
        return new BsonString(WireDates.date(epochMillis));
    }

    /** Returns the stored form of a time of day. */
    public static BsonValue time(int millisOfDay) {
        return new BsonString(WireDates.sortableTime(millisOfDay));
    }

    private static Optional<BsonValue> number(BsonValue value) {
        return value.isNumber() ? Optional.of(new BsonDouble(value.asNumber().doubleValue())) : Optional.empty();
    }

    /** Decodes an integer. Fractions are cut off; a value beyond 64 bits is no integer. */
    private static Optional<BsonValue> integer(BsonValue value) {
        if (!value.isDouble()) {
            return Optional.of(value).filter(BsonValue::isInt64);
        }
        double number = value.asDouble().getValue();
        return number >= -TWO_TO_63 && number < TWO_TO_63
                ? Optional.of(new BsonInt64((long) number))
                : Optional.empty();
    }

    /**
     * Decodes a geo point. The longitude is stored first: geo operators read the first two numbers
     * of an object as x and y.
     */
    private static Optional<BsonValue> geoPoint(BsonDocument point) {
        Optional<BsonValue> latitude = degrees(point.get("latitude", BsonNull.VALUE), 90);
        Optional<BsonValue> longitude = degrees(point.get("longitude", BsonNull.VALUE), 180);
        return latitude.isPresent() && longitude.isPresent() && point.keySet().equals(GEO_POINT)
                ? Optional.of(new BsonDocument("longitude", longitude.get()).append("latitude", latitude.get()))
                : Optional.empty();
    }

    private static Optional<BsonValue> degrees(BsonValue value, int limit) {
        return number(value).filter(degrees -> Math.abs(degrees.asDouble().getValue()) <= limit);
    }

    private static Optional<String> text(BsonValue value) {
        return value.isString() ? Optional.of(value.asString().getValue()) : Optional.empty();
    }
}

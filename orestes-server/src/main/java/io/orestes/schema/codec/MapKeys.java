package io.orestes.schema.codec;

import io.orestes.json.WireDates;
import io.orestes.schema.type.BasicType;
import java.util.Optional;
import java.util.regex.Pattern;

/** The canonical spelling of map keys for each key type (protocol §1.5). */
public final class MapKeys {

    private static final Pattern BOOLEAN = Pattern.compile("true|false");
    private static final Pattern INTEGER = Pattern.compile("-?\\d{1,19}");
    private static final Pattern DOUBLE = Pattern.compile("-?\\d{1,400}(\\.\\d{1,400})?([eE][+-]?\\d{1,3})?");

    private MapKeys() {}

    /** Returns the stored spelling; empty if the text is no value of the type. */
    public static Optional<String> canonical(BasicType type, String key) {
        return switch (type) {
            case STRING -> Optional.of(key);
            case BOOLEAN -> Optional.of(key).filter(BOOLEAN.asMatchPredicate());
            case INTEGER -> Optional.of(key).filter(INTEGER.asMatchPredicate()).flatMap(MapKeys::integer);
            // Unchanged, since JavaScript spells large numbers in another way than Java.
            case DOUBLE ->
                Optional.of(key)
                        .filter(DOUBLE.asMatchPredicate())
                        .filter(number -> Double.isFinite(Double.parseDouble(number)));
            case DATE_TIME -> WireDates.parseDateTime(key).map(WireDates::dateTime);
            case DATE -> WireDates.parseDateTime(key).map(WireDates::date);
            case TIME -> WireDates.parseTime(key).map(WireDates::time);
            case FILE, GEO_POINT, JSON_ARRAY, JSON_OBJECT -> Optional.empty();
        };
    }

    private static Optional<String> integer(String key) {
        try {
            return Optional.of(Long.toString(Long.parseLong(key)));
        } catch (NumberFormatException beyond64Bits) {
            return Optional.empty();
        }
    }
}

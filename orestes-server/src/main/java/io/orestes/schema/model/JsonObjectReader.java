package io.orestes.schema.model;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.type.NamingRules;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Typed access to the members of a request's JSON object, in which null counts as absent. */
public final class JsonObjectReader {

    private JsonObjectReader() {}

    public static Optional<String> text(BsonDocument parent, String member) {
        return present(parent, member).map(value -> {
            require(value.isString(), member, "a string");
            return value.asString().getValue();
        });
    }

    public static String requiredText(BsonDocument parent, String member) {
        return text(parent, member)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST, "The member " + NamingRules.shorten(member) + " is missing"));
    }

    static Optional<Long> integer(BsonDocument parent, String member) {
        return present(parent, member).map(value -> {
            require(value.isInt64(), member, "an integer");
            return value.asInt64().getValue();
        });
    }

    public static boolean flag(BsonDocument parent, String member) {
        return present(parent, member)
                .filter(value -> {
                    require(value.isBoolean(), member, "a boolean");
                    return value.asBoolean().getValue();
                })
                .isPresent();
    }

    static List<String> texts(BsonDocument parent, String member) {
        return present(parent, member)
                .map(value -> {
                    require(value.isArray(), member, "an array of strings");
                    return value.asArray().stream()
                            .map(element -> asText(element, member))
                            .toList();
                })
                .orElse(List.of());
    }

    /** Returns the object of that member; an empty one if there is none. */
    public static BsonDocument object(BsonDocument parent, String member) {
        return present(parent, member).map(value -> asObject(value, member)).orElseGet(BsonDocument::new);
    }

    public static BsonDocument asObject(BsonValue value, String what) {
        require(value.isDocument(), what, "an object");
        return value.asDocument();
    }

    private static String asText(BsonValue value, String what) {
        require(value.isString(), what, "an array of strings");
        return value.asString().getValue();
    }

    private static Optional<BsonValue> present(BsonDocument parent, String member) {
        return Optional.of(parent.get(member, BsonNull.VALUE)).filter(value -> !value.isNull());
    }

    private static void require(boolean fits, String what, String expected) {
        if (!fits) {
            throw new ApiException(ErrorCode.BAD_REQUEST, NamingRules.shorten(what) + " is not " + expected);
        }
    }
}

package io.orestes.update;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The errors of invalid partial updates, as clients receive them. Applications look for two of the
 * texts (protocol §2).
 */
final class UpdateErrors {

    private static final int MAX_TEXT_LENGTH = 128;

    private UpdateErrors() {}

    /** Returns the error for an unknown operation without a path. */
    static ApiException unsupported(String operator) {
        return new ApiException(ErrorCode.BAD_REQUEST, "Unsupported update operation " + shorten(operator));
    }

    /**
     * Returns the error for an operation that is unknown or does not suit the value at the path.
     */
    static ApiException unsupported(String operator, String path) {
        return new ApiException(
                ErrorCode.BAD_REQUEST, "Unsupported update operation " + shorten(operator) + " on " + shorten(path));
    }

    /** Returns the error for an update whose form no operation accepts. */
    static ApiException unprocessable() {
        return new ApiException(ErrorCode.BAD_REQUEST, "The body can't be processed");
    }

    /** Returns the error for an update that would block other writers for too long. */
    static ApiException tooExpensive() {
        return new ApiException(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "Too many operations on large values; replace the object, or update it in several requests");
    }

    static ApiException unknownField(String ref, String path) {
        return invalid(path, ref + " has no field " + shorten(path));
    }

    /** Returns the error for a result that is a number beyond the range that can be stored. */
    static ApiException beyondRange(String path) {
        return invalid(path, "The new value of " + shorten(path) + " is beyond 64 bit");
    }

    /** Creates an error that names the offending path also for programs. */
    private static ApiException invalid(String path, String message) {
        return new ApiException(ErrorCode.INVALID_TYPE_VALUE, message)
                .withData(new BsonDocument("path", new BsonString(shorten(path))));
    }

    private static String shorten(String text) {
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH) + "…";
    }
}

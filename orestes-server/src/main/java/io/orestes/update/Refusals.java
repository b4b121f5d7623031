package io.orestes.update;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;

/** Why a partial update is refused; two of the texts are what applications look for (protocol §2). */
final class Refusals {

    private static final int LONGEST = 128;

    private Refusals() {}

    /** The operation is unknown, or is none for what stands at the path. */
    static ApiException unsupported(String operator, String path) {
        return new ApiException(
                ErrorCode.BAD_REQUEST, "Unsupported update operation " + shorten(operator) + " on " + shorten(path));
    }

    /** The update has a form that no operation takes. */
    static ApiException unprocessable() {
        return new ApiException(ErrorCode.BAD_REQUEST, "The body can't be processed");
    }

    static ApiException unknownField(String ref, String path) {
        return new ApiException(ErrorCode.INVALID_TYPE_VALUE, ref + " has no field " + shorten(path));
    }

    /** The result is a number that cannot be stored. */
    static ApiException beyondRange(String path) {
        return new ApiException(
                ErrorCode.INVALID_TYPE_VALUE, "The new value of " + shorten(path) + " is beyond 64 bit");
    }

    private static String shorten(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}

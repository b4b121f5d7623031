package io.orestes.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The error codes of the API, each with its HTTP status. {@code schema/errors.json} lists the same
 * set, and a test compares the two.
 */
public enum ErrorCode {
    BAD_REQUEST(400),
    OBJECT_NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    NOT_ACCEPTABLE(406),
    REQUEST_TIMEOUT(408),
    OBJECT_EXISTS(409),
    UNIQUE_INDEX_EXCEPTION(409),
    OBJECT_OUT_OF_DATE(412),
    PAYLOAD_TOO_LARGE(413),
    URI_TOO_LONG(414),
    UNSUPPORTED_MEDIA_TYPE(415),
    TOO_MANY_REQUESTS(429),
    BAD_CREDENTIALS(460),
    BUCKET_NOT_FOUND(461),
    INVALID_PERMISSION_MODIFICATION(462),
    INVALID_TYPE_VALUE(463),
    PERMISSION_DENIED(466),
    QUERY_DISPOSED(467),
    QUERY_NOT_SUPPORTED(468),
    SCHEMA_NOT_COMPATIBLE(469),
    SYNTAX_ERROR(471),
    TRANSACTION_INACTIVE(472),
    TYPE_ALREADY_EXISTS(473),
    TYPE_STILL_REFERENCED(474),
    INTERNAL_SERVER_ERROR(500),
    NOT_IMPLEMENTED(501),
    UNAVAILABLE(503);

    private final int httpStatus;

    ErrorCode(int httpStatus) {
        this.httpStatus = httpStatus;
    }

    /**
     * Returns the status of the HTTP response, 400 to 599; also the {@code status} of a socket
     * error frame.
     */
    public int httpStatus() {
        return httpStatus;
    }

    /** Returns the name of the failure on the wire, e.g. {@code ObjectOutOfDate}. */
    public String className() {
        return words("");
    }

    /** Returns the name as words, e.g. {@code Object Out Of Date}. */
    public String reason() {
        return words(" ");
    }

    /** True for faults of the server; such failures are logged. */
    public boolean isServerFault() {
        return httpStatus >= 500;
    }

    private String words(String separator) {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(separator));
    }
}

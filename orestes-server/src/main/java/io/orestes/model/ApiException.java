package io.orestes.model;

import java.time.Duration;
import java.util.Optional;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A failure with an error code of the API and a message for the client's developer. The message
 * names the offending value. The cause is for the log and never leaves the server.
 */
public final class ApiException extends RuntimeException {

    private final ErrorCode code;
    private final transient @Nullable BsonValue data;
    private final @Nullable Duration retryAfter;
    private final boolean isRepeatable;

    /** Creates a failure that the request caused: cheap, without a stack. */
    public ApiException(ErrorCode code, String message) {
        this(code, message, null, null, false);
    }

    private ApiException(
            ErrorCode code,
            String message,
            @Nullable BsonValue data,
            @Nullable Duration retryAfter,
            boolean isRepeatable) {
        super(message, null, false, false);
        this.code = code;
        this.data = data;
        this.retryAfter = retryAfter;
        this.isRepeatable = isRepeatable;
    }

    private ApiException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.data = null;
        this.retryAfter = null;
        this.isRepeatable = false;
    }

    /**
     * Converts any other failure to one with a fixed text for the client; the cause is retained for
     * the log.
     */
    public static ApiException of(Throwable failure) {
        return failure instanceof ApiException api
                ? api
                : new ApiException(
                        ErrorCode.INTERNAL_SERVER_ERROR, "The server failed to process the request", failure);
    }

    /** Creates a server fault with a text for the client and a cause for the log. */
    public static ApiException fault(ErrorCode code, String message, Throwable cause) {
        return new ApiException(code, message, cause);
    }

    /** Returns this failure with details for programs in the error body's {@code data}. */
    public ApiException withData(BsonValue details) {
        return new ApiException(code, message(), details, retryAfter, isRepeatable);
    }

    /** Returns this failure with the time after which a retry may succeed. */
    public ApiException withRetryAfter(Duration time) {
        return new ApiException(code, message(), data, time, isRepeatable);
    }

    /**
     * Returns this failure as repeatable: the operation had no effect yet, and may succeed when it
     * is repeated with all checks.
     */
    public ApiException asRepeatable() {
        return new ApiException(code, message(), data, retryAfter, true);
    }

    /**
     * True if the operation had no effect that a repetition could double; false where that is not
     * known.
     */
    public boolean isRepeatable() {
        return isRepeatable;
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns the message for the client's developer. */
    public String message() {
        return String.valueOf(getMessage());
    }

    /** Returns the time after which a retry may succeed; mostly unknown. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Returns details for programs; mostly absent. */
    public Optional<BsonValue> data() {
        return Optional.ofNullable(data);
    }
}

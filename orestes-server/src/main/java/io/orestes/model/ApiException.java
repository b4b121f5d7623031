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

    /** A failure the request caused: cheap, carries no stack. */
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
     * Any other failure as the client may see it: a fixed text outside, the cause kept for the log.
     */
    public static ApiException of(Throwable failure) {
        return failure instanceof ApiException api
                ? api
                : new ApiException(
                        ErrorCode.INTERNAL_SERVER_ERROR, "The server failed to process the request", failure);
    }

    /** A server fault with a text a client may see and the cause that the log gets. */
    public static ApiException fault(ErrorCode code, String message, Throwable cause) {
        return new ApiException(code, message, cause);
    }

    /** The same failure with details for programs in the error body's {@code data}. */
    public ApiException withData(BsonValue details) {
        return new ApiException(code, message(), details, retryAfter, isRepeatable);
    }

    /** The same failure for a client that may succeed after some time. */
    public ApiException after(Duration time) {
        return new ApiException(code, message(), data, time, isRepeatable);
    }

    /**
     * The same failure of what had not begun to do anything, and may succeed when all of it is done
     * again, checks included.
     */
    public ApiException beforeAnything() {
        return new ApiException(code, message(), data, retryAfter, true);
    }

    /**
     * Whether nothing was done that could be doubled by doing it again; false where that is not
     * known.
     */
    public boolean isRepeatable() {
        return isRepeatable;
    }

    public ErrorCode code() {
        return code;
    }

    /** What went wrong, for the client's developer. */
    public String message() {
        return String.valueOf(getMessage());
    }

    /** When it is worth to try again; mostly unknown. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Details for programs; mostly absent. */
    public Optional<BsonValue> data() {
        return Optional.ofNullable(data);
    }
}

package io.orestes.http.protocol;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An HTTP response ready to be sent: status, headers and body.
 *
 * @param status HTTP status
 * @param headers headers beside those that every response carries
 * @param body empty for a response without one
 */
public record ApiResponse(int status, Map<CharSequence, CharSequence> headers, Buffer body) {

    public static final CharSequence ORESTES_CACHE = HttpHeaders.createOptimized("Orestes-Cache");
    public static final CharSequence ORESTES_BOUND = HttpHeaders.createOptimized("Orestes-Bound");
    public static final CharSequence AGE = HttpHeaders.createOptimized("Age");
    public static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    public static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=utf-8");
    public static final CharSequence BYPASS = HttpHeaders.createOptimized("bypass");

    /** Creates a JSON response that no cache may store. */
    public static ApiResponse json(int status, Buffer body) {
        return of(status, body)
                .with(HttpHeaders.CONTENT_TYPE, JSON)
                .with(HttpHeaders.CACHE_CONTROL, NO_STORE)
                .with(ORESTES_CACHE, BYPASS);
    }

    /** Creates a response without a body that no cache may store. */
    public static ApiResponse empty(int status) {
        return of(status, Buffer.buffer())
                .with(HttpHeaders.CACHE_CONTROL, NO_STORE)
                .with(ORESTES_CACHE, BYPASS);
    }

    /** Creates a response without headers. */
    public static ApiResponse of(int status, Buffer body) {
        return new ApiResponse(status, new LinkedHashMap<>(), body);
    }

    @CanIgnoreReturnValue
    public ApiResponse with(CharSequence header, CharSequence value) {
        headers.put(header, value);
        return this;
    }
}

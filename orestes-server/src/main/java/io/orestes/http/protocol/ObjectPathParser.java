package io.orestes.http.protocol;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.UriComponent;
import io.vertx.core.http.HttpServerRequest;

/**
 * The parser for class, object id and field in the path {@code /v1/db/:bucket/:oid/:field} of a
 * request. It reads the raw path, because the router unescapes in its own way.
 */
public final class ObjectPathParser {

    private ObjectPathParser() {}

    /** Returns the class; fails with {@code BUCKET_NOT_FOUND} if it cannot be a class name. */
    public static String bucket(HttpServerRequest request) {
        String bucket = UriComponent.decode(segment(request, 2)).orElse("");
        if (!ObjectRef.isBucket(bucket) || bucket.startsWith("_")) {
            throw new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class " + bucket);
        }
        return bucket;
    }

    /** Returns the object; fails with {@code BAD_REQUEST} if its key cannot be a key. */
    public static ObjectRef ref(HttpServerRequest request) {
        String bucket = bucket(request);
        return UriComponent.decode(segment(request, 3))
                .filter(ObjectRef::isKey)
                .map(key -> new ObjectRef(bucket, key))
                .orElseThrow(() ->
                        new ApiException(ErrorCode.BAD_REQUEST, "Not the key of an object: " + ObjectRef.KEY_RULE));
    }

    /** Returns the field behind the object; fails with {@code BAD_REQUEST} on a broken escape. */
    public static String field(HttpServerRequest request) {
        return UriComponent.decode(segment(request, 4))
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "Not the name of a field"));
    }

    /** Returns the n-th segment of the path; 0 is the base path. */
    private static String segment(HttpServerRequest request, int index) {
        String path = request.path();
        int from = 1;
        for (int i = 0; i < index; i++) {
            from = path.indexOf('/', from) + 1;
            if (from == 0) {
                throw new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no such resource");
            }
        }
        int end = path.indexOf('/', from);
        return path.substring(from, end < 0 ? path.length() : end);
    }
}

package io.orestes.http.entry;

import com.google.common.hash.Hashing;
import io.orestes.http.caching.ReadConditions;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ContentCodings;
import io.orestes.wire.Gzip;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Set;

/**
 * One static file with its cache policy, in plain form and, if that is shorter, in compressed form.
 *
 * @param type its media type
 * @param caching its {@code Cache-Control} for browsers
 * @param vary the request headers by which responses differ
 * @param plain the file
 * @param zipped the file for clients that accept gzip
 */
record StaticFile(String type, String caching, String vary, EncodedBody plain, EncodedBody zipped) {

    private static final String DEFAULT_TYPE = "application/octet-stream";

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "json", "application/json;charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "map", "application/json;charset=utf-8");

    /** Media types that are compressed already. */
    private static final Set<String> PRECOMPRESSED_TYPES = Set.of("image/png", DEFAULT_TYPE);

    /**
     * Content security policy. Pages load everything from this server; an injected script does not
     * run.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Cache directives for stable names with changing content. */
    private static final String REVALIDATE = "no-cache";

    /**
     * Cache directives for stable names of modules in pages of any origin: the default staleness
     * that a client accepts.
     */
    private static final String SHORT_LIVED = "public, max-age=60";

    /** Cache directives for names with a hash of their content (RFC 8246). */
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";

    /**
     * Creates the static file of a name.
     *
     * @param name name with its extension
     * @param hashed true if the name changes with the content
     * @param open true for pages of all origins, which get one response and may reuse it for a
     *     minute
     */
    static StaticFile of(String name, Buffer content, boolean hashed, boolean open) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), DEFAULT_TYPE);
        EncodedBody plain = EncodedBody.of(ContentCodings.IDENTITY, content);
        EncodedBody zipped = PRECOMPRESSED_TYPES.contains(type)
                ? plain
                : EncodedBody.of(ContentCodings.GZIP, Gzip.compress(content));
        return new StaticFile(
                type,
                hashed ? IMMUTABLE : open ? SHORT_LIVED : REVALIDATE,
                open ? "accept-encoding" : "origin, accept-encoding",
                plain,
                zipped.body().length() < content.length() ? zipped : plain);
    }

    /**
     * Returns the file in a coding that the caller accepts, or a 304 if the caller's copy is
     * current.
     */
    ApiResponse reply(HttpServerRequest request) {
        EncodedBody encodedBody = ContentCodings.acceptsGzip(request) ? zipped : plain;
        ApiResponse apiResponse = ReadConditions.isUnchanged(request, encodedBody.etag())
                ? ApiResponse.of(304, Buffer.buffer())
                : encodedBody.whole();
        return apiResponse
                .with(HttpHeaders.CONTENT_TYPE, type)
                .with(HttpHeaders.ETAG, encodedBody.etag())
                .with(HttpHeaders.CACHE_CONTROL, caching)
                .with(HttpHeaders.VARY, vary)
                .with("Content-Security-Policy", POLICY)
                .with("Referrer-Policy", "no-referrer")
                .with("X-Content-Type-Options", "nosniff")
                .with(ApiResponse.ORESTES_CACHE, ApiResponse.BYPASS);
    }

    /**
     * The body of a static file in one content coding, with the entity tag of its bytes. A tag that
     * names two codings would let a cache serve one of them to a client that can read only the
     * other (RFC 9110 §8.8.3.3).
     */
    record EncodedBody(String coding, Buffer body, String etag) {

        private static EncodedBody of(String coding, Buffer body) {
            return new EncodedBody(coding, body, "\"" + Hashing.murmur3_128().hashBytes(body.getBytes()) + "\"");
        }

        private ApiResponse whole() {
            ApiResponse apiResponse = ApiResponse.of(200, body);
            return coding.equals(ContentCodings.IDENTITY)
                    ? apiResponse
                    : apiResponse.with(HttpHeaders.CONTENT_ENCODING, coding);
        }
    }
}

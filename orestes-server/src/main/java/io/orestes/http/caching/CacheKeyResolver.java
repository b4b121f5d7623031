package io.orestes.http.caching;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.RequestTargets;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.UriComponent;
import io.orestes.read.query.QueryParser;
import io.orestes.read.query.QueryReader;
import io.orestes.read.query.QueryRequest;
import io.orestes.read.query.ResultForm;
import io.orestes.schema.SchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The resolver from the URL of a cached resource to its key in all caches. The URL may be any form
 * that a person uses for the resource. Thread-safe.
 */
public final class CacheKeyResolver {

    private static final Pattern ORIGIN = Pattern.compile("^https?://[^/?#]+", Pattern.CASE_INSENSITIVE);

    /** Names in the place of an object's key that are never cached. */
    private static final Set<String> UNCACHED = Set.of("ids", "count", "events", "bulk");

    /** Parameters with which a query or a load is never cached. */
    private static final Set<String> UNCACHED_WITH = Set.of("aggregate", "depth");

    private static final int MAX_PARAMETERS = 64;

    private final SchemaRegistry schemas;
    private final QueryReader queries;

    public CacheKeyResolver(SchemaRegistry schemas, QueryReader queries) {
        this.schemas = schemas;
        this.queries = queries;
    }

    /**
     * Returns the key of an object or a query result. The origin of the server and the base path
     * are optional in the URL.
     *
     * @return fails with {@code BAD_REQUEST} for a resource that no cache stores, with {@code
     *     BUCKET_NOT_FOUND} if there is no such class, with {@code SYNTAX_ERROR} on a malformed
     *     filter
     */
    String key(String url) {
        String target = target(url);
        int mark = target.indexOf('?');
        String[] path = (mark < 0 ? target : target.substring(0, mark)).split("/", -1);
        Map<String, List<String>> parameters = mark < 0 ? Map.of() : parameters(target);
        if (path.length != 4 || !path[0].isEmpty() || !path[1].equals("db") || UNCACHED.contains(path[3])) {
            throw uncached(url);
        }
        if (UNCACHED_WITH.stream().anyMatch(parameters::containsKey)) {
            throw uncached(url);
        }
        String bucket = bucket(path[2]);
        return path[3].equals("query")
                ? queryKey(bucket, parameters, url)
                : object(bucket, path[3]).id();
    }

    private static String target(String url) {
        String target = ORIGIN.matcher(url.strip()).replaceFirst("");
        if (!RequestTargets.isAcceptable(target)) {
            throw uncached(url);
        }
        return target.startsWith(ApiRouter.BASE + "/") ? target.substring(ApiRouter.BASE.length()) : target;
    }

    private static Map<String, List<String>> parameters(String target) {
        try {
            return new QueryStringDecoder(target, StandardCharsets.UTF_8, true, MAX_PARAMETERS).parameters();
        } catch (IllegalArgumentException e) {
            throw uncached(target);
        }
    }

    private String bucket(String segment) {
        String bucket = UriComponent.decode(segment).orElse("");
        if (!ObjectRef.isBucket(bucket) || bucket.startsWith("_")) {
            throw new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class " + bucket);
        }
        return schemas.current().entity(bucket).name();
    }

    private static ObjectRef object(String bucket, String segment) {
        return UriComponent.decode(segment)
                .filter(ObjectRef::isKey)
                .map(key -> new ObjectRef(bucket, key))
                .orElseThrow(() ->
                        new ApiException(ErrorCode.BAD_REQUEST, "Not the key of an object: " + ObjectRef.KEY_RULE));
    }

    private String queryKey(String bucket, Map<String, List<String>> parameters, String url) {
        boolean isPolymorphic = flag(parameters, "polymorphic", queries.isPolymorphic(), url);
        if (isPolymorphic || !flag(parameters, "eager", true, url)) {
            throw uncached(url);
        }
        return queries.key(new QueryRequest(
                bucket,
                QueryParser.document("query", text(parameters, "q")),
                QueryParser.document("sort order", text(parameters, "sort")),
                number(parameters, "start", 0, url),
                number(parameters, "count", -1, url),
                form(text(parameters, "ids"), url),
                false));
    }

    private static ResultForm form(String ids, String url) {
        return switch (ids) {
            case "", "false" -> ResultForm.OBJECTS;
            case "true" -> ResultForm.IDS;
            case "auto" -> ResultForm.CHEAPER;
            default -> throw uncached(url);
        };
    }

    private static boolean flag(Map<String, List<String>> parameters, String name, boolean fallback, String url) {
        return switch (text(parameters, name)) {
            case "" -> fallback;
            case "true" -> true;
            case "false" -> false;
            default -> throw uncached(url);
        };
    }

    private static int number(Map<String, List<String>> parameters, String name, int fallback, String url) {
        String text = text(parameters, name);
        try {
            int number = text.isEmpty() ? fallback : Integer.parseInt(text);
            if (number >= Math.min(0, fallback)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below, as for a number out of range
        }
        throw uncached(url);
    }

    /** Returns the last value given, as in every request. */
    private static String text(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of(""));
        return values.get(values.size() - 1);
    }

    private static ApiException uncached(String url) {
        return new ApiException(
                ErrorCode.BAD_REQUEST,
                "url has to be that of a cacheable object or query, /v1/db/Class/key or /v1/db/Class/query?…: " + url);
    }
}

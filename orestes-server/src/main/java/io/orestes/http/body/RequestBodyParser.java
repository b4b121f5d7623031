package io.orestes.http.body;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.orestes.json.JsonReader;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.wire.Utf8Decoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The parser for request bodies that {@link BodyCollector} has collected. */
public final class RequestBodyParser {

    private static final String COLLECTED = RequestBodyParser.class.getName();
    private static final String SPOOLED = COLLECTED + ".file";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final List<String> JSON = List.of("application/json");

    private RequestBodyParser() {}

    /** Returns a JSON object; fails with {@code BAD_REQUEST} or {@code UNSUPPORTED_MEDIA_TYPE}. */
    public static BsonDocument object(RoutingContext ctx) {
        return object(ctx.request(), buffer(ctx));
    }

    /**
     * Returns the JSON object in a body that was read by other means; fails with {@code
     * BAD_REQUEST} or {@code UNSUPPORTED_MEDIA_TYPE}.
     */
    public static BsonDocument object(HttpServerRequest request, Buffer body) {
        BsonValue value = json(request, body);
        if (!value.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body has to be a JSON object");
        }
        return value.asDocument();
    }

    /** Returns any JSON value; fails with {@code BAD_REQUEST} or {@code UNSUPPORTED_MEDIA_TYPE}. */
    public static BsonValue json(RoutingContext ctx) {
        return json(ctx.request(), buffer(ctx));
    }

    private static BsonValue json(HttpServerRequest request, Buffer body) {
        requireType(request, JSON);
        return JsonReader.read(body);
    }

    /** Returns text in UTF-8; fails with {@code BAD_REQUEST} if the body is not UTF-8. */
    public static String text(RoutingContext ctx) {
        return Utf8Decoder.decode(buffer(ctx))
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "The body is not UTF-8"));
    }

    /**
     * Returns a field of a form (URL standard §5.1); empty if it is missing or the body is no form.
     * Fails with {@code BAD_REQUEST} on a broken escape.
     */
    public static Optional<String> formField(RoutingContext ctx, String name) {
        String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !essence(type).equals(FORM)) {
            return Optional.empty();
        }
        try {
            return new QueryStringDecoder(text(ctx), false)
                    .parameters().getOrDefault(name, List.of()).stream().findFirst();
        } catch (IllegalArgumentException e) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The form has a broken escape");
        }
    }

    /** Returns the raw body. */
    public static Buffer buffer(RoutingContext ctx) {
        return Objects.requireNonNull(ctx.<Buffer>get(COLLECTED), "not collected");
    }

    /** Returns the file with the body, if it was collected in one. */
    public static Path file(RoutingContext ctx) {
        return Objects.requireNonNull(ctx.<Path>get(SPOOLED), "not collected in a file");
    }

    static boolean isCollected(RoutingContext ctx) {
        return ctx.get(COLLECTED) != null || ctx.get(SPOOLED) != null;
    }

    /** Stores the body for the handlers of this request. */
    static void collected(RoutingContext ctx, Buffer body) {
        ctx.put(COLLECTED, body);
    }

    /** Stores the file with the body for the handlers of this request. */
    static void spooled(RoutingContext ctx, Path file) {
        ctx.put(SPOOLED, file);
    }

    /**
     * Fails with {@code UNSUPPORTED_MEDIA_TYPE} unless the body has one of these types; parameters
     * are ignored.
     */
    public static void requireType(RoutingContext ctx, String... types) {
        requireType(ctx.request(), List.of(types));
    }

    private static void requireType(HttpServerRequest request, List<String> types) {
        String given = request.getHeader(HttpHeaders.CONTENT_TYPE);
        if (!types.contains(given == null ? "" : essence(given))) {
            throw new ApiException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The body has to be " + String.join(" or ", types) + ", not " + given);
        }
    }

    /** Returns a media type without its parameters. */
    private static String essence(String type) {
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).trim().toLowerCase(Locale.ROOT);
    }
}

package io.orestes.http.admin;

import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.logging.LogEntry;
import io.orestes.logging.LogLevel;
import io.orestes.logging.LogPage;
import io.orestes.logging.LogPosition;
import io.orestes.logging.LogQuery;
import io.orestes.logging.RecentLogEntries;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;

/** {@code /-/logs}: the newest entries of this server's log; for admins. */
public final class LogRoutes {

    private static final int DEFAULT_LIMIT = 200;
    private static final int MAX_LIMIT = 1_000;

    /** Maximum length of a text to search for, in characters. */
    private static final int MAX_TEXT_LENGTH = 200;

    private final RequestAuthenticator requestAuthenticator;
    private final RecentLogEntries recent;

    public LogRoutes(RequestAuthenticator requestAuthenticator, RecentLogEntries recent) {
        this.requestAuthenticator = requestAuthenticator;
        this.recent = recent;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter.get("/-/logs", requestAuthenticator.admin(this::page));
    }

    /**
     * Returns a page of entries. The search runs off the event loop, since it would block the loop
     * too long.
     */
    private Future<ApiResponse> page(RoutingContext ctx, Principal admin) {
        LogQuery query = query(ctx);
        return ctx.vertx()
                .executeBlocking(() -> json(recent.page(query)), false)
                .map(json -> ApiResponse.json(200, json));
    }

    private static LogQuery query(RoutingContext ctx) {
        return new LogQuery(
                given(ctx, "after").map(LogRoutes::position).orElse(null),
                given(ctx, "level").map(LogRoutes::level).orElse(LogLevel.TRACE),
                wanted(QueryParameters.text(ctx, "contains").orElse("")),
                limit(QueryParameters.number(ctx, "limit", DEFAULT_LIMIT, 1)));
    }

    private static Optional<String> given(RoutingContext ctx, String name) {
        return QueryParameters.text(ctx, name).filter(value -> !value.isEmpty());
    }

    private static LogPosition position(String text) {
        return LogPosition.parse(text)
                .orElseThrow(() -> bad("after has to be the position next of an earlier response: " + text));
    }

    private static LogLevel level(String key) {
        return LogLevel.of(key).orElseThrow(() -> bad("level has to be one of " + levels() + ": " + key));
    }

    private static String levels() {
        return Arrays.stream(LogLevel.values()).map(LogLevel::key).collect(Collectors.joining(", "));
    }

    private static String wanted(String contains) {
        int length = contains.codePointCount(0, contains.length());
        if (length > MAX_TEXT_LENGTH) {
            throw bad("contains has at most " + MAX_TEXT_LENGTH + " characters, not " + length);
        }
        return contains;
    }

    private static int limit(int limit) {
        if (limit > MAX_LIMIT) {
            throw bad("limit is at most " + MAX_LIMIT + ": " + limit);
        }
        return limit;
    }

    private static ApiException bad(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }

    private static Buffer json(LogPage page) {
        return JsonWriter.write(new BsonDocument(
                        "log", new BsonString(page.next().log()))
                .append(
                        "entries",
                        new BsonArray(
                                page.entries().stream().map(LogRoutes::json).toList()))
                .append("after", new BsonString(page.next().toString()))
                .append("more", BsonBoolean.valueOf(page.hasMore()))
                .append("lost", new BsonInt64(page.lost()))
                .append("dropped", new BsonInt64(page.dropped())));
    }

    private static BsonDocument json(LogEntry entry) {
        return new BsonDocument("sequence", new BsonInt64(entry.sequence()))
                .append("time", new BsonInt64(entry.timeMillis()))
                .append("level", new BsonString(entry.level().key()))
                .append("logger", new BsonString(entry.logger()))
                .append("thread", new BsonString(entry.thread()))
                .append("message", new BsonString(entry.message()))
                .append("stackTrace", entry.stackTrace() == null ? BsonNull.VALUE : new BsonString(entry.stackTrace()));
    }
}

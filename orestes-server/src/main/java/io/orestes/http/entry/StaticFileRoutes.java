package io.orestes.http.entry;

import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.Cors;
import io.orestes.http.protocol.ResponseSender;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The routes of the static files: {@code /dashboard}, {@code /demo} and {@code /sdk}. Dashboard and
 * demo are pages of the server. The SDK consists of modules for any page. A file is read from the
 * jar, and compressed, on first use.
 */
public final class StaticFileRoutes {

    /**
     * Maximum length of a path. Longer paths name no file, and each segment takes a stack frame to
     * match.
     */
    private static final int MAX_PATH_LENGTH = 200;

    /**
     * Pattern of a file path. No segment starts with a dot, so that a path never leaves its folder;
     * the last has one, so that it is no folder.
     */
    private static final Pattern FILE =
            Pattern.compile("/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)+");

    /** Folders whose file names contain a hash: the builds of dashboard and SDK. */
    private static final List<String> HASHED = List.of("/dashboard/assets/", "/sdk/chunks/");

    private static final String SDK = "/sdk/";

    private final boolean demo;
    private final ResponseBudget answers;
    private final Map<String, StaticFile> pages = new ConcurrentHashMap<>();

    /** @param demo true if the demo is served */
    public StaticFileRoutes(boolean demo, ResponseBudget answers) {
        this.demo = demo;
        this.answers = answers;
    }

    public void mount(Router router) {
        router.get("/").method(HttpMethod.HEAD).handler(ctx -> redirect(ctx, demo ? "/demo/" : "/dashboard/"));
        folder(router, "/dashboard");
        if (demo) {
            folder(router, "/demo");
        }
        router.getWithRegex(SDK + ".*").method(HttpMethod.HEAD).handler(this::module);
    }

    private void folder(Router router, String path) {
        router.getWithRegex(path + "(?:/.*)?")
                .method(HttpMethod.HEAD)
                .handler(ctx -> ResponseSender.respondToRead(ctx, answers, this::page));
    }

    private void module(RoutingContext ctx) {
        Cors.openToAll(ctx.response());
        ResponseSender.respondToRead(ctx, answers, this::page);
    }

    private Future<ApiResponse> page(RoutingContext ctx) {
        String path = ctx.request().path();
        if (path.indexOf('/', 1) < 0) {
            return Future.succeededFuture(ApiResponse.empty(302).with(HttpHeaders.LOCATION, path + "/"));
        }
        return read(ctx, path.endsWith("/") ? path + "index.html" : path).map(page -> page.reply(ctx.request()));
    }

    /**
     * Reads a file. Absent files are not cached: callers can invent more names than there is
     * memory.
     */
    private Future<StaticFile> read(RoutingContext ctx, String file) {
        StaticFile known = pages.get(file);
        if (known != null) {
            return Future.succeededFuture(known);
        }
        return isThere(file)
                ? ctx.vertx()
                        .executeBlocking(() -> load(file), false)
                        .onSuccess(staticFile -> pages.put(file, staticFile))
                : Future.failedFuture(new HttpException(404));
    }

    private static boolean isThere(String file) {
        return file.length() <= MAX_PATH_LENGTH
                && FILE.matcher(file).matches()
                && StaticFileRoutes.class.getResource(file) != null;
    }

    private static StaticFile load(String file) {
        boolean hashed = HASHED.stream().anyMatch(file::startsWith);
        return StaticFile.of(file, ServerInfoRoutes.resource(file), hashed, file.startsWith(SDK));
    }

    private static void redirect(RoutingContext ctx, String location) {
        ResponseSender.send(ctx.request(), ApiResponse.empty(302).with(HttpHeaders.LOCATION, location));
    }
}

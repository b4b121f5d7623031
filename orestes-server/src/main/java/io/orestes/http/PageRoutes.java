package io.orestes.http;

import com.google.common.hash.Hashing;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** {@code /dashboard} and {@code /demo}: pages that come with the server, read from the jar when first asked for. */
final class PageRoutes {

    /** Longer paths name no file, and each segment takes a frame of the stack to match. */
    private static final int LONGEST_PATH = 200;

    /** No dots at the start of a segment, so that a path never leaves its folder. */
    private static final Pattern FILE =
            Pattern.compile("/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "json", "application/json;charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "map", "application/json;charset=utf-8");

    /** The pages get everything from this server; a script that somebody smuggles into one does not run. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final boolean demo;
    private final Map<String, Page> pages = new ConcurrentHashMap<>();

    /** @param demo whether the demo is served */
    PageRoutes(boolean demo) {
        this.demo = demo;
    }

    void mount(Router router) {
        router.get("/").method(HttpMethod.HEAD).handler(ctx -> redirect(ctx, demo ? "/demo/" : "/dashboard/"));
        folder(router, "/dashboard");
        if (demo) {
            folder(router, "/demo");
        }
    }

    private void folder(Router router, String path) {
        router.getWithRegex(path + "(?:/.*)?").method(HttpMethod.HEAD).handler(ctx -> Replies.answer(ctx, this::page));
    }

    private Future<Reply> page(RoutingContext ctx) {
        String path = ctx.request().path();
        if (path.indexOf('/', 1) < 0) {
            return Future.succeededFuture(Reply.empty(302).with(HttpHeaders.LOCATION, path + "/"));
        }
        String file = path.endsWith("/") ? path + "index.html" : path;
        return Future.succeededFuture(
                find(file).map(page -> page.reply(ctx)).orElseThrow(() -> new HttpException(404)));
    }

    /** What is not there is not remembered: callers can think of more names than there is memory. */
    private Optional<Page> find(String file) {
        Optional<Page> page = Optional.ofNullable(pages.get(file)).or(() -> load(file));
        page.ifPresent(found -> pages.put(file, found));
        return page;
    }

    private static void redirect(RoutingContext ctx, String location) {
        Replies.send(ctx.request(), Reply.empty(302).with(HttpHeaders.LOCATION, location));
    }

    private static Optional<Page> load(String file) {
        if (file.length() > LONGEST_PATH
                || !FILE.matcher(file).matches()
                || PageRoutes.class.getResource(file) == null) {
            return Optional.empty();
        }
        Buffer content = ServiceRoutes.resource(file);
        String extension = file.substring(file.lastIndexOf('.') + 1);
        String etag = "\"" + Hashing.murmur3_128().hashBytes(content.getBytes()) + "\"";
        return Optional.of(new Page(content, TYPES.getOrDefault(extension, "application/octet-stream"), etag));
    }

    /** One file of a page. */
    private record Page(Buffer content, String type, String etag) {

        Reply reply(RoutingContext ctx) {
            boolean unchanged = Conditions.isUnchanged(ctx.request(), etag);
            return Reply.of(unchanged ? 304 : 200, unchanged ? Buffer.buffer() : content)
                    .with(HttpHeaders.CONTENT_TYPE, type)
                    .with(HttpHeaders.ETAG, etag)
                    .with(HttpHeaders.CACHE_CONTROL, "no-cache")
                    .with("Content-Security-Policy", POLICY)
                    .with("Referrer-Policy", "no-referrer")
                    .with("X-Content-Type-Options", "nosniff")
                    .with(Reply.ORESTES_CACHE, Reply.BYPASS);
        }
    }
}

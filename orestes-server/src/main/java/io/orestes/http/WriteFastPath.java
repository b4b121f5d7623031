package io.orestes.http;

import io.orestes.http.body.BodyCollector;
import io.orestes.http.body.PendingBody;
import io.orestes.http.data.ObjectRoutes;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.RequestTargets;
import io.orestes.http.protocol.ResponseSender;
import io.orestes.wire.ResponseBudget;
import io.orestes.write.ObjectIdRules;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/**
 * The fast path for replaces and partial updates of single objects, which bypasses the router. The
 * router costs more than reading and checking the object. The fast path accepts small bodies of
 * announced length, under a path with no other meaning. All other requests are passed to the
 * router, whose routes for the same requests have the same handlers.
 */
final class WriteFastPath implements Handler<HttpServerRequest> {

    private static final int MAX_BODY_BYTES = 64 * 1024;
    private static final String OBJECTS = ApiRouter.BASE + "/db/";

    /** Classes with further resources beside their objects. */
    private static final Set<String> BUILT_IN = Set.of("User", "Role", "Device");

    private final ObjectRoutes objects;
    private final BodyCollector bodies;
    private final ResponseBudget answers;
    private final Handler<HttpServerRequest> router;

    WriteFastPath(
            ObjectRoutes objects, BodyCollector bodies, ResponseBudget answers, Handler<HttpServerRequest> router) {
        this.objects = objects;
        this.bodies = bodies;
        this.answers = answers;
        this.router = router;
    }

    @Override
    public void handle(HttpServerRequest request) {
        int bytes = isWrite(request) ? announced(request) : -1;
        if (bytes > 0 && bytes <= MAX_BODY_BYTES && bodies.hasRoomFor(bytes)) {
            write(request);
        } else {
            router.handle(request);
        }
    }

    private void write(HttpServerRequest request) {
        PendingBody<Buffer> body = bodies.begin(request, MAX_BODY_BYTES);
        ResponseSender.respond(request, answers, body.whole().compose(whole -> write(request, whole)))
                .onComplete(done -> body.release());
    }

    private Future<ApiResponse> write(HttpServerRequest request, Buffer body) {
        return HttpMethod.PUT.equals(request.method()) ? objects.replace(request, body) : objects.update(request, body);
    }

    private static boolean isWrite(HttpServerRequest request) {
        HttpMethod method = request.method();
        return (HttpMethod.PUT.equals(method) || HttpMethod.POST.equals(method))
                && isObject(request.uri())
                && (HttpMethod.PUT.equals(method) || isNothingElse(request.uri()))
                && !request.headers().contains(HttpHeaders.EXPECT);
    }

    /**
     * Returns whether a POST to the URI can only be an update; an escape may hide one of the other
     * names.
     */
    private static boolean isNothingElse(String uri) {
        int slash = uri.indexOf('/', OBJECTS.length());
        return uri.indexOf('%') < 0
                && !BUILT_IN.contains(uri.substring(OBJECTS.length(), slash))
                && !ObjectIdRules.isReserved(uri.substring(slash + 1));
    }

    /**
     * Returns whether two more non-empty segments follow, without a query or a replacement of one.
     */
    private static boolean isObject(String uri) {
        int slash = uri.indexOf('/', OBJECTS.length());
        return uri.startsWith(OBJECTS)
                && slash > OBJECTS.length()
                && slash < uri.length() - 1
                && uri.indexOf('/', slash + 1) < 0
                && uri.indexOf('?') < 0
                && !RequestTargets.endsInBuster(uri);
    }

    /**
     * Returns the announced length of the body; -1 if it is absent or has too many digits to matter
     * here.
     */
    private static int announced(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null || length.length() > 6 ? -1 : digits(length);
    }

    private static int digits(String text) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}

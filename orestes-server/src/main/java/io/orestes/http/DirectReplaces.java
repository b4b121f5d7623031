package io.orestes.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * Takes replaces of single objects past the router, which costs more than reading and checking the object: small bodies of
 * announced length, under a path that means nothing else. Whatever is not that simple goes on to the router, whose route
 * for the same requests has the same handler.
 */
final class DirectReplaces implements Handler<HttpServerRequest> {

    private static final int LARGEST = 64 * 1024;
    private static final String OBJECTS = Routes.BASE + "/db/";

    private final ObjectRoutes objects;
    private final BodyIntake bodies;
    private final Handler<HttpServerRequest> router;

    DirectReplaces(ObjectRoutes objects, BodyIntake bodies, Handler<HttpServerRequest> router) {
        this.objects = objects;
        this.bodies = bodies;
        this.router = router;
    }

    @Override
    public void handle(HttpServerRequest request) {
        int bytes = isObject(request) ? announced(request) : -1;
        if (bytes > 0 && bytes <= LARGEST && bodies.hasRoomFor(bytes)) {
            replace(request);
        } else {
            router.handle(request);
        }
    }

    private void replace(HttpServerRequest request) {
        PendingBody body = bodies.begin(request, LARGEST);
        Replies.answer(request, body.whole().compose(whole -> objects.replace(request, whole)))
                .onComplete(done -> body.release());
    }

    private static boolean isObject(HttpServerRequest request) {
        return HttpMethod.PUT.equals(request.method())
                && isObject(request.uri())
                && !request.headers().contains(HttpHeaders.EXPECT);
    }

    /** Two more segments, neither of them empty, and no query nor what stands for one. */
    private static boolean isObject(String uri) {
        int slash = uri.indexOf('/', OBJECTS.length());
        return uri.startsWith(OBJECTS)
                && slash > OBJECTS.length()
                && slash < uri.length() - 1
                && uri.indexOf('/', slash + 1) < 0
                && uri.indexOf('?') < 0
                && !Uris.endsInBuster(uri);
    }

    /** The length of the body as announced; -1 if it is not, or in too many digits to matter here. */
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

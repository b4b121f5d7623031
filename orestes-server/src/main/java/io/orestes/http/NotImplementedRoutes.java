package io.orestes.http;

import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import java.util.List;

/** The routes of the protocol (§3) that this server does not implement, answered with 501. */
final class NotImplementedRoutes {

    /**
     * Methods and paths; to be mounted before those of users and objects, whose patterns match some
     * of them.
     */
    private static final List<String> NOT_IMPLEMENTED = List.of(
            "GET PUT /config",
            "POST /config/VAPIDKeys",
            "GET /config/VAPIDPublicKey",
            "POST /config/GCMKey",
            "POST /config/APNSCert",
            "POST /mail",
            "POST /db/User/reset",
            "GET /db/User/verify",
            "GET /db/User/verifyUsername",
            "GET POST /db/User/mfa/init",
            "POST /db/User/mfa/token",
            "GET /db/User/mfa/status",
            "DELETE /db/User/mfa",
            "GET /db/User/OAuth/:provider",
            "GET /db/User/OAuth1/:provider",
            "POST /db/Device/register",
            "GET /db/Device/registered",
            "POST /db/Device/push",
            "GET /code",
            "GET /code-content",
            "GET POST /code/:bucket",
            "GET PUT DELETE /code/:bucket/:type",
            "GET POST /file",
            "GET /file/buckets",
            "GET PUT POST DELETE /file/:bucket",
            "GET /file/:bucket/ids",
            "GET PUT POST DELETE /file/:bucket/*");

    private NotImplementedRoutes() {}

    static void mount(ApiRouter apiRouter) {
        NOT_IMPLEMENTED.forEach(entry -> mount(apiRouter, List.of(entry.split(" "))));
        apiRouter.add(
                "POST",
                "/db/User/changeUsername",
                ctx -> refused(ErrorCode.BAD_REQUEST, "Email verification not enabled"));
    }

    private static void mount(ApiRouter apiRouter, List<String> methodsAndPath) {
        int last = methodsAndPath.size() - 1;
        String path = methodsAndPath.get(last);
        methodsAndPath
                .subList(0, last)
                .forEach(method -> apiRouter.add(
                        method,
                        path,
                        ctx -> refused(ErrorCode.NOT_IMPLEMENTED, "This server cannot do that yet: " + path)));
    }

    private static Future<ApiResponse> refused(ErrorCode code, String why) {
        return Future.failedFuture(new ApiException(code, why));
    }
}

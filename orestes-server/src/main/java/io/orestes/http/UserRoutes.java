package io.orestes.http;

import io.orestes.auth.Authenticator;
import io.orestes.auth.Login;
import io.orestes.auth.LoginService;
import io.orestes.auth.RootAccount;
import io.orestes.auth.Sessions;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.Rendering;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** {@code /db/User/…} and {@code /-/setup}: sessions (protocol §5.2, §5.3) and the first root password. */
final class UserRoutes {

    static final CharSequence TOKEN = HttpHeaders.createOptimized("baqend-authorization-token");

    private final Authenticator authenticator;
    private final LoginService logins;
    private final Sessions sessions;
    private final RootAccount root;
    private final TrustedProxies proxies;
    private final Rendering rendering;

    UserRoutes(
            Authenticator authenticator,
            LoginService logins,
            Sessions sessions,
            RootAccount root,
            TrustedProxies proxies,
            Rendering rendering) {
        this.authenticator = authenticator;
        this.logins = logins;
        this.sessions = sessions;
        this.root = root;
        this.proxies = proxies;
        this.rendering = rendering;
    }

    void mount(Routes routes) {
        routes.post("/db/User/login", this::login)
                .get("/db/User/me", this::me)
                .get("/db/User/validate", this::validate)
                .get("/db/User/logout", ctx -> Future.succeededFuture(Reply.empty(204)))
                .post("/-/setup", this::setUp);
    }

    private Future<Reply> login(RoutingContext ctx) {
        BsonDocument body = Bodies.object(ctx);
        return logins.login(text(body, "username"), text(body, "password"), client(ctx.request()))
                .map(this::opened);
    }

    private String client(HttpServerRequest request) {
        SocketAddress remote = request.remoteAddress();
        String peer = remote == null ? "" : String.valueOf(remote.hostAddress());
        return proxies.client(peer, request.headers());
    }

    private Reply opened(Login login) {
        return Reply.json(200, rendering.object(login.user())).with(TOKEN, login.token());
    }

    /** The user of the session with a renewed token; 404 for everybody else (protocol §5.2). */
    private Future<Reply> me(RoutingContext ctx) {
        return sessions.resume(Caller.authorization(ctx)).map(login -> opened(login.orElseThrow(UserRoutes::nobody)));
    }

    private Future<Reply> validate(RoutingContext ctx) {
        return authenticator
                .principal(Caller.authorization(ctx))
                .compose(principal -> principal.isAnonymous()
                        ? Future.failedFuture(new ApiException(ErrorCode.BAD_CREDENTIALS, "There is no session"))
                        : Future.succeededFuture(
                                Reply.json(200, JsonWriter.write(new BsonDocument("valid", BsonBoolean.TRUE)))));
    }

    private Future<Reply> setUp(RoutingContext ctx) {
        BsonDocument body = Bodies.object(ctx);
        return root.setRootPassword(text(body, "token"), text(body, "password")).map(done -> Reply.empty(204));
    }

    private static ApiException nobody() {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "Nobody is logged in");
    }

    private static String text(BsonDocument body, String member) {
        BsonValue value = body.get(member);
        if (value == null || !value.isString() || value.asString().getValue().isEmpty()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body needs the text " + member);
        }
        return value.asString().getValue();
    }
}

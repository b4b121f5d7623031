package io.orestes.http.caller;

import io.orestes.auth.account.OpenedSession;
import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.token.Session;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.read.response.JsonRenderer;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * {@code /db/User/…} and {@code /-/setup}: registration, sessions (protocol §5.2, §5.3) and the
 * first root password.
 */
public final class UserRoutes {

    public static final CharSequence TOKEN = HttpHeaders.createOptimized("baqend-authorization-token");

    private final RequestAuthenticator requestAuthenticator;
    private final UserServices users;
    private final WritePipeline writes;
    private final ClientAddressResolver addresses;
    private final JsonRenderer jsonRenderer;

    public UserRoutes(
            RequestAuthenticator requestAuthenticator,
            UserServices users,
            WritePipeline writes,
            ClientAddressResolver addresses,
            JsonRenderer jsonRenderer) {
        this.requestAuthenticator = requestAuthenticator;
        this.users = users;
        this.writes = writes;
        this.addresses = addresses;
        this.jsonRenderer = jsonRenderer;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .post("/db/User/login", this::login)
                .post("/db/User/register", this::register)
                .get("/db/User/me", this::me)
                .get("/db/User/validate", this::validate)
                .get("/db/User/logout", ctx -> Future.succeededFuture(ApiResponse.empty(204)))
                .post("/-/setup", this::setUp);
    }

    private Future<ApiResponse> login(RoutingContext ctx) {
        BsonDocument body = RequestBodyParser.object(ctx);
        return users.logins()
                .login(given(body, "username"), given(body, "password"), addresses.of(ctx.request()))
                .map(openedSession -> opened(openedSession).with(TOKEN, openedSession.token()));
    }

    private Future<ApiResponse> register(RoutingContext ctx) {
        BsonDocument body = RequestBodyParser.object(ctx);
        String password = text(body, "password");
        BsonDocument fields = fields(body);
        UserRegistration.requireAcceptable(fields, password);
        boolean isLogin = BsonBoolean.TRUE.equals(body.get("login"));
        return requestAuthenticator
                .ifValid(ctx.request())
                .compose(found -> register(ctx, found.principal(), fields, password))
                .map(openedSession ->
                        isLogin ? opened(openedSession).with(TOKEN, openedSession.token()) : opened(openedSession));
    }

    private Future<OpenedSession> register(
            RoutingContext ctx, Principal principal, BsonDocument fields, String password) {
        if (!principal.isAdmin()) {
            users.limits().requireRegistration(addresses.of(ctx.request()));
        }
        writes.requireAcceptableUser(principal, fields);
        return users.accounts()
                .create(fields, password, (ref, owned) -> writes.insertUser(principal, ref, fields, owned));
    }

    private ApiResponse opened(OpenedSession openedSession) {
        return ApiResponse.json(200, jsonRenderer.object(openedSession.user()));
    }

    /**
     * Returns the user of the session with a renewed token; 404 for every other caller (protocol
     * §5.2), signed URLs included.
     */
    private Future<ApiResponse> me(RoutingContext ctx) {
        String authorization = ctx.request().getHeader(HttpHeaders.AUTHORIZATION);
        return users.sessions()
                .resume(users.authenticator().caller(authorization))
                .map(openedSession -> resumed(openedSession.orElseThrow(UserRoutes::nobody)));
    }

    private ApiResponse resumed(OpenedSession openedSession) {
        ApiResponse apiResponse = opened(openedSession);
        return openedSession.kind() == Session.Kind.SESSION
                ? apiResponse.with(TOKEN, openedSession.token())
                : apiResponse;
    }

    private Future<ApiResponse> validate(RoutingContext ctx) {
        return requestAuthenticator
                .of(ctx.request())
                .compose(found -> found.principal().isAnonymous()
                        ? Future.failedFuture(new ApiException(ErrorCode.BAD_CREDENTIALS, "There is no session"))
                        : Future.succeededFuture(
                                ApiResponse.json(200, JsonWriter.write(new BsonDocument("valid", BsonBoolean.TRUE)))));
    }

    private Future<ApiResponse> setUp(RoutingContext ctx) {
        BsonDocument body = RequestBodyParser.object(ctx);
        return users.root()
                .setRootPassword(text(body, "token"), text(body, "password"))
                .map(done -> ApiResponse.empty(204));
    }

    private static ApiException nobody() {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "Nobody is logged in");
    }

    private static BsonDocument fields(BsonDocument body) {
        BsonValue user = body.get("user");
        if (user == null || !user.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body needs the object user");
        }
        return user.asDocument();
    }

    /**
     * Returns a text, which may be empty: a wrong name or password is an error of credentials, not
     * of form.
     */
    private static String given(BsonDocument body, String member) {
        BsonValue value = body.get(member);
        if (value == null || !value.isString()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body needs the text " + member);
        }
        return value.asString().getValue();
    }

    /** Returns a text that is not empty. */
    static String text(BsonDocument body, String member) {
        String text = textOrEmpty(body, member);
        if (text.isEmpty()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body needs the text " + member);
        }
        return text;
    }

    /** Returns a text that may be empty or missing. */
    static String textOrEmpty(BsonDocument body, String member) {
        BsonValue value = body.get(member);
        return value == null || !value.isString() ? "" : value.asString().getValue();
    }
}

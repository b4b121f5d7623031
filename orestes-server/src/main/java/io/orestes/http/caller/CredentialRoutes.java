package io.orestes.http.caller;

import io.orestes.auth.account.LoginService.NewPassword;
import io.orestes.auth.account.LoginService.PasswordChange;
import io.orestes.auth.token.Session;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.ObjectPathParser;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.read.response.JsonRenderer;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Passwords and tokens of users: {@code /db/User/password}, {@code /db/User/:oid/token}, {@code
 * /db/Role/:oid/assume} (protocol §5.4, §5.8). A new token for the caller is in the header, one for
 * another user in the body.
 */
public final class CredentialRoutes {

    private static final int ENDLESS = 0;
    private static final int MAX_LIFETIME_SECONDS = 24 * 60 * 60;

    private final RequestAuthenticator requestAuthenticator;
    private final UserServices users;
    private final ClientAddressResolver addresses;
    private final JsonRenderer jsonRenderer;

    public CredentialRoutes(
            RequestAuthenticator requestAuthenticator,
            UserServices users,
            ClientAddressResolver addresses,
            JsonRenderer jsonRenderer) {
        this.requestAuthenticator = requestAuthenticator;
        this.users = users;
        this.addresses = addresses;
        this.jsonRenderer = jsonRenderer;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .post("/db/User/password", this::changePassword)
                .delete("/db/User/password", this::removePassword)
                .post("/db/User/:oid/token", this::issueToken)
                .delete("/db/User/:oid/token", this::revokeTokens)
                .post("/db/Role/:oid/assume", this::assume);
    }

    private Future<ApiResponse> changePassword(RoutingContext ctx) {
        NewPassword wanted = wanted(RequestBodyParser.object(ctx));
        return requestAuthenticator
                .of(ctx.request())
                .compose(found ->
                        users.logins().changePassword(found.requireLasting(), wanted, addresses.of(ctx.request())))
                .map(this::changed);
    }

    private static NewPassword wanted(BsonDocument body) {
        if (body.containsKey("token")) {
            throw new ApiException(ErrorCode.NOT_IMPLEMENTED, "This server cannot reset passwords by mail yet");
        }
        return new NewPassword(
                UserRoutes.text(body, "username"),
                UserRoutes.textOrEmpty(body, "password"),
                UserRoutes.text(body, "newPassword"));
    }

    private ApiResponse changed(PasswordChange change) {
        ApiResponse response = ApiResponse.json(200, jsonRenderer.object(change.user()));
        return change.token().map(token -> withToken(response, token)).orElse(response);
    }

    private Future<ApiResponse> removePassword(RoutingContext ctx) {
        return session(ctx)
                .compose(session -> users.logins().removePassword(session))
                .map(token -> withToken(ApiResponse.empty(204), token));
    }

    private Future<ApiResponse> issueToken(RoutingContext ctx) {
        return requestAuthenticator
                .of(ctx.request())
                .map(found ->
                        RequestAuthenticator.requireAdmin(found.requireLasting().principal()))
                .compose(admin -> issue(ctx, ObjectPathParser.ref(ctx.request())))
                .map(CredentialRoutes::inBody);
    }

    private Future<String> issue(RoutingContext ctx, ObjectRef user) {
        if (RequestBodyParser.buffer(ctx).length() > 0
                && !RequestBodyParser.object(ctx).isEmpty()) {
            // A lifetime in the body would be ignored, and the token would never expire.
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body is not read: a lifetime is a parameter of the URL");
        }
        int seconds = QueryParameters.number(ctx, "lifetime", ENDLESS, 1);
        // An empty number must not create a token that never expires.
        boolean isEmpty =
                QueryParameters.text(ctx, "lifetime").filter(String::isEmpty).isPresent();
        if (isEmpty || seconds > MAX_LIFETIME_SECONDS) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, "lifetime has to be from 1 to " + MAX_LIFETIME_SECONDS + " seconds");
        }
        return seconds == ENDLESS
                ? users.tokens().issueUnlimited(user)
                : users.tokens().issueFor(Duration.ofSeconds(seconds), user);
    }

    private Future<ApiResponse> revokeTokens(RoutingContext ctx) {
        return requestAuthenticator
                .of(ctx.request())
                .compose(found -> {
                    var ignored = RequestAuthenticator.requireAdmin(found.principal());
                    return users.tokens().revoke(found, ObjectPathParser.ref(ctx.request()));
                })
                .map(token -> token.map(text -> withToken(ApiResponse.empty(204), text))
                        .orElseGet(() -> ApiResponse.empty(204)));
    }

    private Future<ApiResponse> assume(RoutingContext ctx) {
        return requestAuthenticator
                .of(ctx.request())
                .compose(found -> users.tokens().issueForRole(found, ObjectPathParser.ref(ctx.request())))
                .map(CredentialRoutes::inBody);
    }

    private Future<Session> session(RoutingContext ctx) {
        return requestAuthenticator.of(ctx.request()).map(found -> found.requireLasting()
                .session()
                .orElseThrow(() ->
                        new ApiException(ErrorCode.PERMISSION_DENIED, "Only users who are logged in may do that")));
    }

    /** Adds the token; a client continues with the one in the header. */
    private static ApiResponse withToken(ApiResponse apiResponse, String token) {
        return apiResponse.with(UserRoutes.TOKEN, token);
    }

    private static ApiResponse inBody(String token) {
        return ApiResponse.json(200, JsonWriter.write(new BsonDocument("token", new BsonString(token))));
    }
}

package io.orestes.http.admin;

import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.live.LiveEventExplainer;
import io.orestes.live.request.UnparsedLiveQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.PermissionDecision;
import io.orestes.model.Principal;
import io.orestes.read.explanation.ApiOperation;
import io.orestes.read.explanation.PermissionExplainer;
import io.orestes.read.explanation.PermissionExplanation;
import io.orestes.read.explanation.PermissionExplanation.Circumstance;
import io.orestes.read.explanation.PermissionExplanation.ExplanationStep;
import io.orestes.socket.LiveQueryUrlParser;
import io.orestes.wire.QueryParameters;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * {@code /-/explain}: the rules that decide whether a user may perform an operation; for admins.
 */
public final class ExplainRoutes {

    private static final String PREFIX = "/db/";

    private final RequestAuthenticator requestAuthenticator;
    private final PermissionExplainer permissionExplainer;
    private final LiveEventExplainer liveEventExplainer;

    public ExplainRoutes(
            RequestAuthenticator requestAuthenticator,
            PermissionExplainer permissionExplainer,
            LiveEventExplainer liveEventExplainer) {
        this.requestAuthenticator = requestAuthenticator;
        this.permissionExplainer = permissionExplainer;
        this.liveEventExplainer = liveEventExplainer;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter.get("/-/explain", requestAuthenticator.admin(this::explain));
    }

    private Future<ApiResponse> explain(RoutingContext ctx, Principal admin) {
        Optional<ObjectRef> user =
                QueryParameters.text(ctx, "caller").filter(id -> !id.isEmpty()).map(ExplainRoutes::user);
        String ref = QueryParameters.text(ctx, "ref").orElse("");
        Optional<ObjectRef> object = ObjectRef.parse(ref);
        PermissionExplainer.PermissionQuestion question = new PermissionExplainer.PermissionQuestion(
                user.orElse(null),
                operation(ctx),
                object.map(ObjectRef::bucket).orElseGet(() -> bucket(ref)),
                object.orElse(null),
                QueryParameters.text(ctx, "q").orElse(""));
        UnparsedLiveQuery query = LiveQueryUrlParser.read(ctx);
        return permissionExplainer
                .explain(question)
                .compose(permissionExplanation -> withEvents(
                        question, query, permissionExplanation, json(user.orElse(null), permissionExplanation)))
                .map(json -> ApiResponse.json(200, JsonWriter.write(json)));
    }

    /** Adds the events of a live query and an object that subscribers received. */
    private Future<BsonDocument> withEvents(
            PermissionExplainer.PermissionQuestion question,
            UnparsedLiveQuery query,
            PermissionExplanation permissionExplanation,
            BsonDocument json) {
        return Optional.ofNullable(question.object())
                .filter(object -> question.operation() == ApiOperation.SUBSCRIBE)
                .map(object -> liveEventExplainer
                        .explain(permissionExplanation.principal(), object, query)
                        .map(events -> json.append("event", EventDeliveryExplanationJson.json(events))))
                .orElse(Future.succeededFuture(json));
    }

    private static ObjectRef user(String id) {
        return ObjectRef.parse(id)
                .filter(ref -> ref.bucket().equals("User"))
                .orElseThrow(() -> bad("caller has to be the id of a user, or empty for an anonymous caller: " + id));
    }

    private static ApiOperation operation(RoutingContext ctx) {
        return QueryParameters.text(ctx, "operation")
                .flatMap(ApiOperation::named)
                .orElseThrow(() -> bad("operation has to be one of " + String.join(", ", ApiOperation.names())));
    }

    private static String bucket(String ref) {
        String name = ref.startsWith(PREFIX) ? ref.substring(PREFIX.length()) : "";
        if (!ObjectRef.isBucket(name)) {
            throw bad("ref has to be a class or an object, /db/Class or /db/Class/key: " + ref);
        }
        return name;
    }

    private static BsonDocument json(@Nullable ObjectRef user, PermissionExplanation permissionExplanation) {
        Principal principal = permissionExplanation.principal();
        BsonArray steps = new BsonArray();
        permissionExplanation.steps().forEach(explanationStep -> steps.add(json(explanationStep)));
        return new BsonDocument("granted", BsonBoolean.valueOf(permissionExplanation.granted()))
                .append("caller", user == null ? BsonNull.VALUE : new BsonString(user.id()))
                .append("identities", texts(principal.identities()))
                .append("admin", BsonBoolean.valueOf(principal.isAdmin()))
                .append("steps", steps);
    }

    private static BsonDocument json(ExplanationStep explanationStep) {
        BsonDocument granted = new BsonDocument("granted", BsonBoolean.valueOf(explanationStep.granted()));
        if (explanationStep instanceof ExplanationStep.PermissionCheck permitted) {
            return permitted(granted, permitted);
        } else if (explanationStep instanceof ExplanationStep.MatchCheck matched) {
            return granted.append("level", new BsonString("query"))
                    .append("rule", new BsonString(matched.granted() ? "matches" : "doesNotMatch"))
                    .append("version", new BsonInt64(matched.version()));
        }
        Circumstance what = ((ExplanationStep.CircumstanceCheck) explanationStep).what();
        return granted.append("level", new BsonString(what.level())).append("rule", new BsonString(what.key()));
    }

    private static BsonDocument permitted(BsonDocument granted, ExplanationStep.PermissionCheck permitted) {
        PermissionDecision permissionDecision = permitted.decision();
        return granted.append("level", new BsonString(permitted.level()))
                .append("permission", new BsonString(permitted.permission()))
                .append("rule", new BsonString(permissionDecision.rule().key()))
                .append("by", texts(permissionDecision.matchedIds()));
    }

    private static BsonArray texts(Collection<String> ids) {
        BsonArray texts = new BsonArray();
        ids.stream().sorted().map(BsonString::new).forEach(texts::add);
        return texts;
    }

    private static ApiException bad(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }
}

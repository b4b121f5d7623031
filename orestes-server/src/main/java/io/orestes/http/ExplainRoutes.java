package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.Decision;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.notify.LiveExplainer;
import io.orestes.notify.LiveQueryText;
import io.orestes.read.ExplainedOperation;
import io.orestes.read.Explainer;
import io.orestes.read.Explanation;
import io.orestes.read.Explanation.Circumstance;
import io.orestes.read.Explanation.Step;
import io.orestes.socket.LiveQueryParameters;
import io.orestes.wire.Parameters;
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
import org.bson.BsonValue;

/** {@code /-/explain}: which rule decides whether somebody may do something; for admins. */
final class ExplainRoutes {

    private static final String PREFIX = "/db/";

    private final Caller caller;
    private final Explainer explainer;
    private final LiveExplainer live;

    ExplainRoutes(Caller caller, Explainer explainer, LiveExplainer live) {
        this.caller = caller;
        this.explainer = explainer;
        this.live = live;
    }

    void mount(Routes routes) {
        routes.get("/-/explain", caller.admin(this::explain));
    }

    private Future<Reply> explain(RoutingContext ctx, Principal admin) {
        Optional<ObjectRef> user =
                Parameters.text(ctx, "caller").filter(id -> !id.isEmpty()).map(ExplainRoutes::user);
        String ref = Parameters.text(ctx, "ref").orElse("");
        Optional<ObjectRef> object = ObjectRef.parse(ref);
        Explainer.Question question = new Explainer.Question(
                user,
                operation(ctx),
                object.map(ObjectRef::bucket).orElseGet(() -> bucket(ref)),
                object,
                Parameters.text(ctx, "q").orElse(""));
        LiveQueryText query = LiveQueryParameters.read(ctx);
        return explainer
                .explain(question)
                .compose(explanation -> withEvents(question, query, explanation, json(user, explanation)))
                .map(json -> Reply.json(200, JsonWriter.write(json)));
    }

    /** Of a live query and an object beside it what was told of that. */
    private Future<BsonDocument> withEvents(
            Explainer.Question question, LiveQueryText query, Explanation explanation, BsonDocument json) {
        return question.object()
                .filter(object -> question.operation() == ExplainedOperation.SUBSCRIBE)
                .map(object -> live.explain(explanation.principal(), object, query)
                        .map(events -> json.append("event", ExplainedEvents.json(events))))
                .orElse(Future.succeededFuture(json));
    }

    private static ObjectRef user(String id) {
        return ObjectRef.parse(id)
                .filter(ref -> ref.bucket().equals("User"))
                .orElseThrow(() -> bad("caller has to be the id of a user, or empty for who is not logged in: " + id));
    }

    private static ExplainedOperation operation(RoutingContext ctx) {
        return Parameters.text(ctx, "operation")
                .flatMap(ExplainedOperation::named)
                .orElseThrow(() -> bad("operation has to be one of " + String.join(", ", ExplainedOperation.names())));
    }

    private static String bucket(String ref) {
        String name = ref.startsWith(PREFIX) ? ref.substring(PREFIX.length()) : "";
        if (!ObjectRef.isBucket(name)) {
            throw bad("ref has to be a class or an object, /db/Class or /db/Class/key: " + ref);
        }
        return name;
    }

    private static BsonDocument json(Optional<ObjectRef> user, Explanation explanation) {
        Principal principal = explanation.principal();
        BsonArray steps = new BsonArray();
        explanation.steps().forEach(step -> steps.add(json(step)));
        return new BsonDocument("granted", BsonBoolean.valueOf(explanation.granted()))
                .append(
                        "caller",
                        user.<BsonValue>map(ref -> new BsonString(ref.id())).orElse(BsonNull.VALUE))
                .append("identities", texts(principal.identities()))
                .append("admin", BsonBoolean.valueOf(principal.isAdmin()))
                .append("steps", steps);
    }

    private static BsonDocument json(Step step) {
        BsonDocument granted = new BsonDocument("granted", BsonBoolean.valueOf(step.granted()));
        if (step instanceof Step.Permitted permitted) {
            return permitted(granted, permitted);
        } else if (step instanceof Step.Matched matched) {
            return granted.append("level", new BsonString("query"))
                    .append("rule", new BsonString(matched.granted() ? "matches" : "doesNotMatch"))
                    .append("version", new BsonInt64(matched.version()));
        }
        Circumstance what = ((Step.Found) step).what();
        return granted.append("level", new BsonString(what.level())).append("rule", new BsonString(what.key()));
    }

    private static BsonDocument permitted(BsonDocument granted, Step.Permitted permitted) {
        Decision decision = permitted.decision();
        return granted.append("level", new BsonString(permitted.level()))
                .append("permission", new BsonString(permitted.permission()))
                .append("rule", new BsonString(decision.rule().key()))
                .append("by", texts(decision.by()));
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

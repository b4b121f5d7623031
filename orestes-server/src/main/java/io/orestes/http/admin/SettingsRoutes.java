package io.orestes.http.admin;

import io.orestes.config.EffectiveSetting;
import io.orestes.config.Settings;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;

/** {@code /-/settings}: the configuration of this server without secrets; for admins. */
public final class SettingsRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final List<EffectiveSetting> settings;

    public SettingsRoutes(RequestAuthenticator requestAuthenticator, List<EffectiveSetting> settings) {
        this.requestAuthenticator = requestAuthenticator;
        this.settings = settings;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter.get("/-/settings", requestAuthenticator.admin(this::all));
    }

    private Future<ApiResponse> all(RoutingContext ctx, Principal admin) {
        BsonArray all = new BsonArray();
        settings.forEach(setting -> all.add(json(setting)));
        return Future.succeededFuture(ApiResponse.json(200, JsonWriter.write(all)));
    }

    private static BsonDocument json(EffectiveSetting setting) {
        return new BsonDocument("key", new BsonString(setting.key()))
                .append("value", setting.value() == null ? BsonNull.VALUE : new BsonString(setting.value()))
                .append("source", new BsonString(setting.source().key()))
                .append("set", BsonBoolean.valueOf(setting.isSet()))
                .append("secret", BsonBoolean.valueOf(setting.isSecret()))
                .append("type", new BsonString(setting.type()))
                .append("default", new BsonString(setting.standard()))
                .append("description", new BsonString(setting.description()))
                .append("variable", new BsonString(Settings.variable(setting.key())));
    }
}

package io.orestes.app.module;

import io.orestes.live.LiveQueries;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.response.ReaderDependencies;

/** The live queries, and the parser of requests for them. */
public record LiveModule(LiveQueries queries, SubscriptionRequestParser requests) {

    static LiveModule create(Platform platform, DataModule data, AuthModule auth) {
        SchemaModule schema = data.schema();
        LiveQueries queries = new LiveQueries(
                platform.vertx(),
                data.matching().client(),
                new ReaderDependencies(
                        schema.registry(),
                        data.storage().store(),
                        schema.renderer(),
                        platform.config().consistency(),
                        platform.clock()),
                auth.authenticator(),
                platform.config().live());
        return new LiveModule(
                queries,
                new SubscriptionRequestParser(
                        schema.registry(), schema.parser(), platform.config().live()));
    }

    /** Refuses subscribers that arrive too late for an orderly end. */
    public void refuseSubscribers() {
        queries.failAll(new ApiException(ErrorCode.UNAVAILABLE, "The server is stopping"));
    }
}

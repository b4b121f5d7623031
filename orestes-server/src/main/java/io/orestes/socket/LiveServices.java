package io.orestes.socket;

import io.orestes.auth.token.Authenticator;
import io.orestes.caching.ClientSketch;
import io.orestes.live.LiveQueries;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.read.response.JsonRenderer;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The thread-safe services that the event streams and WebSockets of all event loops share.
 *
 * @param sketch supplies the current sketch of stale cache entries; fails while this server is not
 *     synchronized
 * @param receivesAllWrites true while this server receives all writes; otherwise subscriptions are
 *     refused
 */
public record LiveServices(
        Authenticator authenticator,
        SubscriptionRequestParser requests,
        LiveQueries live,
        JsonRenderer jsonRenderer,
        LiveConfig config,
        ResponseBudget responseBudget,
        Supplier<Future<ClientSketch>> sketch,
        BooleanSupplier receivesAllWrites) {}

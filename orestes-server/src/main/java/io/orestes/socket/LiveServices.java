package io.orestes.socket;

import io.orestes.auth.Authenticator;
import io.orestes.caching.ClientFilter;
import io.orestes.notify.LiveConfig;
import io.orestes.notify.LiveQueries;
import io.orestes.notify.LiveRequests;
import io.orestes.read.Rendering;
import io.orestes.wire.AnswerRoom;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the streams and sockets of every event loop share. All of it is thread-safe.
 *
 * @param filter what is stale in caches now; fails as long as this server does not know
 * @param isWhole whether this server hears of all that is written; else nobody can subscribe
 */
public record LiveServices(
        Authenticator authenticator,
        LiveRequests requests,
        LiveQueries live,
        Rendering rendering,
        LiveConfig config,
        AnswerRoom answers,
        Supplier<Future<ClientFilter>> filter,
        BooleanSupplier isWhole) {}

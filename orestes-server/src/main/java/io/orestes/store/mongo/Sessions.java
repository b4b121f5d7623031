package io.orestes.store.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import io.vertx.core.Future;
import java.util.Optional;

/** Begins sessions of MongoDB, in which nothing has to wait for what was done in them before. Whoever begins one closes it. */
record Sessions(MongoClient client, Publishers publishers) {

    private static final ClientSessionOptions OPTIONS =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    Future<ClientSession> begin() {
        return publishers.first(client.startSession(OPTIONS)).map(Optional::orElseThrow);
    }
}

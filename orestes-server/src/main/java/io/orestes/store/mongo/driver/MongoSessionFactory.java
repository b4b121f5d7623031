package io.orestes.store.mongo.driver;

import com.mongodb.ClientSessionOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import io.vertx.core.Future;
import java.util.Optional;

/** A factory of MongoDB client sessions, each of which its caller closes. */
public record MongoSessionFactory(MongoClient client, PublisherAdapter publishers) {

    /** Starts a session in which no read waits for earlier operations of the session. */
    public Future<ClientSession> begin() {
        return begin(false);
    }

    /**
     * Starts a session in which a read waits for the operation time that the session has reached.
     */
    public Future<ClientSession> beginCausal() {
        return begin(true);
    }

    private Future<ClientSession> begin(boolean isCausal) {
        ClientSessionOptions options =
                ClientSessionOptions.builder().causallyConsistent(isCausal).build();
        return publishers.first(client.startSession(options)).map(Optional::orElseThrow);
    }
}

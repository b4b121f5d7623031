package io.orestes.store.mongo.probe;

import com.mongodb.connection.ServerType;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;

/** The deployment that a server belongs to, by its own account. */
enum Topology {
    /** A member of a replica set, or a router of a sharded cluster. */
    REPLICATED,

    /** A server with {@code --replSet} whose replica set has no configuration yet. */
    UNINITIATED,

    STANDALONE;

    private static final String INITIATE = "mongosh --eval 'rs.initiate()'";

    /** Returns the topology that the driver has discovered; empty if that is none yet. */
    static Optional<Topology> of(ServerType type) {
        return switch (type) {
            case UNKNOWN -> Optional.empty();
            case STANDALONE -> Optional.of(STANDALONE);
            case REPLICA_SET_GHOST -> Optional.of(UNINITIATED);
            default -> Optional.of(REPLICATED);
        };
    }

    /** Returns the topology by the response to {@code hello}. */
    static Topology of(BsonDocument hello) {
        if (hello.containsKey("setName") || hello.get("msg", BsonNull.VALUE).isString()) {
            return REPLICATED;
        }
        return hello.get("isreplicaset", BsonBoolean.FALSE).equals(BsonBoolean.TRUE) ? UNINITIATED : STANDALONE;
    }

    /**
     * Returns the reason why a server is not used, with the commands that change it.
     *
     * @param place address of the server
     */
    UnusableServerException refusal(String place) {
        return new UnusableServerException(
                this == UNINITIATED
                        ? place + " cannot be used: its replica set is not initiated. Run once: " + INITIATE
                        : place + " cannot be used: it is no replica set, which transactions and change streams need."
                                + " One member is enough."
                                + " Restart it with: mongod --replSet rs0 (and its other options)."
                                + " Then run once: " + INITIATE);
    }
}

package io.orestes.http.admin;

import io.orestes.ops.ChangeFeedState;
import io.orestes.ops.CoordinationState;
import io.orestes.ops.Health;
import io.orestes.ops.QueueState;
import io.orestes.ops.Version;
import java.time.Duration;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The JSON form of the health of the server and of its dependencies. */
final class HealthJson {

    private HealthJson() {}

    /**
     * Returns the health of the server and its store.
     *
     * @param answered response time of the store; null if it did not answer
     */
    static BsonDocument of(Health health, @Nullable Duration answered) {
        BsonDocument store = store(health)
                .append("reachable", BsonBoolean.valueOf(answered != null))
                .append("answerMs", millis(answered));
        return new BsonDocument("version", new BsonString(Version.SERVER))
                .append("ready", BsonBoolean.valueOf(health.isReady() && answered != null))
                .append("store", store);
    }

    /** Returns the health of the store without a request to it. */
    static BsonDocument store(Health health) {
        BsonArray missing = new BsonArray(
                health.store().missing().stream().map(BsonString::new).toList());
        BsonDocument store =
                new BsonDocument("name", new BsonString(health.store().name())).append("missing", missing);
        health.changes().ifPresent(changes -> store.append("changes", changes(changes)));
        return store;
    }

    private static BsonDocument changes(ChangeFeedState state) {
        BsonDocument changes = new BsonDocument("role", new BsonString(state.role()));
        if (state.behind() != null) {
            changes.append("behindMs", new BsonInt64(state.behind().toMillis()));
        }
        return changes;
    }

    static BsonDocument of(CoordinationState state) {
        return new BsonDocument("kind", new BsonString(state.kind()))
                .append("reachable", BsonBoolean.valueOf(state.isReached()))
                .append("current", BsonBoolean.valueOf(state.isCurrent()))
                .append("leaseMs", millis(state.leaseLeft()))
                .append(
                        "changeReader",
                        state.changeReader() == null ? BsonNull.VALUE : new BsonString(state.changeReader()))
                .append(
                        "servers",
                        new BsonArray(
                                state.servers().stream().map(HealthJson::server).toList()));
    }

    private static BsonDocument server(CoordinationState.MemberState server) {
        return new BsonDocument("id", new BsonString(server.id()))
                .append("address", new BsonString(server.address()))
                .append("self", BsonBoolean.valueOf(server.isSelf()))
                .append("link", server.link() == null ? BsonNull.VALUE : link(server.link()));
    }

    private static BsonDocument link(CoordinationState.ReplicationState link) {
        return new BsonDocument("connected", BsonBoolean.valueOf(link.isConnected()))
                .append("unanswered", new BsonInt32(link.unacknowledged()))
                .append("bytes", new BsonInt64(link.bytes()))
                .append("maxBytes", new BsonInt64(link.maxBytes()));
    }

    static BsonDocument of(QueueState queues) {
        return new BsonDocument("matching", new BsonInt32(queues.matching()))
                .append("matchingLate", BsonBoolean.valueOf(queues.isMatchingLate()))
                .append("passwords", new BsonInt32(queues.passwords()))
                .append("maxPasswords", new BsonInt32(queues.maxPasswords()))
                .append("workersMs", millis(queues.workerDelay()));
    }

    private static BsonValue millis(@Nullable Duration time) {
        return time == null ? BsonNull.VALUE : new BsonDouble(time.toNanos() / 1e6);
    }
}

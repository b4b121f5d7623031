package io.orestes.store.mongo.probe;

import com.mongodb.ServerAddress;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerListener;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.MongoErrors;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonDocument;

/**
 * A server listener that rejects MongoDB servers without replication as soon as the driver
 * discovers them. The driver itself drops a standalone server from an address that names a replica
 * set or several members, and searches for another one until its time-out. Thread-safe.
 */
public final class TopologyCheck implements ServerListener {

    /** Time for which a starting member may have no configuration of its set. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final String place;
    private final int seeds;
    private final Map<ServerAddress, Topology> answers = new ConcurrentHashMap<>();
    private final Promise<Void> verdict = Promise.promise();

    public TopologyCheck(MongoConfig config) {
        this.place = config.hostsAndDatabase();
        this.seeds = config.address().getHosts().size();
    }

    @Override
    public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
        Topology.of(event.getNewDescription().getType())
                .ifPresent(topology -> note(event.getServerId().getAddress(), topology));
    }

    private void note(ServerAddress server, Topology topology) {
        answers.put(server, topology);
        if (topology == Topology.REPLICATED) {
            boolean unused = verdict.tryComplete();
        } else if (answers.size() >= seeds && !answers.containsValue(Topology.UNINITIATED)) {
            refuse(Topology.STANDALONE);
        }
    }

    /**
     * Fails with {@link UnusableServerException} if servers have responded, and none of them is
     * replicated. Succeeds if none has responded within two seconds.
     */
    public Future<Void> check(Vertx vertx) {
        long timer = vertx.setTimer(GRACE.toMillis(), late -> conclude());
        return verdict.future().onComplete(done -> {
            boolean unused = vertx.cancelTimer(timer);
        });
    }

    /** Fails if a server with this response must not be used, or not yet. */
    Future<Void> require(BsonDocument hello) {
        return switch (Topology.of(hello)) {
            case REPLICATED -> Future.succeededFuture();
            case UNINITIATED -> Future.failedFuture(MongoErrors.unavailable("MongoDB has not loaded its replica set"));
            case STANDALONE -> Future.failedFuture(Topology.STANDALONE.refusal(place));
        };
    }

    private void conclude() {
        if (answers.isEmpty()) {
            boolean unused = verdict.tryComplete();
        } else {
            refuse(answers.containsValue(Topology.STANDALONE) ? Topology.STANDALONE : Topology.UNINITIATED);
        }
    }

    private void refuse(Topology topology) {
        boolean unused = verdict.tryFail(topology.refusal(place));
    }
}

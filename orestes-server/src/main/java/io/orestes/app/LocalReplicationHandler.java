package io.orestes.app;

import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.caching.CacheAdministrator;
import io.orestes.caching.CacheReplica;
import io.orestes.changefeed.RecentWrites;
import io.orestes.live.LiveQueries;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.replication.ReplicationHandler;
import io.orestes.write.WritePublisher;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The handler that applies replicated messages from other servers to the components of this one. It
 * closes the connections of live queries after missed writes that these queries would have had to
 * report. An error would permanently end the subscriptions of some clients, while a client without
 * connection subscribes again.
 *
 * @param orphans open transactions of departed servers in the store
 * @param disconnectSubscribers closes all connections of live queries, soon and without a message:
 *     clients subscribe again
 */
record LocalReplicationHandler(
        SchemaFollower schema,
        OrphanedTransactions orphans,
        WritePublisher publisher,
        CacheReplica caches,
        CacheAdministrator administrator,
        CachedQueryRegistry cached,
        LiveQueries live,
        Authenticator authenticator,
        RecentWrites recentWrites,
        Runnable disconnectSubscribers)
        implements ReplicationHandler {

    @Override
    public Future<Optional<Duration>> applyWrite(String member, WriteOutcome writeOutcome) {
        Future<Optional<Duration>> announced = publisher.applyLocally(writeOutcome);
        recentWrites.recordRemoteWrite(member, writeOutcome);
        return announced;
    }

    @Override
    public void onMemberFailed(String member) {
        recentWrites.suspectMember(member);
        schema.catchUp();
    }

    @Override
    public void onMemberDeparted(String process) {
        if (!process.isEmpty()) {
            orphans.abort(process);
        }
    }

    @Override
    public void takeOver() {
        schema.takeOver();
    }

    /** Copies of earlier responses stay in the filter for as long as they can live. */
    @Override
    public void onWritesMissed(String bucket) {
        administrator.invalidateClass(bucket);
        cached.invalidateAll();
        authenticator.evictAll();
        if (bucket.isEmpty()) {
            live.discardAll();
        } else {
            live.discardAll(bucket);
        }
        disconnectSubscribers.run();
    }

    @Override
    public void onRightsChanged(ObjectRef user) {
        Server.publishRightsChange(authenticator, live, RightsChange.of(user));
    }

    @Override
    public Future<Void> pause(String turn, Set<String> buckets) {
        return schema.pause(turn, buckets);
    }

    @Override
    public Future<Void> resume(String turn) {
        return schema.resume(turn);
    }

    @Override
    public Future<Void> onSchemaChanged() {
        return schema.refresh();
    }

    @Override
    public Future<Void> onIndexesChanged(String bucket) {
        return schema.indexesChanged(bucket);
    }

    @Override
    public Future<Void> synchronize(boolean isFirst) {
        Future<Void> aborted = isFirst ? orphans.abortAll() : Future.succeededFuture();
        return aborted.compose(done -> schema.initialise(isFirst));
    }

    @Override
    public void invalidateAll() {
        administrator.clearResponses();
        cached.invalidateAll();
        authenticator.evictAll();
        live.discardAll();
        disconnectSubscribers.run();
    }
}

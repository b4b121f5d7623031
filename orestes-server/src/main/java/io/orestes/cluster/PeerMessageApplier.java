package io.orestes.cluster;

import io.orestes.caching.PeerCacheAccess;
import io.orestes.changefeed.RecentWrites;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.replication.ReplicationHandler;
import io.orestes.write.WritePublisher;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The handler that applies replicated messages from other servers to the components of this one.
 *
 * @param orphans open transactions of departed servers in the store
 */
public record PeerMessageApplier(
        SchemaFollower schema,
        OrphanedTransactions orphans,
        WritePublisher publisher,
        PeerCacheAccess caches,
        DerivedState derived,
        RecentWrites recentWrites)
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

    @Override
    public void onWritesMissed(String bucket) {
        derived.invalidate(bucket);
    }

    @Override
    public void onRightsChanged(ObjectRef user) {
        derived.applyRightsChange(user);
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
        derived.invalidateAll();
    }
}

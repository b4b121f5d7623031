package io.orestes.app.module;

import io.orestes.changefeed.ChangeFeedConsumer;
import io.orestes.changefeed.ChangeFeedConsumerStatus;
import io.orestes.cluster.DerivedState;
import io.orestes.cluster.ExternalWriteHandler;
import io.orestes.cluster.OrphanedTransactions;
import io.orestes.cluster.PeerMessageApplier;
import io.orestes.cluster.ServerGroup;
import io.orestes.ops.ChangeFeedState;
import io.orestes.replication.ReplicationHandler;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of replication: messages of other servers, and writes of other programs.
 *
 * @param handler the handler of messages from other servers
 * @param feedConsumer the consumer of the store's change feed; null if there is none
 */
public record ReplicationReceiverModule(
        DataModule data, ReplicationHandler handler, @Nullable ChangeFeedConsumer feedConsumer) {

    static ReplicationReceiverModule create(
            Platform platform, DataModule data, WriteModule write, DerivedState derived) {
        StorageModule storage = data.storage();
        ReplicationHandler handler = new PeerMessageApplier(
                data.schema().follower(),
                new OrphanedTransactions(platform.vertx(), storage.shared()),
                write.publisher(),
                data.caching().caches().replica(),
                derived,
                write.recentWrites());
        ChangeFeed feed = storage.changes();
        return new ReplicationReceiverModule(
                data, handler, feed == null ? null : consumer(platform, data, write, derived, feed));
    }

    private static ChangeFeedConsumer consumer(
            Platform platform, DataModule data, WriteModule write, DerivedState derived, ChangeFeed feed) {
        return new ChangeFeedConsumer(
                platform.vertx(),
                feed,
                new ExternalWriteHandler(
                        data.schema().registry(),
                        write.publisher(),
                        derived,
                        data.group().group()),
                write.recentWrites(),
                platform.metrics().registry());
    }

    /** Enters the group, and shares the store with the other servers. */
    public Future<Void> enterGroup() {
        ServerGroup group = data.group().group();
        return group.enter(data.storage().shared().processName(), handler)
                .onSuccess(entered -> data.storage().shared().join(group::broadcastIndexChange));
    }

    /** Becomes a candidate for reading the change feed, if there is one. */
    public void startFeed() {
        if (feedConsumer != null) {
            feedConsumer.start(data.group().group().coordinator());
        }
    }

    /** Lets another server read the change feed. */
    public Future<Void> stopFeed() {
        return feedConsumer == null ? Future.succeededFuture() : feedConsumer.stop();
    }

    /** Returns the state of the change feed; empty if only this server writes to the store. */
    Optional<ChangeFeedState> feedState() {
        return Optional.ofNullable(feedConsumer).map(consumer -> toState(consumer.state()));
    }

    private static ChangeFeedState toState(ChangeFeedConsumerStatus state) {
        return new ChangeFeedState(
                state.role().name().toLowerCase(Locale.ROOT), state.behind().orElse(null));
    }
}

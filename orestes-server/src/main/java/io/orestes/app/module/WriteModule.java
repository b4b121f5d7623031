package io.orestes.app.module;

import io.orestes.changefeed.RecentWrites;
import io.orestes.cluster.DerivedState;
import io.orestes.model.WriteOutcome;
import io.orestes.transaction.CommitLocks;
import io.orestes.transaction.CommitOutcomeLog;
import io.orestes.transaction.InDoubtCommits;
import io.orestes.transaction.TransactionConfig;
import io.orestes.transaction.TransactionIds;
import io.orestes.transaction.TransactionManager;
import io.orestes.write.WritePipeline;
import io.orestes.write.WritePublisher;
import java.util.function.Consumer;

/**
 * The pipeline of all writes, and transactions.
 *
 * @param publisher the stages after the commit, also for writes of other servers and programs
 * @param recentWrites writes that the reader of the change feed need not publish again
 */
public record WriteModule(
        WritePipeline writes, WritePublisher publisher, TransactionManager transactions, RecentWrites recentWrites) {

    static WriteModule create(Platform platform, DataModule data, DerivedState derived) {
        RecentWrites recentWrites = new RecentWrites();
        WritePublisher publisher = new WritePublisher(
                data.storage().store(),
                data.caching().caches().invalidator(),
                data.matching().client(),
                data.group().group().replication(),
                afterCommit(data.storage(), derived, recentWrites));
        WritePipeline writes =
                new WritePipeline(data.schema().registry(), data.storage().store(), publisher);
        data.schema().writes().resolve(writes);
        return new WriteModule(writes, publisher, transactions(platform, data, writes), recentWrites);
    }

    private static Consumer<WriteOutcome> afterCommit(
            StorageModule storage, DerivedState derived, RecentWrites recentWrites) {
        boolean hasChangeFeed = storage.changes() != null;
        return writeOutcome -> {
            derived.applyWrite(writeOutcome);
            storage.shared().evictBefore(writeOutcome);
            if (hasChangeFeed) {
                recentWrites.recordWrite(writeOutcome);
            }
        };
    }

    private static TransactionManager transactions(Platform platform, DataModule data, WritePipeline writes) {
        TransactionConfig config = platform.config().transactions();
        CommitOutcomeLog commits = data.group().commits();
        return new TransactionManager(
                writes,
                config,
                new TransactionIds(data.secret().bytes(), config.timeout(), platform.clock()),
                new CommitLocks(
                        data.group().group().coordinator().locks(),
                        data.storage().shared().processName(),
                        InDoubtCommits.of(platform.vertx(), commits, platform.clock())),
                commits);
    }
}

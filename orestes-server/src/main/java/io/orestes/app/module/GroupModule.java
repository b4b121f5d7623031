package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.app.config.ServerGroupConfig;
import io.orestes.cluster.OrphanedCommitResolver;
import io.orestes.cluster.ReplicatedGroup;
import io.orestes.cluster.ServerGroup;
import io.orestes.cluster.StandaloneGroup;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.coordination.zookeeper.ZooKeeperCoordinator;
import io.orestes.replication.PeerGroup;
import io.orestes.transaction.CommitOutcomeLog;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * The group of this server, with the log by which its members decide about transactions of departed
 * ones.
 */
public record GroupModule(ServerGroup group, CommitOutcomeLog commits) {

    /** Time after its last activity for which the outcome of a transaction is retained. */
    private static final Duration COMMIT_RECORD_TTL = Duration.ofMinutes(10);

    /** Creates the group, which this server has not entered yet. */
    static GroupModule create(Platform platform, StorageModule storage, TokenSecret secret) {
        CommitOutcomeLog commits = new CommitOutcomeLog(
                storage.store(),
                platform.clock(),
                platform.config().transactions().timeout().plus(COMMIT_RECORD_TTL));
        ServerGroupConfig config = platform.config().group();
        ServerGroup group = config == null
                ? new StandaloneGroup(LocalGroup.alone(platform.vertx(), CoordinationTimeouts.DEFAULTS))
                : replicated(platform, config, new OrphanedCommitResolver(storage.shared(), commits), secret);
        return new GroupModule(group, commits);
    }

    /** Prepares the store for the outcomes of transactions. */
    public Future<Void> prepareCommits() {
        return commits.prepare();
    }

    /** Leaves the group; never fails. */
    public Future<Void> leave() {
        return group.leave();
    }

    private static ServerGroup replicated(
            Platform platform, ServerGroupConfig config, OrphanedCommitResolver resolver, TokenSecret secret) {
        ServerConfig serverConfig = platform.config();
        Coordinator coordinator = new ZooKeeperCoordinator(platform.vertx(), config.zookeeper(), resolver);
        PeerGroup peers =
                new PeerGroup(platform.vertx(), config.links(serverConfig.longestTtl()), coordinator, secret.bytes());
        return new ReplicatedGroup(
                peers, coordinator, config.address(), config.zookeeper().servers());
    }
}

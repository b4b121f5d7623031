package io.orestes.coordination.zookeeper;

import java.io.IOException;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * The factory of the only ZooKeeper handle of a Curator framework, which so has a single session.
 * It is the only class that uses the handle itself, because a membership is a session and Curator
 * replaces sessions in two cases. After an expired session it creates another handle and sends
 * waiting operations there. After a disconnection for as long as a session lasts it expires the
 * session itself, though ZooKeeper may resume it, as after an outage of the ensemble.
 * ZooKeeper's client (3.9.3) waits longer: it expires a session after four thirds of its time.
 */
final class SingleSessionFactory implements ZookeeperFactory {

    /**
     * Maximum size of a response in bytes; responses, such as the names of all locks of one shard,
     * may exceed requests.
     */
    private static final int MAX_PACKET_BYTES = 16 << 20;

    private @Nullable Handle handle;

    /** Returns the first handle again; after the end of its session all operations on it fail. */
    @Override
    public synchronized ZooKeeper newZooKeeper(
            String servers, int sessionMillis, Watcher watcher, boolean canBeReadOnly) throws IOException {
        Handle first = handle == null ? new Handle(servers, sessionMillis, watcher) : handle;
        handle = first;
        return first;
    }

    /** Returns the session time-out that ZooKeeper has granted; 0 before it is connected. */
    synchronized int grantedSessionMillis() {
        return handle == null ? 0 : handle.grantedSessionMillis();
    }

    /** A handle whose session is expired by ZooKeeper or by its client, not by Curator. */
    @SuppressWarnings("try") // Closing a ZooKeeper can be interrupted.
    private static final class Handle extends ZooKeeper {

        Handle(String servers, int sessionMillis, Watcher watcher) throws IOException {
            super(servers, sessionMillis, watcher, settings(sessionMillis));
        }

        /** Returns the disconnected time after which Curator expires the session: never. */
        @Override
        public int getSessionTimeout() {
            return Integer.MAX_VALUE;
        }

        private int grantedSessionMillis() {
            return super.getSessionTimeout();
        }

        private static ZKClientConfig settings(int sessionMillis) {
            ZKClientConfig settings = new ZKClientConfig();
            settings.setProperty(ZKClientConfig.JUTE_MAXBUFFER, String.valueOf(MAX_PACKET_BYTES));
            // Time-out of blocking operations on worker threads: connecting and closing.
            settings.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(sessionMillis));
            return settings;
        }
    }
}

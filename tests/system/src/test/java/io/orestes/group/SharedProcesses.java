package io.orestes.group;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Folders;
import io.orestes.support.zookeeper.Ensemble;

/**
 * The replica set and the ZooKeeper ensemble of all groups that need none of their own. Each is
 * started on first use, and ends with this process. Groups have databases and names of their own
 * there.
 */
final class SharedProcesses {

    private SharedProcesses() {}

    static Mongod mongod() {
        return Mongo.SERVER;
    }

    static Ensemble ensemble() {
        return ZooKeeper.ENSEMBLE;
    }

    private static final class Mongo {
        private static final Mongod SERVER = Mongod.replicaSet(Folders.temporary("mongod"));

        static {
            closeAtTheEnd(SERVER::close);
        }
    }

    private static final class ZooKeeper {
        private static final Ensemble ENSEMBLE = Ensemble.inTemporaryFolder().start();

        static {
            closeAtTheEnd(ENSEMBLE::close);
        }
    }

    private static void closeAtTheEnd(Runnable closing) {
        Runtime.getRuntime().addShutdownHook(new Thread(closing));
    }
}

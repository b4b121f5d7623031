package io.orestes.store.mongo;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.mongo.MongodBuilder;

/** Kinds of deployment of a mongod of the tests, as a replica set of one member. */
public enum Deployment {
    REPLICA_SET,
    /** A replica set that does not wait for the disk: the contract is about what is committed. */
    QUICK_REPLICA_SET,
    /** A replica set that requires a password. It does not wait for the disk either. */
    REPLICA_SET_WITH_PASSWORD;

    /** Starts a server with failpoints, and waits until it takes writes. */
    public Mongod start() {
        return options().flags(Mongod.FAIL_POINTS).start();
    }

    private MongodBuilder options() {
        MongodBuilder replicaSet = Mongod.inTemporaryFolder().replicaSet("rs0");
        return switch (this) {
            case REPLICA_SET -> replicaSet;
            case QUICK_REPLICA_SET -> replicaSet.withoutWaitingForDisk();
            case REPLICA_SET_WITH_PASSWORD -> replicaSet.withoutWaitingForDisk().withPassword();
        };
    }
}

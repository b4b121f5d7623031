package io.orestes.store.mongo;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.mongo.MongodBuilder;

/** How a mongod of the tests is deployed; a replica set has one member. */
public enum Deployment {
    REPLICA_SET,
    /** One that does not wait for the disk: the contract is about what is committed. */
    QUICK_REPLICA_SET,
    STANDALONE,
    /** A standalone server that asks for a password. */
    WITH_PASSWORD,
    /** A replica set that asks for a password. It does not wait for the disk either. */
    REPLICA_SET_WITH_PASSWORD;

    /** Starts one with failpoints, and waits until it takes writes. */
    public Mongod start() {
        return options().flags(Mongod.FAIL_POINTS).start();
    }

    private MongodBuilder options() {
        MongodBuilder standalone = Mongod.inTemporaryFolder();
        return switch (this) {
            case STANDALONE -> standalone;
            case WITH_PASSWORD -> standalone.withPassword();
            case REPLICA_SET -> standalone.replicaSet("rs0");
            case QUICK_REPLICA_SET -> standalone.replicaSet("rs0").withoutWaitingForDisk();
            case REPLICA_SET_WITH_PASSWORD ->
                standalone.replicaSet("rs0").withoutWaitingForDisk().withPassword();
        };
    }
}

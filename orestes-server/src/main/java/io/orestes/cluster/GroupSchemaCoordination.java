package io.orestes.cluster;

import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.replication.PeerGroup;
import io.orestes.schema.change.SchemaCoordination;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The coordination of schema changes in a server group, by a group lock and messages to all
 * members. A server has the lock while it changes stored objects for the schema. The lock ends with
 * its server at the latest.
 */
record GroupSchemaCoordination(Supplier<PeerGroup> group, Supplier<SchemaFollower> follower, GroupLocks locks)
        implements SchemaCoordination {

    private static final String KEY = "_schema";
    private static final String LOCK_PREFIX = "schema:";

    /**
     * Returns whether a lock is one of these. The unfinished change of its server is in the store
     * for the next owner.
     */
    static boolean isSchemaLock(String lock) {
        return lock.startsWith(LOCK_PREFIX);
    }

    @Override
    public void requireConnected() {
        group.get().requireMembership();
    }

    @Override
    public Future<SchemaLock> acquireLock() {
        String name = LOCK_PREFIX + UUID.randomUUID();
        return locks.acquire(name, new TreeMap<>(Map.of(KEY, GroupLocks.Mode.WRITE)))
                .map(lock -> new Held(name, lock, this));
    }

    @Override
    public Future<Void> publishChange() {
        return group.get().broadcastSchemaChange();
    }

    private record Held(String name, GroupLocks.Lock lock, GroupSchemaCoordination schema) implements SchemaLock {

        @Override
        public void requireValid() {
            if (lock.isInDoubt()) {
                throw new ApiException(
                        ErrorCode.UNAVAILABLE,
                        "This server was disconnected from its group while it changed the schema");
            }
        }

        @Override
        public Future<Void> pauseOthers(Set<String> buckets) {
            return schema.group.get().pauseOthers(name, buckets);
        }

        /** Resumes all classes; during its own turn no other server pauses this one. */
        @Override
        public Future<Void> resumeAll() {
            return schema.follower.get().resumeAll(this::requireValid).compose(resumed -> schema.group
                    .get()
                    .resumeOthers(name));
        }

        @Override
        public void abandon(Set<String> buckets) {
            var unused = schema.follower.get().pause(name, buckets);
        }

        @Override
        public void release() {
            lock.release();
        }
    }
}

package io.orestes.replication;

import io.orestes.caching.sketch.SketchContents;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import java.time.Duration;
import java.util.Set;

/** A message from one server of the group to another; processing it twice is harmless. */
sealed interface PeerMessage {

    /**
     * An announcement that caches may retain copies of a key for some time, as the sender sends
     * them.
     */
    record CopyAdmission(String key, Duration time) implements PeerMessage {}

    /** An announcement that a key has a newer state, so that copies of it are stale. */
    record Invalidation(String key) implements PeerMessage {}

    /** An order of an administrator to purge every copy; copies that may remain count as stale. */
    record PurgeAll() implements PeerMessage {}

    /**
     * An order of an administrator to discard all cached state, including the record of existing
     * copies.
     */
    record ClearAll() implements PeerMessage {}

    /**
     * A notice of unknown writes by other programs than servers, in one class or, if its name is
     * empty, in any.
     */
    record MissedWrites(String bucket) implements PeerMessage {}

    /** The outcome of a write that the sender has committed to the store. */
    record CommittedWrite(WriteOutcome outcome) implements PeerMessage {}

    /** A notice that a user's rights or the validity of its tokens have changed. */
    record RightsChanged(ObjectRef user) implements PeerMessage {}

    /**
     * An order to leave the stored objects of some classes alone while another server checks or
     * changes them for another schema.
     *
     * @param turn identifies the server's turn
     */
    record Pause(String turn, Set<String> buckets) implements PeerMessage {

        public Pause {
            buckets = Set.copyOf(buckets);
        }
    }

    /**
     * A notice that the turn has ended: its stored objects are free again, and the stored schema is
     * valid for all servers.
     */
    record Resume(String turn) implements PeerMessage {}

    /** A notice that the store contains a new schema. */
    record SchemaChanged() implements PeerMessage {}

    /** A notice that the indexes of a class have changed. */
    record IndexesChanged(String bucket) implements PeerMessage {}

    /**
     * A notice that a member failed without leaving in order, so that nobody watches its queries
     * any more.
     */
    record MemberFailure(String member) implements PeerMessage {}

    /** A notice that the sender leaves the group in order, after all its earlier messages. */
    record MemberDeparture() implements PeerMessage {}

    /**
     * One chunk of the sender's sketch in a state transfer.
     *
     * @param memory contents of the sketch; its times are the remaining ones, in milliseconds
     * @param isLast whether this is the last chunk
     * @param isComplete whether the sender's sketch covers all copies that the group ever sent
     */
    record StateChunk(SketchContents memory, boolean isLast, boolean isComplete) implements PeerMessage {}
}

package io.orestes.replication;

import io.orestes.caching.sketch.SketchContents;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import java.time.Duration;
import java.util.Set;

/** What one server tells another one. Hearing it twice does no harm. */
sealed interface PeerMessage {

    /** Caches may hold copies of the key that the teller hands out, for that time from now on. */
    record CopyAdmission(String key, Duration time) implements PeerMessage {}

    /** There is a newer state of the key. */
    record Invalidation(String key) implements PeerMessage {}

    /** An administrator had every copy forgotten; those that may be left are stale. */
    record PurgeAll() implements PeerMessage {}

    /** An administrator had everything forgotten, also what copies there are. */
    record ClearAll() implements PeerMessage {}

    /** Nobody knows what was written in a class, or in any if its name is empty, by other programs than servers. */
    record MissedWrites(String bucket) implements PeerMessage {}

    /** Committed in the store. */
    record CommittedWrite(WriteOutcome outcome) implements PeerMessage {}

    /** What a user may do, or what its tokens are worth, is not what it was. */
    record RightsChanged(ObjectRef user) implements PeerMessage {}

    /**
     * Stored objects of these classes are going to be looked at or changed for another schema: they are to be left alone.
     *
     * @param turn of whoever does that
     */
    record Pause(String turn, Set<String> buckets) implements PeerMessage {

        public Pause {
            buckets = Set.copyOf(buckets);
        }
    }

    /** Who has that turn is done with stored objects, and the schema in the store is that of all. */
    record Resume(String turn) implements PeerMessage {}

    /** There is another schema in the store. */
    record SchemaChanged() implements PeerMessage {}

    /** The indexes of a class are not what they were. */
    record IndexesChanged(String bucket) implements PeerMessage {}

    /** That member is gone without having said so, and what it watched is watched by nobody. */
    record MemberFailure(String member) implements PeerMessage {}

    /** The teller is gone when it has been answered, and has told all that it wrote before. */
    record MemberDeparture() implements PeerMessage {}

    /**
     * A part of what the teller's sketch knows.
     *
     * @param memory its times are what is left of them, in milliseconds
     * @param isLast whether all parts have been told with this one
     * @param isComplete whether the teller knows all that the group ever handed out
     */
    record StateChunk(SketchContents memory, boolean isLast, boolean isComplete) implements PeerMessage {}
}

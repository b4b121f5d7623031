package io.orestes.peers;

import io.orestes.caching.sketch.SketchMemory;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import java.time.Duration;
import java.util.Set;

/** What one server tells another one. Hearing it twice does no harm. */
sealed interface Message {

    /** Caches may hold copies of the key that the teller hands out, for that time from now on. */
    record Held(String key, Duration time) implements Message {}

    /** There is a newer state of the key. */
    record Stale(String key) implements Message {}

    /** An administrator had every copy forgotten; those that may be left are stale. */
    record Purged() implements Message {}

    /** An administrator had everything forgotten, also what copies there are. */
    record Cleared() implements Message {}

    /** Nobody knows what was written in a class, or in any if its name is empty, by other programs than servers. */
    record Missed(String bucket) implements Message {}

    /** Committed in the store. */
    record Written(Outcome outcome) implements Message {}

    /** What a user may do, or what its tokens are worth, is not what it was. */
    record RightsChanged(ObjectRef user) implements Message {}

    /**
     * Stored objects of these classes are going to be looked at or changed for another schema: they are to be left alone.
     *
     * @param turn of whoever does that
     */
    record Pause(String turn, Set<String> buckets) implements Message {

        public Pause {
            buckets = Set.copyOf(buckets);
        }
    }

    /** Who has that turn is done with stored objects, and the schema in the store is that of all. */
    record Resume(String turn) implements Message {}

    /** There is another schema in the store. */
    record SchemaChanged() implements Message {}

    /** The indexes of a class are not what they were. */
    record IndexesChanged(String bucket) implements Message {}

    /** That member is gone without having said so, and what it watched is watched by nobody. */
    record Gone(String member) implements Message {}

    /** The teller is gone when it has been answered, and has told all that it wrote before. */
    record Leaving() implements Message {}

    /**
     * A part of what the teller's sketch knows.
     *
     * @param memory its times are what is left of them, in milliseconds
     * @param isLast whether all parts have been told with this one
     * @param isComplete whether the teller knows all that the group ever handed out
     */
    record State(SketchMemory memory, boolean isLast, boolean isComplete) implements Message {}
}

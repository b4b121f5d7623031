package io.orestes.store;

import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The feed of all changes committed in the store by any program, in the order of the commits. May
 * be used from any thread; futures complete on the caller's context.
 */
public interface ChangeFeed {

    /** Reads the last saved position of a reader; empty if none was saved. */
    Future<Optional<FeedPosition>> savedPosition();

    /** Saves the position of the reader, for the next one. */
    Future<Void> savePosition(FeedPosition feedPosition);

    /** Begins to read the changes from now on. */
    Future<ChangeFeedReader> open();

    /**
     * Begins to read the changes after a position. Fails with {@link PositionLostException} if the
     * store no longer has the changes since that position.
     */
    Future<ChangeFeedReader> open(FeedPosition after);

    /**
     * Reads the newest state of an object, with metadata of ours if another program stored it
     * without. Empty also if its id has no representation among ours.
     */
    Future<Optional<ObservedState>> current(ObjectRef ref);

    /**
     * Gives the newest state of an object the next version, whichever program wrote it. Nothing
     * else changes but what is derived from its fields.
     *
     * @param known a state that the new one has to follow, null if none is known
     * @return empty if there is no such object
     */
    Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known);

    /**
     * Ensures that the next life of a deleted object begins later than the one that ended.
     *
     * @param known the last known state of the object, null if none is known
     */
    Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known);

    /**
     * The newest state of an object as the change feed reads it, possibly just given its metadata.
     *
     * @param isNormalized whether it was given its metadata just now
     * @param hasCurrentReaders whether the stored readers, which queries use, agree with the
     *     permissions
     */
    record ObservedState(StoredObject state, boolean isNormalized, boolean hasCurrentReaders) {}

    /**
     * A cursor of the change feed that returns one page of changes after the other. Used by one
     * caller at a time.
     */
    interface ChangeFeedReader {

        /**
         * Reads the next changes; waits for a short time if there are none. Fails with {@link
         * PositionLostException} as {@link ChangeFeed#open} does. After any failure this reader
         * cannot be used any more.
         */
        Future<ChangePage> next();

        /** Returns the position at which the next page begins; not while a page is being read. */
        FeedPosition position();

        /** Releases the resources of the store for this reader. */
        void close();
    }

    /**
     * A position in the change feed between two commits, at which reading can resume.
     *
     * @param token opaque token of the store
     */
    record FeedPosition(BsonDocument token) {}

    /**
     * One page of changes from the feed, with the position at which it ends.
     *
     * @param end position after the last change of the page
     * @param isLast whether there were no more changes when the page was read
     */
    record ChangePage(List<ChangeEvent> changes, FeedPosition end, boolean isLast) {

        public ChangePage {
            changes = List.copyOf(changes);
        }

        /** Returns the written objects, in the order of their commits. */
        public Stream<ChangeEvent.ObjectWriteEvent> objectWrites() {
            return changes.stream().flatMap(ChangeEvent::objectWrites);
        }

        /** Returns the changes of whole classes, in the order of their commits. */
        public Stream<ChangeEvent.BulkChangeEvent> bulkChanges() {
            return changes.stream().flatMap(ChangeEvent::bulkChanges);
        }
    }

    /**
     * A failure to resume the change feed, because the store no longer has the changes since a
     * position.
     */
    final class PositionLostException extends RuntimeException {

        public PositionLostException(Throwable cause) {
            super("The store no longer has the changes since the position", cause);
        }
    }
}

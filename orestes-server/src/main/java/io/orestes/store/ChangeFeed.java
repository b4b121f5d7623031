package io.orestes.store;

import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The feed of all changes committed in the store by any program, in the order of the commits. May
 * be used from any thread; futures complete on the caller's context.
 */
public interface ChangeFeed {

    /** Where the last reader was, as far as it was kept. */
    Future<Optional<FeedPosition>> kept();

    /** Keeps where the reader is, for the next one. */
    Future<Void> keep(FeedPosition feedPosition);

    /**
     * Begins to read.
     *
     * @param after where to begin; empty for now
     * @return fails with {@link PositionLostException} if the store does not know any more what was
     *     committed since
     */
    Future<ChangeFeedReader> open(Optional<FeedPosition> after);

    /**
     * The newest state of an object, with metadata of ours if another program stored it without.
     * Empty also if no id of ours can stand for it.
     */
    Future<Optional<ObservedState>> current(ObjectRef ref);

    /**
     * Gives the newest state of an object the next version, whoever made it; nothing else of it
     * changes, but what is derived from its fields.
     *
     * @param known a state that the new one has to come after, if one is known
     * @return empty if there is no such object
     */
    Future<Optional<StoredObject>> renew(ObjectRef ref, Optional<VersionStamp> known);

    /**
     * Sees to it that the next life of a deleted object begins later than the one that ended.
     *
     * @param known the last state that is known of it
     */
    Future<Tombstone> end(ObjectRef ref, Optional<VersionStamp> known);

    /**
     * The newest state of an object as the change feed reads it, possibly just given its metadata.
     *
     * @param isAdopted whether it was given its metadata just now
     */
    record ObservedState(StoredObject state, boolean isAdopted) {}

    /**
     * A cursor of the change feed that returns one page of changes after the other. Used by one
     * caller at a time.
     */
    interface ChangeFeedReader {

        /**
         * What comes next; waits for a short time if there is nothing. Fails with {@link
         * PositionLostException} as {@link ChangeFeed#open} does; after any failure this reader is
         * of no use any more.
         */
        Future<ChangePage> next();

        /** Lets go of what the store keeps for it. */
        void close();
    }

    /**
     * A position in the change feed between two commits, at which reading can resume.
     *
     * @param token as the store tells and understands it
     */
    record FeedPosition(BsonDocument token) {}

    /**
     * One page of changes from the feed, with the position at which it ends.
     *
     * @param end where they end
     * @param isLast whether there was nothing more when they were asked for
     */
    record ChangePage(List<ChangeEvent> changes, FeedPosition end, boolean isLast) {

        public ChangePage {
            changes = List.copyOf(changes);
        }
    }

    /**
     * A failure to resume the change feed, because the store no longer has the changes since a
     * position.
     */
    final class PositionLostException extends RuntimeException {

        public PositionLostException(Throwable cause) {
            super("The store does not know any more what was written since", cause);
        }
    }
}

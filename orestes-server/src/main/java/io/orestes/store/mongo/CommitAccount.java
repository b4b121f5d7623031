package io.orestes.store.mongo;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.bson.types.ObjectId;

/**
 * Which commits are changing objects of a bucket. A query that finds none before it begins, and that none has begun when it has ended, has met each
 * as a whole or not at all. Used on the store's context only.
 */
interface CommitAccount {

    /** To be called before a commit is decided. */
    Future<?> begin(ObjectId commit, Collection<String> buckets);

    /** To be called when all its objects are changed, or none will be; may be repeated, and come from who did not begin it. */
    Future<?> end(ObjectId commit, Collection<String> buckets);

    /** How it is at a moment during the call. */
    Future<View> look(String bucket);

    /** Asks commits to stand back for some time, so that a query gets through; they need not. */
    Future<?> hold(String bucket, Duration time);

    /** Stands back for those who asked for it, which takes five seconds at most; to be called before a commit begins. */
    Future<?> standBack(Collection<String> buckets);

    /**
     * What a reader has to know of a bucket.
     *
     * @param last the number that the last commit to begin has left, another one each time
     * @param underWay commits that have begun and not ended
     */
    record View(ObjectId last, Set<ObjectId> underWay) {

        public View {
            underWay = Set.copyOf(underWay);
        }
    }
}

package io.orestes.caching.purge;

/**
 * A purge request in the backlog of one connection, with its sequence number and times. It is on
 * its way to the cache or is to be repeated. Times are nanoseconds of a monotonic clock.
 *
 * @param number number of the request it stands for, or of the eldest of several
 * @param since time of the first request
 * @param latest time of the last request
 * @param isFirst whether it is to be repeated after its confirmation
 * @param oldestReplacedAt time of the first request for all that it stands for, including
 *     repetitions. Until it is confirmed, the cache may retain states that were replaced then
 */
record QueuedPurge(PurgeRequest order, long number, long since, long latest, boolean isFirst, long oldestReplacedAt) {

    /** Merges both purges into one; {@code later} was requested after this. */
    QueuedPurge with(QueuedPurge later) {
        return new QueuedPurge(
                order,
                number,
                since,
                later.latest,
                isFirst || later.isFirst,
                earlier(oldestReplacedAt, later.oldestReplacedAt));
    }

    static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }
}

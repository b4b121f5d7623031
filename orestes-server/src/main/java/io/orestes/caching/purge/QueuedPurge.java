package io.orestes.caching.purge;

/**
 * A purge request in the backlog of one connection, with its sequence number and times. It is on
 * its way to the cache or is to be repeated. Times are nanoseconds of a monotonic clock.
 *
 * @param number of the request it stands for, or of the eldest of several
 * @param since when it was asked for first
 * @param latest when it was asked for last
 * @param isFirst whether it is to be repeated after its confirmation
 * @param from when what it stands for was asked for first, repetitions included: until it is done,
 *     the cache may hold what was replaced then
 */
record QueuedPurge(PurgeRequest order, long number, long since, long latest, boolean isFirst, long from) {

    /** One for both; {@code later} was asked for after this. */
    QueuedPurge with(QueuedPurge later) {
        return new QueuedPurge(order, number, since, later.latest, isFirst || later.isFirst, earlier(from, later.from));
    }

    static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }
}

package io.orestes.caching.purge;

/**
 * An order on its way to one cache. Times are nanoseconds of a monotonic clock.
 *
 * @param number of the request it stands for, or of the eldest of several
 * @param since when it was asked for first
 * @param latest when it was asked for last
 * @param isFirst whether it is to be repeated after its confirmation
 */
record Purge(Order order, long number, long since, long latest, boolean isFirst) {

    /** One for both; {@code later} was asked for after this. */
    Purge with(Purge later) {
        return new Purge(order, number, since, later.latest, isFirst || later.isFirst);
    }
}

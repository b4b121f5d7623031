package io.orestes.read;

/**
 * The retention of one cached key: its pending requests and the expiry of its last copy.
 *
 * @param showsMembershipOnly whether the response is the same as long as the same objects are in
 *     the result
 * @param pending requests that may yet fill a cache
 * @param untilMillis when the last copy expires
 */
record KeyRetention(boolean showsMembershipOnly, int pending, long untilMillis) {

    static KeyRetention begun(boolean showsMembershipOnly) {
        return new KeyRetention(showsMembershipOnly, 1, 0);
    }

    KeyRetention begun() {
        return new KeyRetention(showsMembershipOnly, pending + 1, untilMillis);
    }

    KeyRetention done(long until) {
        return new KeyRetention(showsMembershipOnly, pending - 1, Math.max(untilMillis, until));
    }

    boolean isOver(long now) {
        return pending == 0 && untilMillis <= now;
    }
}

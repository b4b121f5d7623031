package io.orestes.read;

/**
 * How long the key of a cached response is needed.
 *
 * @param showsMembershipOnly whether the response is the same as long as the same objects are in the result
 * @param pending requests that may yet fill a cache
 * @param untilMillis when the last copy expires
 */
record KeyUse(boolean showsMembershipOnly, int pending, long untilMillis) {

    static KeyUse begun(boolean showsMembershipOnly) {
        return new KeyUse(showsMembershipOnly, 1, 0);
    }

    KeyUse begun() {
        return new KeyUse(showsMembershipOnly, pending + 1, untilMillis);
    }

    KeyUse done(long until) {
        return new KeyUse(showsMembershipOnly, pending - 1, Math.max(untilMillis, until));
    }

    boolean isOver(long now) {
        return pending == 0 && untilMillis <= now;
    }
}

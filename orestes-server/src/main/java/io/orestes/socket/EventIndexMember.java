package io.orestes.socket;

import io.orestes.live.event.LiveEvent;

/**
 * The JSON member {@code index} of a match event, present only for ordered queries (protocol
 * §18.4). It is absent for an object that left the result.
 */
final class EventIndexMember {

    private EventIndexMember() {}

    /** Returns the member after a comma; empty if there is none. */
    static String of(LiveEvent event) {
        return event.index().isPresent() ? ",\"index\":" + event.index().getAsInt() : "";
    }
}

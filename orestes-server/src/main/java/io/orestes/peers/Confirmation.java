package io.orestes.peers;

import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of one message to one server.
 *
 * @param isFromTheLiving false if the server was declared gone instead of confirming
 * @param kept after a write, for how long the results that the server cached of the class have not changed; empty if they may have
 */
record Confirmation(boolean isFromTheLiving, Optional<Duration> kept) {

    static final Confirmation DONE = new Confirmation(true, Optional.empty());
    static final Confirmation GONE = new Confirmation(false, Optional.empty());

    static Confirmation of(Optional<Duration> kept) {
        return new Confirmation(true, kept);
    }
}

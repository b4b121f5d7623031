package io.orestes.cluster;

import io.orestes.model.ApiException;
import java.util.Optional;

/** Signals that the server cannot enter its group; the message gives operators the reason. */
public final class UnusableGroupException extends RuntimeException {

    private UnusableGroupException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @param place address of the coordination service */
    static UnusableGroupException of(Throwable failure, String place) {
        String reason = Optional.ofNullable(failure.getCause())
                .filter(cause -> failure instanceof ApiException)
                .map(Throwable::toString)
                .orElse(String.valueOf(failure.getMessage()));
        return new UnusableGroupException("ZooKeeper at " + place + " cannot be used: " + reason, failure);
    }
}

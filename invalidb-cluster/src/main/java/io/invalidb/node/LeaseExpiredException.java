package io.invalidb.node;

/** Signals that the {@link SubscriberLease} under which a query was subscribed has expired. */
public final class LeaseExpiredException extends RuntimeException {

    LeaseExpiredException() {
        super("The lease of the query's subscriber has expired", null, false, false);
    }
}

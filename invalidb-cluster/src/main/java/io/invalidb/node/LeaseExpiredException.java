package io.invalidb.node;

/** Who subscribed the query has not renewed its {@link SubscriberLease}. */
public final class LeaseExpiredException extends RuntimeException {

    LeaseExpiredException() {
        super("The lease of the query's subscriber is over", null, false, false);
    }
}

package io.invalidb.node;

/** Who subscribed the query has not renewed its {@link Lease}. */
public final class LeaseOverException extends RuntimeException {

    LeaseOverException() {
        super("The lease of the query's subscriber is over", null, false, false);
    }
}

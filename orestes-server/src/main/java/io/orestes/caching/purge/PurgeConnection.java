package io.orestes.caching.purge;

import java.util.List;

/**
 * An open connection to one purge target, which responds in the order of requests. Single-threaded.
 */
interface PurgeConnection {

    /** Sends requests; their responses arrive in this order. */
    void send(List<PurgeRequest> orders);

    /**
     * Closes the connection and ignores further responses, even those that have arrived. Notifies
     * the listener by {@code onClosed}.
     */
    void close();

    /** A listener to the responses of a purge target on one connection. */
    interface PurgeConnectionListener {

        /** Reports that the eldest {@code orders} sent requests were confirmed. */
        void onConfirmed(int orders);

        /** Reports that the target permanently refuses the eldest {@code orders} sent requests. */
        void onRefused(int orders, String why);

        /** Reports that the target fails for now; the connection will be closed. */
        void onFailed(String why);

        /** Reports that no further responses arrive. */
        void onClosed();
    }
}

package io.orestes.caching.purge;

import java.util.List;

/** An open connection to one purge target, which answers requests in order. Single-threaded. */
interface PurgeConnection {

    /** Sends orders; they are answered in their order. */
    void send(List<PurgeRequest> orders);

    /**
     * No further answer counts, even if it has come already; the listener is told that nothing more
     * will come.
     */
    void close();

    /** A listener to the responses of a purge target on one connection. */
    interface PurgeConnectionListener {

        /** So many of the orders sent, the eldest, have been done. */
        void confirmed(int orders);

        /** The target will never do so many of the orders sent, the eldest. */
        void refused(int orders, String why);

        /** The target does not do what it is told at present; the link will be closed. */
        void failed(String why);

        /** Nothing more will be answered. */
        void closed();
    }
}

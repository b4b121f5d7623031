package io.orestes.store.mongo.probe;

import java.util.List;

/**
 * The capabilities of a MongoDB server as probed: product, linearizable reads and missing features.
 *
 * @param product product and version, from {@link ServerProductName}
 * @param supportsLinearizableReads whether it can confirm reads by a majority at that moment
 * @param missing missing features, each with its consequence
 */
public record ServerCapabilities(String product, boolean supportsLinearizableReads, List<String> missing) {

    public ServerCapabilities {
        missing = List.copyOf(missing);
    }

    /** Returns product and version, e.g. {@code MongoDB 6.0.5, replica set}. */
    public String name() {
        return product + ", replica set";
    }
}

package io.orestes.store.mongo;

import java.util.List;

/**
 * The capabilities of a MongoDB server as probed: product, linearizable reads and missing features.
 *
 * @param product what it is and in which version, as {@link ServerProduct} has it
 * @param readsLinearizably whether it answers a read by what a majority holds at that moment
 * @param missing what it cannot do, each with what that costs
 */
record ServerCapabilities(String product, boolean readsLinearizably, List<String> missing) {

    ServerCapabilities {
        missing = List.copyOf(missing);
    }

    /** What it is, e.g. {@code MongoDB 6.0.5, replica set}. */
    String name() {
        return product + ", replica set";
    }
}

package io.orestes.ops;

import java.util.List;

/**
 * What operators are told of the store.
 *
 * @param name what it is, e.g. {@code embedded} or {@code MongoDB 6.0.5, replica set}
 * @param missing what it cannot do, each with what that costs
 */
public record StoreState(String name, List<String> missing) {

    public StoreState {
        missing = List.copyOf(missing);
    }
}

package io.orestes.ops;

import java.util.List;

/**
 * The name of the store and the capabilities it lacks, for operators.
 *
 * @param name what it is, e.g. {@code embedded} or {@code MongoDB 6.0.5, replica set}
 * @param missing what it cannot do, each with what that costs
 */
public record StoreState(String name, List<String> missing) {

    public StoreState {
        missing = List.copyOf(missing);
    }
}

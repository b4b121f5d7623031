package io.orestes.ops;

import java.util.List;

/**
 * The description of the store for operators: its name and its missing capabilities.
 *
 * @param name kind of the store, e.g. {@code embedded} or {@code MongoDB 6.0.5, replica set}
 * @param missing the missing capabilities, each with its consequence
 */
public record StoreDescription(String name, List<String> missing) {

    public StoreDescription {
        missing = List.copyOf(missing);
    }
}

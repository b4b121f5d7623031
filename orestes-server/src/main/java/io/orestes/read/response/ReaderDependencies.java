package io.orestes.read.response;

import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import java.time.InstantSource;

/**
 * The parts that all readers of one server share.
 *
 * @param consistency the consistency of each class
 * @param clock clock of the times that a reader writes: steady for copies, which must not depend on
 *     changes of the system's clock, and the system's for events of live queries
 */
public record ReaderDependencies(
        SchemaRegistry schemas,
        ObjectStore store,
        JsonRenderer renderer,
        ConsistencyDefaults consistency,
        InstantSource clock) {}

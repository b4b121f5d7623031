package io.orestes.group;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Racing updates through one server on the embedded store. */
final class RacingUpdatesOnEmbeddedStoreTest extends RacingUpdatesContract {

    RacingUpdatesOnEmbeddedStoreTest(@TempDir Path folder) throws Exception {
        super(RacingGroup.onEmbeddedStore(folder));
    }
}

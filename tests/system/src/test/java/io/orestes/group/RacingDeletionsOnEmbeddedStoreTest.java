package io.orestes.group;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Racing deletions through one server on the embedded store. */
final class RacingDeletionsOnEmbeddedStoreTest extends RacingDeletionsContract {

    RacingDeletionsOnEmbeddedStoreTest(@TempDir Path folder) throws Exception {
        super(RacingGroup.onEmbeddedStore(folder));
    }
}

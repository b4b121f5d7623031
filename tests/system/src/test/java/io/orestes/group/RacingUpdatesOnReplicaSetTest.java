package io.orestes.group;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Racing updates through two servers on a replica set. */
final class RacingUpdatesOnReplicaSetTest extends RacingUpdatesContract {

    RacingUpdatesOnReplicaSetTest(@TempDir Path folder) throws Exception {
        super(RacingGroup.onReplicaSet(folder, 2));
    }
}

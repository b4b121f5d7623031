package io.orestes.coordination.zookeeper;

import io.orestes.support.zookeeper.Ensemble;

/**
 * Ensembles that grant sessions of at most 30 s, and whose servers detect a missing peer after 3 s.
 */
final class Ensembles {

    private Ensembles() {}

    /** Starts an ensemble for the tests of a class. */
    static Ensemble start() {
        return Ensemble.inTemporaryFolder()
                .setting("maxSessionTimeout", "30000")
                .setting("initLimit", "20")
                .setting("syncLimit", "6")
                .start();
    }
}

package io.orestes.coordination.zookeeper;

import io.orestes.support.zookeeper.Ensemble;

/** Ensembles whose servers detect a missing peer after 3 s, so that tests observe it soon. */
final class Ensembles {

    private Ensembles() {}

    /** Starts an ensemble for the tests of a class. */
    static Ensemble start() {
        return Ensemble.inTemporaryFolder()
                .setting("initLimit", "20")
                .setting("syncLimit", "6")
                .start();
    }
}

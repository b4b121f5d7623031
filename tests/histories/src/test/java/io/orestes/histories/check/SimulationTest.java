package io.orestes.histories.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Correct databases pass, others do not, for many seeds. */
final class SimulationTest {

    private static final int SEEDS = 20;

    @Test
    void check_everythingIsValidated_nothingIsFound() {
        assertThat(kinds(Simulation.ValidationMode.READS_AND_WRITES)).isEmpty();
    }

    @Test
    void check_snapshotIsolation_writeSkewIsFoundAndNothingWorse() {
        assertThat(kinds(Simulation.ValidationMode.WRITES))
                .isSubsetOf(Anomaly.Kind.ANTI_DEPENDENCY_CYCLE, Anomaly.Kind.TIME_CYCLE)
                .contains(Anomaly.Kind.ANTI_DEPENDENCY_CYCLE);
    }

    @Test
    void check_readersAreNotValidated_theirCyclesAreFound() {
        assertThat(kinds(Simulation.ValidationMode.UPDATERS))
                .isSubsetOf(
                        Anomaly.Kind.SINGLE_ANTI_DEPENDENCY,
                        Anomaly.Kind.ANTI_DEPENDENCY_CYCLE,
                        Anomaly.Kind.TIME_CYCLE)
                .contains(Anomaly.Kind.SINGLE_ANTI_DEPENDENCY);
    }

    @Test
    void check_nothingIsValidated_lostWritesAndForksAreFound() {
        assertThat(kinds(Simulation.ValidationMode.NOTHING))
                .contains(Anomaly.Kind.LOST_WRITE, Anomaly.Kind.FORKED_ORDER);
    }

    @Test
    void check_writesAreSeenBeforeTheCommit_readsOfAbortedOnesAreFound() {
        assertThat(kinds(Simulation.ValidationMode.DIRTY)).contains(Anomaly.Kind.ABORTED_READ);
    }

    @Test
    void check_halfOfACommitIsLost_lostWritesAreFound() {
        assertThat(kinds(Simulation.ValidationMode.FORGETFUL)).contains(Anomaly.Kind.LOST_WRITE);
    }

    private static Set<Anomaly.Kind> kinds(Simulation.ValidationMode care) {
        return LongStream.range(0, SEEDS)
                .boxed()
                .flatMap(seed -> Checker.check(new Simulation(care, seed).run(500)).stream())
                .map(Anomaly::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Anomaly.Kind.class)));
    }
}

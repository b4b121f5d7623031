package io.orestes.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.mongo.Mongod;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Compares the documents that both sides find, and their order. {@code -Dorestes.seed} is the first
 * seed, {@code -Dorestes.rounds} the number of seeds per family.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DifferentialTest {

    private static final long FIRST_SEED = Long.getLong("orestes.seed", 1);
    private static final int ROUNDS = Integer.getInteger("orestes.rounds", 3);

    /** Minimum of the 50,000 pairs per round; the rest are queries that mongod refuses. */
    private static final long LEAST_PAIRS = 15_000;

    private final Mongod mongod = Mongod.inTemporaryFolder().start();

    @AfterAll
    void stop() {
        mongod.close();
    }

    @Test
    void fields_anyConditions_sameMatches() {
        assertAgreement("fields", Fields::new);
    }

    @Test
    void bits_anyMasks_sameMatches() {
        assertAgreement("bits", Bits::new);
    }

    @Test
    void patterns_wellFormedOrNot_sameMatches() {
        assertAgreement("patterns", Patterns::new);
    }

    @Test
    void places_anyRegions_sameMatches() {
        assertAgreement("places", Places::new);
    }

    @Test
    void nearPlaces_onSphere_sameMatchesAndOrder() {
        assertAgreement("nearPlaces", NearPlaces::new);
    }

    @Test
    void nearPlaces_onPlane_sameMatchesAndOrder() {
        assertAgreement("planePlaces", PlanePlaces::new);
    }

    @Test
    void formulas_ofValuesThatCanBeComputedWith_sameMatches() {
        assertAgreement("formulas", Formulas::new);
    }

    @Test
    void schemas_allKeywords_sameMatches() {
        assertAgreement("schemas", Schemas::new);
    }

    @Test
    void searches_inSeveralLanguages_sameMatches() {
        assertAgreement("searches", Searches::new);
    }

    @Test
    void sorts_anyValues_sameOrder() {
        assertAgreement("sorts", Sorts::new);
    }

    private void assertAgreement(String name, Function<SeededRandom, Family> family) {
        Comparison comparison = new Comparison(mongod.database("differential"), name);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            comparison.run(seed, family.apply(new SeededRandom(seed)));
        }
        System.out.println(name + ", seeds from " + FIRST_SEED + ": " + comparison);
        assertThat(comparison.disagreements()).isEmpty();
        assertThat(comparison.pairs()).as("pairs that both gave a verdict on").isGreaterThan(ROUNDS * LEAST_PAIRS);
    }
}

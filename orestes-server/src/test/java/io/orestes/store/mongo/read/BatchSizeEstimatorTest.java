package io.orestes.store.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Number of objects in a batch of MongoDB. */
final class BatchSizeEstimatorTest {

    private final BatchSizeEstimator batches = new BatchSizeEstimator(256);

    @Test
    void of_classOfLargeObjects_isFewUntilTheyAreSmallAgain() {
        assertThat(batches.of("Item")).isEqualTo(256);

        batches.observe("Item", 16, 16 << 20);
        assertThat(batches.of("Item")).isEqualTo(10);
        batches.observe("Item", 50, 50 << 20);
        assertThat(batches.of("Item")).isEqualTo(8);
        assertThat(batches.of("Other")).isEqualTo(256);

        for (int i = 0; i < 5; i++) {
            batches.observe("Item", 256, 256_000);
        }
        assertThat(batches.of("Item")).isEqualTo(256);
    }

    @Test
    void of_classInWhichOneLargeObjectWasMet_isStillMany() {
        batches.observe("Item", 1, 1 << 20);

        assertThat(batches.of("Item")).isEqualTo(130);
    }
}

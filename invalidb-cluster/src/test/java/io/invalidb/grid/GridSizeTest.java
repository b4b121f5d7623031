package io.invalidb.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GridSizeTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16})
    void writePartition_idsThatCountUpwards_areSpreadEvenly(int partitions) {
        GridSize size = new GridSize(1, partitions);

        int[] counts = new int[partitions];
        IntStream.range(0, 10_000).forEach(i -> counts[size.writePartition("/db/Todo/" + i)]++);

        assertThat(IntStream.of(counts).boxed())
                .allMatch(count -> Math.abs(count - 10_000 / partitions) < 2_000 / partitions + 1);
    }

    @Test
    void new_noPartition_isRefused() {
        assertThatThrownBy(() -> new GridSize(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new GridSize(1, 1_001)).isInstanceOf(IllegalArgumentException.class);
    }
}

package io.orestes.read.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResultFormCostModelTest {

    @ParameterizedTest
    @CsvSource({
        "0, 100, 10, true", // only members change
        "44, 56, 10, true", // 0.44 < 9 · 0.05
        "46, 54, 10, false",
        "100, 0, 10, false", // members only come and go
        "100, 0, 22, true", // so many that even then ids are less to transfer
        "0, 100, 1, false", // one object: the list would be a round trip more
        "0, 100, 0, false",
        "0, 3, 10, false", // too few changes for a decision
        "0, 0, 10, false"
    })
    void prefersIds_byShareOfMembershipAndSize(long memberships, long changes, int size, boolean expected) {
        assertThat(ResultFormCostModel.prefersIds(memberships, changes, size)).isEqualTo(expected);
    }
}

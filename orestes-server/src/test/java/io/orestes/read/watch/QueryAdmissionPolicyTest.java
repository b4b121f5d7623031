package io.orestes.read.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class QueryAdmissionPolicyTest {

    private final AtomicInteger emptied = new AtomicInteger();
    private final QueryAdmissionPolicy queryAdmissionPolicy = new QueryAdmissionPolicy(10, emptied::incrementAndGet);

    @Test
    void admits_whileHalfOfThePlacesAreFree_everyQuery() {
        assertThat(queryAdmissionPolicy.admits("a", 4)).isTrue();
    }

    @Test
    void admits_fromThenOn_theSecondRequest() {
        assertThat(queryAdmissionPolicy.admits("a", 5)).isFalse();
        assertThat(queryAdmissionPolicy.admits("b", 5)).isFalse();
        assertThat(queryAdmissionPolicy.admits("a", 5)).isTrue();
    }

    @Test
    void admits_afterManyOthers_hasDroppedASingleRequest() {
        assertThat(queryAdmissionPolicy.admits("a", 5)).isFalse();
        for (int i = 0; i < 1_000; i++) {
            var ignored = queryAdmissionPolicy.admits("other" + i, 5);
        }

        assertThat(emptied).hasValue(1);
        assertThat(queryAdmissionPolicy.admits("a", 5)).isFalse();
    }
}

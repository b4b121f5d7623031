package io.orestes.group;

import io.orestes.group.RacingGroup.Sending;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters that three servers increment at one moment: every acknowledged increment counts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("full")
final class RacingCountersTest {

    private static final int ROUNDS = 50;

    private final RacingGroup group;

    RacingCountersTest(@TempDir Path folder) throws Exception {
        group = RacingGroup.onReplicaSet(folder, 3);
    }

    @AfterAll
    void close() {
        group.close();
    }

    @ParameterizedTest
    @EnumSource(Sending.class)
    void increments_byThreeServers_allCount(Sending sending) {
        Counters counters = new Counters(group);

        for (int round = 0; round < ROUNDS; round++) {
            counters.increment(sending, 1);
        }

        counters.requireExact();
    }
}

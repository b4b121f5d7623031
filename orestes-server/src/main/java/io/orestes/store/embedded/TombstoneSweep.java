package io.orestes.store.embedded;

import com.google.common.primitives.Longs;
import io.orestes.model.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets when deleted objects ended, once that is so long ago that the clock alone makes a later life later. It would
 * take a clock set back by more than {@link #KEPT} to notice.
 */
final class TombstoneSweep implements Chore {

    private static final Logger LOG = LoggerFactory.getLogger(TombstoneSweep.class);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int TOMBSTONES_PER_STEP = 1_000;

    private final Database database;
    private final InstantSource clock;
    private KeyRange rest = KeyRange.prefix("/".getBytes(StandardCharsets.US_ASCII));

    TombstoneSweep(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public boolean step(Replies replies) {
        long limit = clock.millis() - KEPT.toMillis();
        try (View view = database.view();
                Changes changes = database.change()) {
            int[] seen = {0};
            boolean isLast = view.visit(Family.TOMBSTONES, rest, (key, end) -> {
                rest = rest.after(key);
                if (Longs.fromByteArray(end) < limit) {
                    changes.delete(Family.TOMBSTONES, key);
                }
                seen[0]++;
                return seen[0] < TOMBSTONES_PER_STEP;
            });
            database.commit(changes);
            return !isLast;
        }
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        LOG.debug("Old tombstones stay for now: {}", reason.message());
    }
}

package io.orestes.store.embedded.task;

import com.google.common.primitives.Longs;
import io.orestes.model.ApiException;
import io.orestes.store.embedded.commit.CompletionBatch;
import io.orestes.store.embedded.commit.IncrementalTask;
import io.orestes.store.embedded.database.ChangeSet;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.DatabaseSnapshot;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.database.RocksDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A periodic task that removes tombstones old enough that the clock alone orders later lives. Only
 * a clock that is set back by more than {@link #RETENTION} would break this order.
 */
public final class TombstoneSweep implements IncrementalTask {

    private static final Logger LOG = LoggerFactory.getLogger(TombstoneSweep.class);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final int TOMBSTONES_PER_STEP = 1_000;

    private final RocksDatabase rocksDatabase;
    private final InstantSource clock;
    private KeyRange rest = KeyRange.prefix("/".getBytes(StandardCharsets.US_ASCII));

    public TombstoneSweep(RocksDatabase rocksDatabase, InstantSource clock) {
        this.rocksDatabase = rocksDatabase;
        this.clock = clock;
    }

    @Override
    public boolean step(CompletionBatch completionBatch) {
        long limit = clock.millis() - RETENTION.toMillis();
        try (DatabaseSnapshot databaseSnapshot = rocksDatabase.openSnapshot();
                ChangeSet changeSet = rocksDatabase.newChangeSet()) {
            int[] seen = {0};
            boolean isLast = databaseSnapshot.visit(ColumnFamily.TOMBSTONES, rest, (key, end) -> {
                rest = rest.after(key);
                if (Longs.fromByteArray(end) < limit) {
                    changeSet.delete(ColumnFamily.TOMBSTONES, key);
                }
                seen[0]++;
                return seen[0] < TOMBSTONES_PER_STEP;
            });
            rocksDatabase.commit(changeSet);
            return !isLast;
        }
    }

    @Override
    public void abort(ApiException reason, CompletionBatch completionBatch) {
        LOG.debug("Expired tombstones were not removed: {}", reason.message());
    }
}

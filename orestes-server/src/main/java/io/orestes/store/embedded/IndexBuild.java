package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares an index and fills it, or goes on with that. Each step reads some objects and adds their entries before any further
 * write can change them; writes in between maintain the entries themselves. Two builds of one index take turns. What the
 * machine forgets when it stops it forgets with how far the index was filled, so only the last step waits for the disk.
 */
final class IndexBuild implements Chore {

    private static final Logger LOG = LoggerFactory.getLogger(IndexBuild.class);

    private static final int OBJECTS_PER_STEP = 200;

    /** Of objects; large ones take longer, and all writes wait for the step. */
    private static final int BYTES_PER_STEP = 256 * 1024;

    private final Database database;
    private final IndexCatalog catalog;
    private final String bucket;
    private final IndexKeys keys;
    private final Reply<Void> reply;
    private @Nullable IndexDefinition index;

    IndexBuild(Database database, IndexCatalog catalog, String bucket, IndexKeys keys, Reply<Void> reply) {
        this.database = database;
        this.catalog = catalog;
        this.bucket = bucket;
        this.keys = keys;
        this.reply = reply;
    }

    @Override
    public boolean step(Replies replies) {
        IndexDefinition current = current();
        if (!current.isReady() && fillSomeOrDrop(current)) {
            return true;
        }
        if (!current.isReady()) {
            catalog.publish(current);
        }
        replies.add(reply, Future.succeededFuture());
        return false;
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        replies.add(reply, Future.failedFuture(reason));
    }

    private IndexDefinition current() {
        Optional<IndexDefinition> declared = catalog.find(bucket, keys);
        if (index == null) {
            index = declared.orElseGet(() -> catalog.declare(bucket, keys));
        }
        int number = index.number();
        return declared.or(() -> catalog.find(bucket, keys))
                .filter(known -> known.number() == number)
                .orElseThrow(() -> new ApiException(ErrorCode.UNAVAILABLE, "The index was dropped while it was built"));
    }

    /** An index that cannot be unique must not stay and refuse writes. */
    private boolean fillSomeOrDrop(IndexDefinition index) {
        try {
            return fillSome(index);
        } catch (ApiException e) {
            if (!e.code().isServerFault()) {
                catalog.drop(index);
                LOG.info("The index of {} on {} cannot be: {}", bucket, keys, e.code());
            }
            throw e;
        }
    }

    private boolean fillSome(IndexDefinition index) {
        Filling filling = new Filling(index);
        try (View view = database.view();
                Changes changes = database.change()) {
            boolean isFull = view.visit(
                    Family.OBJECTS, catalog.rest(index), (key, encoded) -> filling.add(key, encoded, changes));
            filling.apply(changes);
            return !isFull;
        }
    }

    /** One step's worth of entries. */
    private final class Filling {

        private final IndexDefinition index;
        private final Claims claims = new Claims(database);
        private byte[] last = {};
        private int objects;
        private int bytes;

        private Filling(IndexDefinition index) {
            this.index = index;
        }

        private boolean add(byte[] key, byte[] encoded, Changes changes) {
            IndexChanges entries = new IndexChanges();
            StoredObject object = Documents.object(Documents.decode(encoded));
            entries.move(index, Optional.empty(), index, Optional.of(object));
            entries.addTo(changes, claims, object.ref().id());
            last = key;
            objects++;
            bytes += encoded.length;
            return objects < OBJECTS_PER_STEP && bytes < BYTES_PER_STEP;
        }

        private void apply(Changes changes) {
            if (objects > 0) {
                catalog.fill(index, last, changes);
                database.apply(changes);
                catalog.filled(index, last);
            }
        }
    }
}

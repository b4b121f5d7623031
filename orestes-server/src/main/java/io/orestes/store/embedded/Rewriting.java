package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.store.Gates;
import io.orestes.store.Rewrite;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.bson.BsonDocument;

/**
 * Brings the objects of some buckets into a new form, some at each step, in the order of their ids. Each object changes
 * together with its index entries; the definitions of indexes follow when all objects of their bucket have. The
 * {@link Gates} of the buckets are closed all the while, so nothing else changes them. A bucket is made durable as a whole:
 * what is lost when the machine stops is rewritten again, and waiting for the disk after each step took most of the time.
 */
final class Rewriting implements Chore {

    private static final int OBJECTS_PER_STEP = 200;

    private final Database database;
    private final IndexCatalog catalog;
    private final InstantSource clock;
    private final Reply<Void> reply;
    private final Queue<Bucket> buckets = new ArrayDeque<>();

    Rewriting(
            Database database,
            IndexCatalog catalog,
            InstantSource clock,
            Map<String, Rewrite> rewrites,
            Reply<Void> reply) {
        this.database = database;
        this.catalog = catalog;
        this.clock = clock;
        this.reply = reply;
        rewrites.forEach((bucket, rewrite) -> buckets.add(new Bucket(bucket, rewrite)));
    }

    @Override
    public boolean step(Replies replies) {
        Bucket bucket = buckets.peek();
        if (bucket != null && !bucket.rewriteSome()) {
            buckets.remove();
        }
        if (buckets.isEmpty()) {
            replies.add(reply, Future.succeededFuture());
        }
        return !buckets.isEmpty();
    }

    @Override
    public void abort(ApiException reason, Replies replies) {
        replies.add(reply, Future.failedFuture(reason));
    }

    /** One bucket and how far it is. */
    private final class Bucket {

        private final String name;
        private final Rewrite rewrite;
        private final List<IndexMove> indexes = new ArrayList<>();
        private KeyRange rest;
        private boolean hasBegun;

        private Bucket(String name, Rewrite rewrite) {
            this.name = name;
            this.rewrite = rewrite;
            this.rest = KeyRange.bucket(name);
        }

        private boolean rewriteSome() {
            begin();
            Step step = new Step(this);
            try (View view = database.view();
                    Changes changes = database.change()) {
                boolean isFull =
                        view.visit(Family.OBJECTS, rest, (key, encoded) -> step.rewrite(key, encoded, changes));
                database.apply(changes);
                if (isFull) {
                    database.sync();
                    catalog.replace(indexes);
                }
                return !isFull;
            }
        }

        /** Part of the entries of an index that is not ready would be for the old paths; who waits for it is told that it is gone. */
        private void begin() {
            if (!hasBegun) {
                hasBegun = true;
                catalog.dropUnready(name);
                catalog.ready(name).forEach(index -> indexes.add(new IndexMove(index, index.moved(rewrite::path))));
            }
        }
    }

    /** One step's worth of objects. */
    private final class Step {

        private final Bucket bucket;
        private final Claims claims = new Claims(database);
        private int objects;

        private Step(Bucket bucket) {
            this.bucket = bucket;
        }

        private boolean rewrite(byte[] key, byte[] encoded, Changes changes) {
            BsonDocument stored = Documents.decode(encoded);
            BsonDocument fields = bucket.rewrite.fields(stored);
            if (!fields.equals(stored)) {
                put(key, Documents.object(stored), fields, changes);
            }
            bucket.rest = bucket.rest.after(key);
            objects++;
            return objects < OBJECTS_PER_STEP;
        }

        private void put(byte[] key, StoredObject before, BsonDocument fields, Changes changes) {
            Draft draft = new Draft(before.ref(), fields);
            long now = Math.max(clock.millis(), before.updatedAt() + 1);
            StoredObject after = draft.complete(before.version() + 1, before.createdAt(), now);
            IndexChanges entries = new IndexChanges();
            bucket.indexes.forEach(index -> index.add(before, after, entries));
            entries.addTo(changes, claims, before.ref().id());
            changes.put(Family.OBJECTS, key, draft.encoded());
        }
    }

    /** An index before and after; its entries keep its number. */
    record IndexMove(IndexDefinition before, IndexDefinition after) {

        private void add(StoredObject from, StoredObject to, IndexChanges entries) {
            entries.move(before, Optional.of(from), after, Optional.of(to));
        }
    }
}

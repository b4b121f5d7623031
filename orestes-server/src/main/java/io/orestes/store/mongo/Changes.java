package io.orestes.store.mongo;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.DocumentLayout;
import io.orestes.store.ObjectStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** What each kind of write does with the state it meets. */
final class Changes {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final IndexCatalog catalog;
    private final InstantSource clock;
    private final WriteId.Sequence ids = new WriteId.Sequence();

    Changes(IndexCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /** Whether a write of what is not there needs to know when the last life of the object ended. */
    static boolean beginsLife(Batch.Write write, Optional<Found> before) {
        return before.isEmpty() && !(write instanceof Batch.Deletion);
    }

    /** What a write makes of the state it meets; a deletion of nothing is empty. */
    Optional<Change> of(Batch.Write write, Optional<Found> before, long endOfLastLife) {
        if (write instanceof Batch.Insertion insertion) {
            return Optional.of(put(insertion.ref(), insertion.fields(), before, endOfLastLife));
        }
        if (write instanceof Batch.Replacement replacement) {
            return Optional.of(put(replacement.ref(), replacement.fields(), before, endOfLastLife));
        }
        return write instanceof Batch.Revision revision
                ? Optional.of(revise(revision, before.orElseThrow()))
                : before.map(this::removal);
    }

    /** The end of an object. */
    Change removal(Found last) {
        WriteId id = ids.next();
        return new Change.Removal(last.object(), last.writes().with(id), id);
    }

    /** The next state of an object with other fields, and with what it holds for indexes. */
    Change.Exchange next(Found before, BsonDocument fields, List<IndexDefinition> indexes) {
        return next(before, fields, timeAfter(before.object().updatedAt()), indexes);
    }

    private Change put(ObjectRef ref, BsonDocument fields, Optional<Found> before, long endOfLastLife) {
        return before.<Change>map(stored ->
                        exchange(stored, fields, timeAfter(stored.object().updatedAt())))
                .orElseGet(() -> create(ref, fields, timeAfter(endOfLastLife)));
    }

    private Change create(ObjectRef ref, BsonDocument fields, long born) {
        BsonDocument document = DocumentLayout.of(ref, fields);
        DocumentLayout.complete(document, 1, born, born);
        IndexCatalog.addHeld(catalog.of(ref.bucket()), document);
        WriteId id = ids.next();
        document.append(Buckets.WRITES, CompletionRecords.NONE.with(id).byWriter());
        return new Change.Creation(ref, document, id);
    }

    private Change exchange(Found before, BsonDocument fields, long updated) {
        return next(before, fields, updated, catalog.of(before.object().ref().bucket()));
    }

    private Change revise(Batch.Revision revision, Found before) {
        long updated = timeAfter(before.object().updatedAt());
        BsonDocument fields = revision.update().apply(before.object().document(), updated);
        requireRoom(before.object().ref(), fields);
        return exchange(before, fields, updated);
    }

    private Change.Exchange next(Found before, BsonDocument fields, long updated, List<IndexDefinition> indexes) {
        StoredObject object = before.object();
        BsonDocument document = DocumentLayout.of(object.ref(), fields);
        DocumentLayout.complete(document, object.version() + 1, object.createdAt(), updated);
        IndexCatalog.addHeld(indexes, document);
        WriteId id = ids.next();
        document.append(Buckets.WRITES, before.writes().with(id).byWriter());
        return new Change.Exchange(object, document, id);
    }

    private long timeAfter(long earlier) {
        return Math.max(clock.millis(), earlier + 1);
    }

    private static void requireRoom(ObjectRef ref, BsonDocument fields) {
        if (new RawBsonDocument(fields, CODEC).getByteBuffer().remaining() > ObjectStore.LARGEST_UPDATED) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "The object " + ref.id() + " would become larger than 16 MB");
        }
    }
}

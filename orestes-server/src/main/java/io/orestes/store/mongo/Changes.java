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

    Changes(IndexCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /** Whether a write of what is not there needs to know when the last life of the object ended. */
    static boolean beginsLife(Batch.Write write, Optional<StoredObject> before) {
        return before.isEmpty() && !(write instanceof Batch.Deletion);
    }

    /** What a write makes of the state it meets; a deletion of nothing is empty. */
    Optional<Change> of(Batch.Write write, Optional<StoredObject> before, long endOfLastLife) {
        if (write instanceof Batch.Insertion insertion) {
            return Optional.of(put(insertion.ref(), insertion.fields(), before, endOfLastLife));
        }
        if (write instanceof Batch.Replacement replacement) {
            return Optional.of(put(replacement.ref(), replacement.fields(), before, endOfLastLife));
        }
        return write instanceof Batch.Revision revision
                ? Optional.of(revise(revision, before.orElseThrow()))
                : before.map(Change.Removal::new);
    }

    /** The next state of an object with other fields, and with what it holds for indexes. */
    BsonDocument next(StoredObject before, BsonDocument fields, List<IndexDefinition> indexes) {
        return next(before, fields, timeAfter(before.updatedAt()), indexes);
    }

    private Change put(ObjectRef ref, BsonDocument fields, Optional<StoredObject> before, long endOfLastLife) {
        return before.map(stored -> exchange(stored, fields, timeAfter(stored.updatedAt())))
                .orElseGet(() -> create(ref, fields, timeAfter(endOfLastLife)));
    }

    private Change create(ObjectRef ref, BsonDocument fields, long born) {
        BsonDocument document = DocumentLayout.of(ref, fields);
        DocumentLayout.complete(document, 1, born, born);
        IndexCatalog.addHeld(catalog.of(ref.bucket()), document);
        return new Change.Creation(ref, document);
    }

    private Change exchange(StoredObject before, BsonDocument fields, long updated) {
        return new Change.Exchange(
                before, next(before, fields, updated, catalog.of(before.ref().bucket())));
    }

    private Change revise(Batch.Revision revision, StoredObject before) {
        long updated = timeAfter(before.updatedAt());
        BsonDocument fields = revision.update().apply(before.document(), updated);
        requireRoom(before.ref(), fields);
        return exchange(before, fields, updated);
    }

    private static BsonDocument next(
            StoredObject before, BsonDocument fields, long updated, List<IndexDefinition> indexes) {
        BsonDocument document = DocumentLayout.of(before.ref(), fields);
        DocumentLayout.complete(document, before.version() + 1, before.createdAt(), updated);
        IndexCatalog.addHeld(indexes, document);
        return document;
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

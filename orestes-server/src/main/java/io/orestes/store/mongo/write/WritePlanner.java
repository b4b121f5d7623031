package io.orestes.store.mongo.write;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.store.DocumentLayout;
import io.orestes.store.ObjectStore;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.WriteId;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import io.orestes.store.mongo.index.MongoIndexDefinition;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The planner that turns an operation and the current state of its object into a conditional write.
 */
public final class WritePlanner {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final DeclaredIndexCatalog catalog;
    private final InstantSource clock;
    private final WriteId.WriteIdGenerator ids = new WriteId.WriteIdGenerator();

    public WritePlanner(DeclaredIndexCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * Plans the changes of writes, without deletions of absent objects.
     *
     * @param states the states of existing objects
     * @param ends returns when the last lives of objects ended that the writes insert
     */
    Future<List<ConditionalWrite>> plan(
            List<Batch.StoreOperation> writes,
            Map<ObjectRef, CurrentObject> states,
            Function<List<ObjectRef>, Future<Map<ObjectRef, Long>>> ends) {
        List<ObjectRef> newObjects = writes.stream()
                .filter(write -> beginsLife(write, states.get(write.ref())))
                .map(Batch.StoreOperation::ref)
                .toList();
        Future<Map<ObjectRef, Long>> found =
                newObjects.isEmpty() ? Future.succeededFuture(Map.of()) : ends.apply(newObjects);
        return found.map(ended -> writes.stream()
                .flatMap(write -> of(write, states.get(write.ref()), ended.getOrDefault(write.ref(), 0L)).stream())
                .toList());
    }

    /** True if the write of an absent object needs the end of the object's last life. */
    private static boolean beginsLife(Batch.StoreOperation write, @Nullable CurrentObject before) {
        return before == null && write.leavesObject();
    }

    /** Plans the change of a write; empty for a deletion of an absent object. */
    Optional<ConditionalWrite> of(Batch.StoreOperation write, @Nullable CurrentObject before, long endOfLastLife) {
        return write.fold(
                insert -> Optional.of(put(insert.ref(), insert.fields(), before, endOfLastLife)),
                replace -> Optional.of(put(replace.ref(), replace.fields(), before, endOfLastLife)),
                update -> Optional.of(revise(update, Objects.requireNonNull(before))),
                delete -> Optional.ofNullable(before).map(this::removal));
    }

    /** Plans the deletion of an object. */
    ConditionalWrite.ConditionalDelete removal(CurrentObject last) {
        WriteId id = ids.next();
        return new ConditionalWrite.ConditionalDelete(
                last.object(), last.writes().with(id), id);
    }

    /**
     * Plans the next state of an object with other fields, and with the hidden fields for indexes.
     */
    ConditionalWrite.ConditionalReplace next(
            CurrentObject before, BsonDocument fields, List<MongoIndexDefinition> indexes) {
        return next(before, fields, timeAfter(before.object().updatedAt()), indexes);
    }

    private ConditionalWrite put(
            ObjectRef ref, BsonDocument fields, @Nullable CurrentObject before, long endOfLastLife) {
        return before == null
                ? create(ref, fields, timeAfter(endOfLastLife))
                : exchange(before, fields, timeAfter(before.object().updatedAt()));
    }

    private ConditionalWrite create(ObjectRef ref, BsonDocument fields, long createdAt) {
        BsonDocument document = DocumentLayout.of(ref, fields);
        DocumentLayout.complete(document, 1, createdAt, createdAt);
        DeclaredIndexCatalog.addHiddenFields(catalog.of(ref.bucket()), document);
        WriteId id = ids.next();
        document.append(MongoCollections.WRITES, CompletionRecords.NONE.with(id).byWriter());
        return new ConditionalWrite.ConditionalInsert(ref, document, id);
    }

    private ConditionalWrite exchange(CurrentObject before, BsonDocument fields, long updated) {
        return next(before, fields, updated, catalog.of(before.object().ref().bucket()));
    }

    private ConditionalWrite revise(Batch.UpdateOperation revision, CurrentObject before) {
        long updated = timeAfter(before.object().updatedAt());
        BsonDocument fields = revision.update().apply(before.object().document(), updated);
        requireRoom(before.object().ref(), fields);
        return exchange(before, fields, updated);
    }

    private ConditionalWrite.ConditionalReplace next(
            CurrentObject before, BsonDocument fields, long updated, List<MongoIndexDefinition> indexes) {
        StoredObject object = before.object();
        BsonDocument document = DocumentLayout.of(object.ref(), fields);
        DocumentLayout.complete(document, object.version() + 1, object.createdAt(), updated);
        DeclaredIndexCatalog.addHiddenFields(indexes, document);
        WriteId id = ids.next();
        document.append(MongoCollections.WRITES, before.writes().with(id).byWriter());
        return new ConditionalWrite.ConditionalReplace(object, document, id);
    }

    private long timeAfter(long earlier) {
        return Math.max(clock.millis(), earlier + 1);
    }

    private static void requireRoom(ObjectRef ref, BsonDocument fields) {
        if (new RawBsonDocument(fields, CODEC).getByteBuffer().remaining() > ObjectStore.MAX_UPDATED_BYTES) {
            throw new ApiException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "The object " + ref.id() + " would become larger than 16 MB");
        }
    }
}

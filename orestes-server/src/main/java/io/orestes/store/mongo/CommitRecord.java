package io.orestes.store.mongo;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ObjectStore;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.ObjectId;

/**
 * One attempt to write several objects together, as MongoDB knows it while it is under way. Whether the objects are written is decided by the
 * one step from {@code PREPARING} to {@code COMMITTED} or {@code ABORTED}, which anybody may take, and nobody takes back.
 *
 * @param id the number of the attempt
 */
record CommitRecord(ObjectId id, State state, List<Entry> entries) {

    static final String ID = "_id";
    static final String STATE = "state";
    static final String BUCKETS = "classes";
    static final String ENTRIES = "objects";

    private static final String REF = "ref";
    private static final String KIND = "kind";
    private static final String LAST = "last";
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    CommitRecord {
        entries = List.copyOf(entries);
    }

    enum State {
        PREPARING,
        COMMITTED,
        ABORTED,
        /** Aborted, and nothing of it is left: its objects are not named any more. */
        ROLLED_BACK
    }

    /** What becomes of an object. */
    enum Kind {
        FIRST,
        NEXT,
        END
    }

    /**
     * One of the objects.
     *
     * @param last version and times of the last state before an end; else empty
     */
    record Entry(ObjectRef ref, Kind kind, BsonDocument last) {

        static Entry of(Change change) {
            if (change instanceof Change.Creation) {
                return new Entry(change.ref(), Kind.FIRST, new BsonDocument());
            }
            return change instanceof Change.Removal removal
                    ? new Entry(change.ref(), Kind.END, state(removal.last()))
                    : new Entry(change.ref(), Kind.NEXT, new BsonDocument());
        }

        private static BsonDocument state(StoredObject object) {
            BsonDocument state = new BsonDocument();
            List.of(StoredObject.VERSION, StoredObject.CREATED_AT, StoredObject.UPDATED_AT)
                    .forEach(name -> state.append(name, object.document().get(name)));
            return state;
        }

        /** The last state before an end, without its fields. */
        StoredObject ending() {
            return new StoredObject(ref, last);
        }

        /** The end as its tombstone notes it; the commit is recognised by its record. */
        Tombstones.End end() {
            return new Tombstones.End(ref, ending().updatedAt(), CompletionRecords.NONE);
        }

        /** What is left after an end. */
        Tombstone tombstone() {
            return Change.tombstone(ending());
        }

        private BsonDocument encoded() {
            return new BsonDocument(REF, new BsonString(ref.id()))
                    .append(KIND, new BsonString(kind.name()))
                    .append(LAST, last);
        }

        private static Entry decode(BsonDocument entry) {
            return new Entry(
                    ObjectRef.parse(entry.getString(REF).getValue()).orElseThrow(),
                    Kind.valueOf(entry.getString(KIND).getValue()),
                    entry.getDocument(LAST));
        }
    }

    /** One that begins. */
    static CommitRecord of(List<Change> changes) {
        return new CommitRecord(
                new ObjectId(), State.PREPARING, changes.stream().map(Entry::of).toList());
    }

    Set<String> buckets() {
        return entries.stream().map(entry -> entry.ref().bucket()).collect(Collectors.toUnmodifiableSet());
    }

    /** The objects of a bucket that one of these happens to. */
    List<Entry> of(String bucket, Kind kind) {
        return entries.stream()
                .filter(entry -> entry.kind() == kind && entry.ref().bucket().equals(bucket))
                .toList();
    }

    /** Fails with {@code PAYLOAD_TOO_LARGE} if there are too many objects for a document of MongoDB. */
    BsonDocument encoded() {
        BsonDocument document = new BsonDocument(ID, new BsonObjectId(id))
                .append(STATE, new BsonString(state.name()))
                .append(
                        BUCKETS,
                        new BsonArray(buckets().stream().map(BsonString::new).toList()))
                .append(
                        ENTRIES,
                        new BsonArray(entries.stream().map(Entry::encoded).toList()));
        if (new RawBsonDocument(document, CODEC).getByteBuffer().remaining() > ObjectStore.LARGEST_UPDATED) {
            throw new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "Too many objects to be written together");
        }
        return document;
    }

    static CommitRecord decode(BsonDocument document) {
        return new CommitRecord(
                document.getObjectId(ID).getValue(),
                State.valueOf(document.getString(STATE).getValue()),
                document.getArray(ENTRIES, new BsonArray()).stream()
                        .map(BsonValue::asDocument)
                        .map(Entry::decode)
                        .toList());
    }
}

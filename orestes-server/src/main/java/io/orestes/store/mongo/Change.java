package io.orestes.store.mongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.invalidb.model.Stamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * What is to become of one object. A change is made to one state, which is named by id, version and times, or to nothing when
 * that state is not there any more.
 */
sealed interface Change {

    /** Whether a change was made, as far as that can be told afterwards. */
    enum Trace {
        MADE,
        NOT_MADE,
        UNKNOWN
    }

    ObjectRef ref();

    /** What is there when it is made. */
    Outcome outcome();

    /**
     * What can be seen some time later of whether the change was made: times only grow with each state of an object, so what is
     * older than the change was not written on top of it.
     *
     * @param endOfLastLife as {@link Tombstones} know it, 0 if they do not
     */
    Trace traceIn(Optional<StoredObject> now, long endOfLastLife);

    /**
     * As one of several in one request.
     *
     * @param inTime what MongoDB has to find true besides, as {@link Fence} has it
     */
    WriteModel<BsonDocument> model(Optional<BsonDocument> inTime);

    /**
     * The first state of an object that is not there.
     *
     * @param document as it is stored, with what it holds for indexes
     */
    record Creation(ObjectRef ref, BsonDocument document) implements Change {

        private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

        @Override
        public StoredObject outcome() {
            return visible(ref, document);
        }

        @Override
        public Trace traceIn(Optional<StoredObject> now, long endOfLastLife) {
            return now.equals(Optional.of(outcome())) ? Trace.MADE : Trace.NOT_MADE;
        }

        @Override
        public WriteModel<BsonDocument> model(Optional<BsonDocument> inTime) {
            return inTime.<WriteModel<BsonDocument>>map(
                            time -> new UpdateOneModel<>(nothing(), Fence.creation(document, time), UPSERT))
                    .orElseGet(() -> new InsertOneModel<>(document));
        }

        /** No version is 0, so it never finds one to replace. */
        BsonDocument nothing() {
            return new BsonDocument(StoredObject.ID, new BsonString(ref.id()))
                    .append(StoredObject.VERSION, new BsonInt64(0));
        }
    }

    /** Another state in the place of this one. */
    record Exchange(StoredObject before, BsonDocument document) implements Change {

        @Override
        public ObjectRef ref() {
            return before.ref();
        }

        @Override
        public StoredObject outcome() {
            return visible(ref(), document);
        }

        @Override
        public Trace traceIn(Optional<StoredObject> now, long endOfLastLife) {
            if (now.equals(Optional.of(outcome()))) {
                return Trace.MADE;
            }
            long own = outcome().updatedAt();
            boolean mayBeOnTop = now.map(state -> state.updatedAt() > own).orElse(endOfLastLife >= own);
            return mayBeOnTop ? Trace.UNKNOWN : Trace.NOT_MADE;
        }

        @Override
        public WriteModel<BsonDocument> model(Optional<BsonDocument> inTime) {
            return new ReplaceOneModel<>(Fence.when(state(before), inTime), Ids.replacement(ref(), document));
        }
    }

    /** The end of an object after its last state. */
    record Removal(StoredObject last) implements Change {

        @Override
        public ObjectRef ref() {
            return last.ref();
        }

        @Override
        public Tombstone outcome() {
            return new Tombstone(last.ref(), new Stamp(last.createdAt(), last.version() + 1));
        }

        /** Of several who delete an object it is the same to all. */
        @Override
        public Trace traceIn(Optional<StoredObject> now, long endOfLastLife) {
            return now.filter(state -> state.createdAt() == last.createdAt()).isPresent() ? Trace.NOT_MADE : Trace.MADE;
        }

        @Override
        public WriteModel<BsonDocument> model(Optional<BsonDocument> inTime) {
            return new DeleteOneModel<>(Fence.when(state(last), inTime));
        }
    }

    /** What only this state of the object matches, unless a commit has marked it. */
    static BsonDocument state(StoredObject object) {
        return Marks.unmarked(Ids.only(object.ref())
                .append(StoredObject.VERSION, new BsonInt64(object.version()))
                .append(StoredObject.CREATED_AT, new BsonDateTime(object.createdAt()))
                .append(StoredObject.UPDATED_AT, new BsonDateTime(object.updatedAt())));
    }

    private static StoredObject visible(ObjectRef ref, BsonDocument document) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(document);
        Buckets.HELD.forEach(copy::remove);
        return new StoredObject(ref, copy);
    }
}

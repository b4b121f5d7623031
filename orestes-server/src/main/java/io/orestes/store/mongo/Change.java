package io.orestes.store.mongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
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

    /** As one of several in one request. */
    WriteModel<BsonDocument> model();

    /**
     * The first state of an object that is not there.
     *
     * @param document as it is stored, with places in unique indexes
     */
    record Creation(ObjectRef ref, BsonDocument document) implements Change {

        @Override
        public StoredObject outcome() {
            return visible(ref, document);
        }

        @Override
        public Trace traceIn(Optional<StoredObject> now, long endOfLastLife) {
            return now.equals(Optional.of(outcome())) ? Trace.MADE : Trace.NOT_MADE;
        }

        @Override
        public WriteModel<BsonDocument> model() {
            return new InsertOneModel<>(document);
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
        public WriteModel<BsonDocument> model() {
            return new ReplaceOneModel<>(state(before), Ids.replacement(ref(), document));
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
        public WriteModel<BsonDocument> model() {
            return new DeleteOneModel<>(state(last));
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
        copy.remove(Buckets.PLACES);
        return new StoredObject(ref, copy);
    }
}

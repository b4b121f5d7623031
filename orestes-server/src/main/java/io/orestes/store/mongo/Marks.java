package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * What a commit that is under way leaves in documents. An object that it is going to change has a mark with the number of the commit, and nobody
 * else writes it meanwhile. What is to come into being stands in the collection already and is marked as new: the first state of an object under
 * its own id, the next state of one that is there ("image") under an id that stands for no object. Nobody sees what is new.
 */
final class Marks {

    /** Clients cannot name it, and never see it. */
    static final String FIELD = "_commit";

    private static final String ID = "id";
    private static final String NEW = "new";
    private static final String PLACES = "places";
    private static final String COMMIT = FIELD + "." + ID;
    private static final String IS_NEW = FIELD + "." + NEW;
    private static final String OLD_PLACES = "$" + FIELD + "." + PLACES;
    private static final String IMAGE = "commit ";
    private static final int HEX = 24;

    private Marks() {}

    /** The commit that is about to change a document, or has made it. */
    static Optional<ObjectId> commit(BsonDocument document) {
        return Optional.ofNullable(document.get(FIELD))
                .filter(BsonValue::isDocument)
                .map(mark -> mark.asDocument().get(ID, BsonNull.VALUE))
                .filter(BsonValue::isObjectId)
                .map(id -> id.asObjectId().getValue());
    }

    /** Whether a document is not there yet. */
    static boolean isNew(BsonDocument document) {
        return commit(document).isPresent() && document.getDocument(FIELD).containsKey(NEW);
    }

    /** The ids of marked documents, by commit. */
    static Map<ObjectId, List<BsonValue>> byCommit(List<BsonDocument> documents) {
        Map<ObjectId, List<BsonValue>> marked = new LinkedHashMap<>();
        documents.forEach(document -> commit(document)
                .ifPresent(commit -> marked.computeIfAbsent(commit, none -> new ArrayList<>())
                        .add(document.get(StoredObject.ID, BsonNull.VALUE))));
        return marked;
    }

    /** Adds to a condition that no commit is about to change the document. */
    static BsonDocument unmarked(BsonDocument condition) {
        return condition.append(COMMIT, BsonNull.VALUE);
    }

    /** Adds to a condition that the commit has marked the document. */
    static BsonDocument markedBy(ObjectId commit, BsonDocument condition) {
        return condition.append(COMMIT, new BsonObjectId(commit));
    }

    /** The same for what was there before the commit. */
    static BsonDocument oldMarkedBy(ObjectId commit, BsonDocument condition) {
        return markedBy(commit, condition).append(IS_NEW, BsonNull.VALUE);
    }

    /** The same for what the commit has added. */
    static BsonDocument newMarkedBy(ObjectId commit, BsonDocument condition) {
        return markedBy(commit, condition).append(IS_NEW, BsonBoolean.TRUE);
    }

    /** A filter that leaves out what is not there yet. */
    static BsonDocument withoutNew(BsonDocument filter) {
        BsonDocument visible = new BsonDocument();
        visible.putAll(filter);
        return visible.append(IS_NEW, BsonNull.VALUE);
    }

    /** Marks an object, which keeps its places in unique indexes and holds further ones. */
    static List<BsonDocument> setting(ObjectId commit, List<BsonValue> further) {
        BsonDocument mark =
                new BsonDocument(ID, new BsonObjectId(commit)).append(PLACES, new BsonString("$" + Buckets.PLACES));
        BsonDocument set = new BsonDocument(FIELD, mark);
        if (!further.isEmpty()) {
            set.append(Buckets.PLACES, union(further));
        }
        return List.of(new BsonDocument("$set", set));
    }

    /** Undoes that. */
    static List<BsonDocument> unsetting() {
        return List.of(
                new BsonDocument("$set", new BsonDocument(Buckets.PLACES, new BsonString(OLD_PLACES))),
                new BsonDocument("$unset", new BsonString(FIELD)));
    }

    /** Makes what is new an object like any other. */
    static BsonDocument clearing() {
        return new BsonDocument("$unset", new BsonDocument(FIELD, new BsonString("")));
    }

    /** The first state of an object to be. */
    static BsonDocument first(ObjectId commit, BsonDocument document) {
        BsonDocument first = new BsonDocument();
        first.putAll(document);
        return first.append(FIELD, newMark(commit));
    }

    /** The next state of an object; its places are held by the object. */
    static BsonDocument image(ObjectId commit, ObjectRef ref, BsonDocument document) {
        BsonDocument image = new BsonDocument();
        image.putAll(document);
        image.put(StoredObject.ID, imageId(commit, ref));
        BsonDocument mark = newMark(commit);
        Optional.ofNullable(image.remove(Buckets.PLACES)).ifPresent(places -> mark.append(PLACES, places));
        return image.append(FIELD, mark);
    }

    /** The object that an image is of. */
    static ObjectRef ref(BsonDocument image) {
        String id = image.getString(StoredObject.ID).getValue();
        return ObjectRef.parse(id.substring(IMAGE.length() + HEX + 1)).orElseThrow();
    }

    /** The state that an image is of, with places in unique indexes. */
    static BsonDocument state(BsonDocument image) {
        BsonDocument state = new BsonDocument();
        state.putAll(image);
        state.put(StoredObject.ID, new BsonString(ref(image).id()));
        BsonValue mark = state.remove(FIELD);
        Optional.ofNullable(mark.asDocument().get(PLACES)).ifPresent(places -> state.append(Buckets.PLACES, places));
        return state;
    }

    static BsonString imageId(ObjectId commit, ObjectRef ref) {
        return new BsonString(IMAGE + commit.toHexString() + " " + ref.id());
    }

    private static BsonDocument union(List<BsonValue> further) {
        BsonString held = new BsonString("$" + Buckets.PLACES);
        BsonDocument own = new BsonDocument("$ifNull", new BsonArray(List.of(held, new BsonArray())));
        return new BsonDocument("$setUnion", new BsonArray(List.of(own, new BsonArray(further))));
    }

    private static BsonDocument newMark(ObjectId commit) {
        return new BsonDocument(ID, new BsonObjectId(commit)).append(NEW, BsonBoolean.TRUE);
    }
}

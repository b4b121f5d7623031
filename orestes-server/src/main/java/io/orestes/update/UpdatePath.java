package io.orestes.update;

import io.orestes.model.StoredObject;
import io.orestes.schema.FieldType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * A resolved path of an update: the embedded containers on the way, the member, and its type.
 *
 * @param path as the request spells it, for messages
 * @param containers the embedded objects and JSON objects on the way, outermost first
 * @param name member of the last of them, or of the object itself
 * @param type what may stand there; absent inside JSON, where anything may
 */
record UpdatePath(String path, List<PathContainer> containers, String name, Optional<FieldType> type) {

    UpdatePath {
        containers = List.copyOf(containers);
    }

    /**
     * An embedded or JSON object on the way of a path, created with null fields when missing.
     *
     * @param fields what it has when it comes into being, each being null
     */
    record PathContainer(String name, List<String> fields) {

        PathContainer {
            fields = List.copyOf(fields);
        }

        private BsonDocument empty() {
            BsonDocument empty = new BsonDocument();
            fields.forEach(field -> empty.append(field, BsonNull.VALUE));
            return empty;
        }
    }

    /** Whether an operation may meet any value there. */
    boolean isInJson() {
        return type.isEmpty();
    }

    /** Whether it is in the object's permissions. */
    boolean isAcl() {
        String outermost = containers.isEmpty() ? name : containers.get(0).name();
        return outermost.equals(StoredObject.ACL);
    }

    /**
     * What stands there; null where nothing does, and where a value is from before the field had
     * its type.
     */
    BsonValue in(BsonDocument document) {
        BsonDocument parent = document;
        for (PathContainer pathContainer : containers) {
            parent = inside(parent, pathContainer);
        }
        return value(parent);
    }

    /**
     * What stands there, whatever it is; null where nothing does, also where the way does not lead
     * there.
     */
    BsonValue found(BsonDocument document) {
        BsonDocument parent = document;
        for (PathContainer pathContainer : containers) {
            BsonValue next = parent.get(pathContainer.name(), BsonNull.VALUE);
            if (!next.isDocument()) {
                return BsonNull.VALUE;
            }
            parent = next.asDocument();
        }
        return parent.get(name, BsonNull.VALUE);
    }

    /**
     * How many members the embedded objects and JSON objects on the way have, as far as they are
     * there.
     */
    long membersOnTheWay(BsonDocument document) {
        long members = 0;
        BsonValue next = document;
        for (int i = 0; i < containers.size() && next.isDocument(); i++) {
            next = next.asDocument().get(containers.get(i).name(), BsonNull.VALUE);
            members += next.isDocument() ? next.asDocument().size() : 0;
        }
        return members;
    }

    /** The same document with another value there; what lies beside the way is shared. */
    BsonDocument changed(BsonDocument document, UnaryOperator<BsonValue> change) {
        return changed(document, 0, change);
    }

    private BsonDocument changed(BsonDocument parent, int depth, UnaryOperator<BsonValue> change) {
        BsonDocument copy = new BsonDocument();
        for (Map.Entry<String, BsonValue> member : parent.entrySet()) {
            copy.append(member.getKey(), member.getValue());
        }
        if (depth == containers.size()) {
            return copy.append(name, change.apply(value(parent)));
        }
        PathContainer next = containers.get(depth);
        return copy.append(next.name(), changed(inside(parent, next), depth + 1, change));
    }

    private BsonValue value(BsonDocument parent) {
        BsonValue found = parent.get(name, BsonNull.VALUE);
        return type.isEmpty() || type.get().isOf(found) ? found : BsonNull.VALUE;
    }

    private static BsonDocument inside(BsonDocument parent, PathContainer pathContainer) {
        BsonValue found = parent.get(pathContainer.name(), BsonNull.VALUE);
        if (found.isDocument()) {
            return found.asDocument();
        }
        if (found.isNull() || !pathContainer.fields().isEmpty()) {
            return pathContainer.empty();
        }
        throw UpdateErrors.unprocessable();
    }
}

package io.orestes.update;

import io.orestes.model.StoredObject;
import io.orestes.schema.type.FieldType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A resolved path of an update: the embedded containers on the way, the member, and its type.
 *
 * @param path as the request spells it, for messages
 * @param containers the embedded objects and JSON objects on the way, outermost first
 * @param name member of the last of them, or of the object itself
 * @param fieldType type of the field; null inside JSON, where any value is allowed
 */
record UpdatePath(String path, List<PathContainer> containers, String name, @Nullable FieldType fieldType) {

    UpdatePath {
        containers = List.copyOf(containers);
    }

    /**
     * An embedded or JSON object on the way of a path, created with null fields when missing.
     *
     * @param fields names of the fields that it is created with, each being null
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

    /** Returns the type of the field; empty inside JSON. */
    Optional<FieldType> type() {
        return Optional.ofNullable(fieldType);
    }

    /** True if the path is inside JSON, where any value may be stored. */
    boolean isInJson() {
        return fieldType == null;
    }

    /** True if the path is in the object's permissions. */
    boolean isAcl() {
        String outermost = containers.isEmpty() ? name : containers.get(0).name();
        return outermost.equals(StoredObject.ACL);
    }

    /**
     * Returns the value at the path; null if there is none, or if it is from before the field had
     * its type.
     */
    BsonValue read(BsonDocument document) {
        BsonDocument parent = document;
        for (PathContainer pathContainer : containers) {
            parent = inside(parent, pathContainer);
        }
        return value(parent);
    }

    /**
     * Returns the value at the path, of any type; null if there is none or the containers are
     * missing.
     */
    BsonValue readRaw(BsonDocument document) {
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
     * Returns the number of members of the existing embedded objects and JSON objects on the way.
     */
    long countTraversedMembers(BsonDocument document) {
        long members = 0;
        BsonValue next = document;
        for (int i = 0; i < containers.size() && next.isDocument(); i++) {
            next = next.asDocument().get(containers.get(i).name(), BsonNull.VALUE);
            members += next.isDocument() ? next.asDocument().size() : 0;
        }
        return members;
    }

    /**
     * Returns a copy of the document with another value at the path; all other values are shared.
     */
    BsonDocument withValue(BsonDocument document, UnaryOperator<BsonValue> change) {
        return withValue(document, 0, change);
    }

    private BsonDocument withValue(BsonDocument parent, int depth, UnaryOperator<BsonValue> change) {
        BsonDocument copy = new BsonDocument();
        for (Map.Entry<String, BsonValue> member : parent.entrySet()) {
            copy.append(member.getKey(), member.getValue());
        }
        if (depth == containers.size()) {
            return copy.append(name, change.apply(value(parent)));
        }
        PathContainer next = containers.get(depth);
        return copy.append(next.name(), withValue(inside(parent, next), depth + 1, change));
    }

    private BsonValue value(BsonDocument parent) {
        BsonValue found = parent.get(name, BsonNull.VALUE);
        return fieldType == null || fieldType.isOf(found) ? found : BsonNull.VALUE;
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

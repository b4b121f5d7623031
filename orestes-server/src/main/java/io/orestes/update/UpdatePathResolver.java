package io.orestes.update;

import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.CollectionType;
import io.orestes.schema.type.FieldType;
import io.orestes.update.UpdatePath.PathContainer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The resolver of update paths for one class, which rejects unknown, read-only and maintained
 * fields. A path can lead to fields, to those of embedded objects, to anything inside JSON objects,
 * and to the two permissions of {@code acl}. No update reaches anything else that the server
 * maintains, or fields marked as read-only.
 */
final class UpdatePathResolver {

    private static final int MAX_SEGMENTS = 32;
    private static final List<String> MAINTAINED = List.of("METADATA", "READONLY");
    private static final List<String> PERMISSIONS = List.of("read", "write");
    private static final FieldType RULES = new CollectionType.MapOf(BasicType.STRING, BasicType.STRING);

    private final Schema schema;
    private final ClassSchema root;

    UpdatePathResolver(Schema schema, ClassSchema root) {
        this.schema = schema;
        this.root = root;
    }

    /**
     * Resolves a path. Fails with {@code INVALID_TYPE_VALUE} if there is no such field, with {@code
     * BAD_REQUEST} if the operator does not accept it.
     */
    UpdatePath find(UpdateOperator updateOperator, String path) {
        return find(updateOperator, path, path);
    }

    /**
     * Resolves the path of a list for an operation on one of its elements.
     *
     * @param path path of the element, for messages
     */
    UpdatePath find(UpdateOperator updateOperator, String list, String path) {
        List<String> segments = List.of(list.split("\\.", -1));
        if (segments.size() > MAX_SEGMENTS) {
            throw UpdateErrors.unprocessable();
        }
        UpdatePath updatePath = segments.get(0).equals(StoredObject.ACL)
                ? permission(updateOperator, path, segments)
                : new PathWalk(updateOperator, path).along(segments);
        if (updateOperator == UpdateOperator.SET
                && updatePath.type().flatMap(FieldType::embeddedClass).isPresent()) {
            throw UpdateErrors.unprocessable();
        }
        if (!updateOperator.accepts(updatePath)) {
            throw UpdateErrors.unsupported(updateOperator.wireName(), path);
        }
        return updatePath;
    }

    private static UpdatePath permission(UpdateOperator updateOperator, String path, List<String> segments) {
        boolean isWhole = segments.size() == 1;
        boolean exists = isWhole || (segments.size() == 2 && PERMISSIONS.contains(segments.get(1)));
        if (!exists || updateOperator == UpdateOperator.RENAME) {
            throw UpdateErrors.unsupported(updateOperator.wireName(), path);
        }
        return isWhole
                ? new UpdatePath(path, List.of(), StoredObject.ACL, BasicType.JSON_OBJECT)
                : new UpdatePath(path, List.of(new PathContainer(StoredObject.ACL, List.of())), segments.get(1), RULES);
    }

    /** The resolution of one path, segment by segment. */
    private final class PathWalk {

        private final UpdateOperator updateOperator;
        private final String path;
        private final List<PathContainer> containers = new ArrayList<>();

        private PathWalk(UpdateOperator updateOperator, String path) {
            this.updateOperator = updateOperator;
            this.path = path;
        }

        private UpdatePath along(List<String> segments) {
            FieldSchema field = field(root, segments.get(0));
            for (int next = 1; next < segments.size(); next++) {
                if (field.type() == BasicType.JSON_OBJECT) {
                    return inJson(segments.subList(next - 1, segments.size()));
                }
                field = field(enter(field), segments.get(next));
            }
            return new UpdatePath(path, containers, field.name(), field.type());
        }

        private FieldSchema field(ClassSchema type, String name) {
            FieldSchema field = schema.field(type, name).orElseThrow(() -> UpdateErrors.unknownField(type.ref(), path));
            if (!Collections.disjoint(field.flags(), MAINTAINED) || isMetadata(type, name)) {
                throw UpdateErrors.unsupported(updateOperator.wireName(), path);
            }
            return field;
        }

        /** True for a metadata field; embedded objects have none. */
        private boolean isMetadata(ClassSchema type, String name) {
            return !type.embedded() && StoredObject.METADATA.contains(name);
        }

        private ClassSchema enter(FieldSchema field) {
            ClassSchema type = field.type()
                    .embeddedClass()
                    .map(schema::get)
                    .orElseThrow(() -> UpdateErrors.unsupported(updateOperator.wireName(), path));
            List<String> members =
                    schema.fields(type).stream().map(FieldSchema::name).toList();
            containers.add(new PathContainer(field.name(), members));
            return type;
        }

        private UpdatePath inJson(List<String> members) {
            if (members.contains("")) {
                throw UpdateErrors.unprocessable();
            }
            members.subList(0, members.size() - 1)
                    .forEach(member -> containers.add(new PathContainer(member, List.of())));
            return new UpdatePath(path, containers, members.get(members.size() - 1), null);
        }
    }
}

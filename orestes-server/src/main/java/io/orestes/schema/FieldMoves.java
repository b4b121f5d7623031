package io.orestes.schema;

import io.orestes.store.IndexKeys;
import io.orestes.store.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What one change of the schema does to stored objects: values of renamed fields follow, those of removed fields go, also in
 * the objects of subclasses and inside embedded objects. Immutable.
 */
final class FieldMoves {

    private final Schema before;
    private final Schema after;
    /** By class, then by field: its new name, or none if it is gone. */
    private final Map<String, Map<String, Optional<String>>> moves = new HashMap<>();

    private final Set<String> affected;

    FieldMoves(Schema before, Schema after, List<FieldRename> renames) {
        this.before = before;
        this.after = after;
        before.classes().forEach(type -> after.find(type.name()).ifPresent(now -> compare(type, now, renames)));
        this.affected = withEmbedding(moves.keySet());
    }

    boolean isEmpty() {
        return affected.isEmpty();
    }

    /** What the store has to do, by class. */
    Map<String, Rewrite> rewrites() {
        return affected.stream()
                .filter(name ->
                        after.find(name).filter(type -> !type.embedded()).isPresent())
                .collect(Collectors.toUnmodifiableMap(name -> name, ClassRewrite::new));
    }

    /** Fails with {@code SCHEMA_NOT_COMPATIBLE} if an index of the class is where a field is going to be. */
    void requireUnindexed(String bucket, List<IndexKeys> indexes) {
        indexes.stream()
                .flatMap(index -> index.keys().stream())
                .map(IndexKeys.Key::path)
                .filter(path -> leadsToNewName(bucket, path))
                .findFirst()
                .ifPresent(path -> {
                    throw SchemaRules.incompatible("/db/" + bucket + " has an index on " + path + "; drop it first");
                });
    }

    private void compare(ClassSchema type, ClassSchema now, List<FieldRename> renames) {
        Map<String, Optional<String>> moved = new HashMap<>();
        for (FieldSchema field : before.fields(type)) {
            Optional<String> renamed = renames.stream()
                    .filter(rename -> rename.from().equals(field.name()) && before.isA(type.name(), rename.bucket()))
                    .map(FieldRename::to)
                    .findFirst();
            if (renamed.isPresent() || after.field(now, field.name()).isEmpty()) {
                moved.put(field.name(), renamed);
            }
        }
        if (!moved.isEmpty()) {
            moves.put(type.name(), moved);
        }
    }

    /** The classes and all whose objects have objects of them inside. */
    private Set<String> withEmbedding(Set<String> changed) {
        Set<String> found = new HashSet<>(changed);
        boolean grows = !found.isEmpty();
        while (grows) {
            grows = found.addAll(before.classes().stream()
                    .filter(type -> before.fields(type).stream().anyMatch(field -> embedsOneOf(found, field)))
                    .map(ClassSchema::name)
                    .collect(Collectors.toSet()));
        }
        return found;
    }

    private static boolean embedsOneOf(Set<String> classes, FieldSchema field) {
        return field.type()
                .classTypes()
                .anyMatch(type -> type instanceof ClassType.Embedded && classes.contains(type.bucket()));
    }

    private Optional<FieldType> typeOf(String owner, String field) {
        return Stream.of(before, after)
                .flatMap(schema -> schema.find(owner).stream().flatMap(type -> schema.field(type, field).stream()))
                .map(FieldSchema::type)
                .findFirst();
    }

    private BsonDocument moved(String owner, BsonDocument document) {
        if (!affected.contains(owner)) {
            return document;
        }
        Map<String, Optional<String>> names = moves.getOrDefault(owner, Map.of());
        Set<String> taken = new HashSet<>();
        names.forEach(
                (from, to) -> to.filter(name -> document.containsKey(from)).ifPresent(taken::add));
        BsonDocument result = new BsonDocument();
        document.forEach((name, value) -> {
            Optional<String> now = names.getOrDefault(name, Optional.of(name).filter(same -> !taken.contains(same)));
            now.ifPresent(to -> result.append(
                    to, typeOf(owner, name).map(type -> moved(type, value)).orElse(value)));
        });
        return result;
    }

    private BsonValue moved(FieldType type, BsonValue value) {
        if (type instanceof ClassType.Embedded embedded && value.isDocument()) {
            return moved(embedded.bucket(), value.asDocument());
        }
        if (type instanceof CollectionType.MapOf map && value.isDocument()) {
            BsonDocument result = new BsonDocument();
            value.asDocument().forEach((key, element) -> result.append(key, moved(map.element(), element)));
            return result;
        }
        return type instanceof CollectionType many && value.isArray()
                ? new BsonArray(value.asArray().stream()
                        .map(element -> moved(many.element(), element))
                        .toList())
                : value;
    }

    private boolean leadsToNewName(String bucket, String path) {
        Set<String> met = new HashSet<>();
        List<String> unused = walk(bucket, segments(path), (owner, name) -> {
            if (moves.getOrDefault(owner, Map.of()).containsValue(Optional.of(name))) {
                met.add(name);
            }
            return name;
        });
        return !met.isEmpty();
    }

    private String newName(String owner, String name) {
        return moves.getOrDefault(owner, Map.of())
                .getOrDefault(name, Optional.empty())
                .orElse(name);
    }

    /** Names every segment anew that is a field of a class; {@code namer} is given the class and the field. */
    private List<String> walk(String owner, List<String> segments, BinaryOperator<String> namer) {
        if (segments.isEmpty()) {
            return segments;
        }
        String name = segments.get(0);
        List<String> rest = segments.subList(1, segments.size());
        return joined(
                namer.apply(owner, name),
                typeOf(owner, name).map(type -> walk(type, rest, namer)).orElse(rest));
    }

    private List<String> walk(FieldType type, List<String> segments, BinaryOperator<String> namer) {
        if (segments.isEmpty()) {
            return segments;
        }
        if (type instanceof ClassType.Embedded embedded) {
            return walk(embedded.bucket(), segments, namer);
        }
        if (type instanceof CollectionType many) {
            boolean isStep = many instanceof CollectionType.MapOf || FieldPaths.isIndex(segments.get(0));
            return isStep
                    ? joined(segments.get(0), walk(many.element(), segments.subList(1, segments.size()), namer))
                    : walk(many.element(), segments, namer);
        }
        return segments;
    }

    private static List<String> joined(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    private static List<String> segments(String path) {
        return List.of(path.split("\\.", -1));
    }

    /** The objects of one class. */
    private final class ClassRewrite implements Rewrite {

        private final String bucket;

        private ClassRewrite(String bucket) {
            this.bucket = bucket;
        }

        @Override
        public BsonDocument fields(BsonDocument stored) {
            return moved(bucket, stored);
        }

        @Override
        public String path(String indexed) {
            return String.join(".", walk(bucket, segments(indexed), FieldMoves.this::newName));
        }
    }
}

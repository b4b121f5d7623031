package io.orestes.schema.migration;

import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.FieldType;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.IndexSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The migration of stored objects by one schema change: renamed, removed and converted fields. It
 * includes the objects of subclasses and embedded objects. Immutable.
 */
public final class DataMigration {

    private final Schema before;
    private final Schema after;
    /** New field names by class, then by field; empty for a removed field. */
    private final Map<String, Map<String, Optional<String>>> newNames = new HashMap<>();

    /** Conversions by class, then by field. */
    private final Map<String, Map<String, TypeConversion>> conversions = new HashMap<>();

    private final Set<String> affected;

    public DataMigration(Schema before, Schema after, List<FieldRename> renames) {
        this.before = before;
        this.after = after;
        before.classes().forEach(type -> after.find(type.name()).ifPresent(now -> compare(type, now, renames)));
        Set<String> changed = new HashSet<>(newNames.keySet());
        changed.addAll(conversions.keySet());
        this.affected = before.holders(changed);
    }

    public boolean isEmpty() {
        return affected.isEmpty();
    }

    /** Returns the rewrites for the store, by class. */
    public Map<String, DocumentRewrite> rewrites() {
        return affected.stream()
                .filter(name ->
                        after.find(name).filter(type -> !type.embedded()).isPresent())
                .collect(Collectors.toUnmodifiableMap(name -> name, ClassRewrite::new));
    }

    /** Returns whether values may be lost without a request to lose them. */
    boolean mayLoseValues() {
        return conversions.values().stream()
                .flatMap(fields -> fields.values().stream())
                .anyMatch(conversion -> !conversion.isWidening());
    }

    /** Returns whether every value of an object of the class fits its new type. */
    boolean fits(String bucket, BsonDocument stored) {
        return !affected.contains(bucket)
                || stored.entrySet().stream().allMatch(member -> fits(bucket, member.getKey(), member.getValue()));
    }

    /**
     * Fails with {@code SCHEMA_NOT_COMPATIBLE} if the class has an index at the new path of a
     * field, or a unique one on values that could become equal.
     */
    public void requireUnindexed(String bucket, List<IndexSpec> indexes) {
        firstPath(indexes.stream(), path -> leadsTo(bucket, path, this::isNewName))
                .ifPresent(path -> {
                    throw SchemaRules.incompatible("/db/" + bucket + " has an index on " + path + "; drop it first");
                });
        firstPath(
                        indexes.stream().filter(IndexSpec::unique),
                        path -> leadsTo(bucket, path, (owner, name) -> conversion(owner, name)
                                .isPresent()))
                .ifPresent(path -> {
                    throw SchemaRules.incompatible("/db/" + bucket + " has a unique index on " + path
                            + ", where values could become equal; drop it first");
                });
    }

    private static Optional<String> firstPath(Stream<IndexSpec> indexes, Predicate<String> wanted) {
        return indexes.flatMap(index -> index.keys().stream())
                .map(IndexSpec.IndexedField::path)
                .filter(wanted)
                .findFirst();
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
            newNames.put(type.name(), moved);
        }
        compareTypes(type, now, moved.keySet());
    }

    private void compareTypes(ClassSchema type, ClassSchema now, Set<String> moved) {
        for (FieldSchema field : before.fields(type)) {
            after.field(now, field.name())
                    .map(FieldSchema::type)
                    .filter(other -> !moved.contains(field.name()) && !other.equals(field.type()))
                    .map(other -> new TypeConversion(field.type(), other, after))
                    .filter(conversion -> !conversion.isIdentity(type.embedded()))
                    .ifPresent(conversion -> conversions
                            .computeIfAbsent(type.name(), name -> new HashMap<>())
                            .put(field.name(), conversion));
        }
    }

    private Optional<TypeConversion> conversion(String owner, String field) {
        return Optional.ofNullable(conversions.getOrDefault(owner, Map.of()).get(field));
    }

    private boolean fits(String owner, String field, BsonValue value) {
        return conversion(owner, field)
                .map(conversion -> conversion.fits(value))
                .orElseGet(() ->
                        typeOf(owner, field).filter(type -> !fits(type, value)).isEmpty());
    }

    private boolean fits(FieldType type, BsonValue value) {
        Optional<String> embedded = type.elementType().embeddedClass();
        return embedded.isEmpty()
                || elements(type, value)
                        .filter(BsonValue::isDocument)
                        .allMatch(each -> fits(embedded.get(), each.asDocument()));
    }

    /** Returns the single values in a stored value, which may be of a kind from before a change. */
    private static Stream<BsonValue> elements(FieldType type, BsonValue value) {
        if (!type.kind().isCollection()) {
            return Stream.of(value);
        }
        return value.isArray()
                ? value.asArray().stream()
                : value.isDocument() ? value.asDocument().values().stream() : Stream.empty();
    }

    private Optional<FieldType> typeOf(String owner, String field) {
        return Stream.of(before, after)
                .flatMap(schema -> schema.find(owner).stream().flatMap(type -> schema.field(type, field).stream()))
                .map(FieldSchema::type)
                .findFirst();
    }

    /** Returns the new form of an object of the class, or of an embedded part of that class. */
    BsonDocument rewrite(String owner, BsonDocument document) {
        if (!affected.contains(owner)) {
            return document;
        }
        Map<String, Optional<String>> names = newNames.getOrDefault(owner, Map.of());
        Set<String> taken = new HashSet<>();
        names.forEach(
                (from, to) -> to.filter(name -> document.containsKey(from)).ifPresent(taken::add));
        BsonDocument result = new BsonDocument();
        document.forEach((name, value) -> {
            Optional<String> now = names.getOrDefault(name, Optional.of(name).filter(same -> !taken.contains(same)));
            now.ifPresent(to -> result.append(to, valueOf(owner, name, value)));
        });
        return result;
    }

    private BsonValue valueOf(String owner, String field, BsonValue value) {
        return conversion(owner, field)
                .map(conversion -> conversion.convert(value))
                .orElseGet(() ->
                        typeOf(owner, field).map(type -> rewrite(type, value)).orElse(value));
    }

    private BsonValue rewrite(FieldType type, BsonValue value) {
        return type.mapElements(value, (elementType, element) -> elementType
                .embeddedClass()
                .filter(bucket -> element.isDocument())
                .<BsonValue>map(bucket -> rewrite(bucket, element.asDocument()))
                .orElse(element));
    }

    /** Returns whether the path goes through a field of a class that satisfies the predicate. */
    private boolean leadsTo(String bucket, String path, BiPredicate<String, String> wanted) {
        Set<String> met = new HashSet<>();
        List<String> unused = walk(bucket, segments(path), (owner, name) -> {
            if (wanted.test(owner, name)) {
                met.add(name);
            }
            return name;
        });
        return !met.isEmpty();
    }

    private boolean isNewName(String owner, String name) {
        return newNames.getOrDefault(owner, Map.of()).containsValue(Optional.of(name));
    }

    private String newName(String owner, String name) {
        return newNames.getOrDefault(owner, Map.of())
                .getOrDefault(name, Optional.empty())
                .orElse(name);
    }

    /**
     * Renames every segment that is a field of a class; {@code namer} receives the class and the
     * field.
     */
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
        return type.isElementStep(segments.get(0))
                ? joined(segments.get(0), walk(type.elementType(), segments.subList(1, segments.size()), namer))
                : type.elementType()
                        .embeddedClass()
                        .map(bucket -> walk(bucket, segments, namer))
                        .orElse(segments);
    }

    private static List<String> joined(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    private static List<String> segments(String path) {
        return List.of(path.split("\\.", -1));
    }

    /** The rewrite of the objects of one class. */
    private final class ClassRewrite implements DocumentRewrite {

        private final String bucket;

        private ClassRewrite(String bucket) {
            this.bucket = bucket;
        }

        @Override
        public BsonDocument fields(BsonDocument stored) {
            return rewrite(bucket, stored);
        }

        @Override
        public String path(String indexed) {
            return String.join(".", walk(bucket, segments(indexed), DataMigration.this::newName));
        }
    }
}

package io.orestes.schema.change;

import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.schema.migration.TypeConversion;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The schema as a state-based replicated data type (Shapiro et al., "Conflict-free Replicated Data
 * Types", SSS 2011). It is the schema as one server has observed it. {@link #join} is commutative,
 * associative and idempotent. So servers that exchange their states in any order and any number of
 * times converge. Classes, fields, wider types and metadata only grow. Changes that do not grow are
 * coordinated: they begin another epoch, and a later epoch replaces an earlier one. Immutable.
 *
 * @param epoch number of coordinated changes
 * @param classes declarations by name, which may contradict each other; {@link
 *     SchemaConflictResolution} resolves them
 * @param migrations names of the completed migrations
 */
public record SchemaCrdt(long epoch, NavigableMap<String, ClassSchema> classes, NavigableSet<String> migrations) {

    private static final String EPOCH = "epoch";
    private static final String ASSERTED = "asserted";
    private static final String MIGRATIONS = "migrations";

    /**
     * Order of declarations of a field, of which the greatest takes effect; wider types are greater
     * than narrower ones.
     */
    private static final Comparator<FieldSchema> BY_GREATNESS = Comparator.<FieldSchema, String>comparing(
                    field -> TypeWideningOrder.key(field.type()))
            .thenComparing(field -> ClassDescriptorCodec.print(field).toJson());

    /**
     * Order of super classes: a class that derives from another one is greater than one that does
     * not.
     */
    private static final Comparator<String> BY_DERIVATION = Comparator.<String, Boolean>comparing(
                    name -> !name.equals(ClassSchema.ROOT))
            .thenComparing(Comparator.naturalOrder());

    public static SchemaCrdt of(long epoch, Schema schema, Collection<String> migrations) {
        NavigableMap<String, ClassSchema> classes = new TreeMap<>();
        schema.classes().forEach(type -> classes.put(type.name(), sorted(type)));
        return new SchemaCrdt(epoch, classes, new TreeSet<>(migrations));
    }

    /** Returns the join of two states. */
    SchemaCrdt join(SchemaCrdt other) {
        if (epoch != other.epoch) {
            return epoch > other.epoch ? this : other;
        }
        NavigableMap<String, ClassSchema> joined = new TreeMap<>(classes);
        other.classes.forEach((name, type) -> joined.merge(name, type, SchemaCrdt::join));
        NavigableSet<String> done = new TreeSet<>(migrations);
        done.addAll(other.migrations);
        return new SchemaCrdt(epoch, joined, done);
    }

    /**
     * Returns the state after a local change: of this epoch if the change only lets the schema
     * grow, else of the next.
     */
    public SchemaCrdt after(Schema schema, Collection<String> newMigrations) {
        NavigableSet<String> done = new TreeSet<>(migrations);
        done.addAll(newMigrations);
        SchemaCrdt grown = join(of(epoch, schema, done));
        return widensOnly(schema(), schema) && grown.schema().isSameAs(schema) ? grown : of(epoch + 1, schema, done);
    }

    /**
     * Returns the join of two states that servers derived concurrently from one, if both only let
     * it grow and the join contains all requested changes of both. Empty if a change did more than
     * grow, or if they contradict each other.
     */
    public Optional<SchemaCrdt> mergeGrowth(SchemaCrdt other) {
        if (epoch != other.epoch) {
            return Optional.empty();
        }
        SchemaCrdt joined = join(other);
        Schema both = joined.schema();
        return Optional.of(joined).filter(all -> widensOnly(schema(), both) && widensOnly(other.schema(), both));
    }

    private static boolean widensOnly(Schema before, Schema after) {
        return before.classes().stream().allMatch(type -> after.find(type.name())
                .filter(now -> before.fields(type).stream().allMatch(field -> after.field(now, field.name())
                        .filter(other -> new TypeConversion(field.type(), other.type(), after).isWidening())
                        .isPresent()))
                .isPresent());
    }

    /** Returns the schema in effect. */
    public Schema schema() {
        return new SchemaConflictResolution(classes).schema();
    }

    /** Adds the state to a document. */
    BsonDocument appendTo(BsonDocument document) {
        BsonArray asserted = new BsonArray();
        classes.values().forEach(type -> asserted.add(ClassDescriptorCodec.print(type)));
        return document.append(EPOCH, new BsonInt64(epoch))
                .append(ASSERTED, asserted)
                .append(
                        MIGRATIONS,
                        new BsonArray(migrations.stream().map(BsonString::new).toList()));
    }

    /**
     * Reads the state that {@link #appendTo} added; an earlier version of the server stored the
     * schema alone.
     */
    static SchemaCrdt read(BsonDocument document, Schema schema) {
        if (!document.containsKey(ASSERTED)) {
            return of(0, schema, Set.of());
        }
        NavigableMap<String, ClassSchema> classes = new TreeMap<>();
        List<BsonDocument> asserted =
                document.getArray(ASSERTED).stream().map(BsonValue::asDocument).toList();
        Set<String> embedded = asserted.stream()
                .filter(ClassDescriptorCodec::isEmbedded)
                .map(ClassDescriptorCodec::className)
                .collect(Collectors.toSet());
        asserted.stream()
                .map(descriptor -> ClassDescriptorCodec.parse(descriptor, embedded::contains))
                .forEach(type -> classes.put(type.name(), type));
        return new SchemaCrdt(document.getNumber(EPOCH).longValue(), classes, new TreeSet<>(texts(document)));
    }

    private static List<String> texts(BsonDocument document) {
        return document.getArray(MIGRATIONS).stream()
                .map(each -> each.asString().getValue())
                .toList();
    }

    private static ClassSchema join(ClassSchema one, ClassSchema other) {
        return one.equals(other) ? one : joined(one, other);
    }

    private static ClassSchema joined(ClassSchema one, ClassSchema other) {
        NavigableMap<String, FieldSchema> fields = new TreeMap<>();
        Stream.concat(one.fields().stream(), other.fields().stream())
                .forEach(field -> fields.merge(field.name(), field, BinaryOperator.maxBy(BY_GREATNESS)));
        Map<String, String> metadata = new TreeMap<>(one.metadata());
        other.metadata()
                .forEach((key, text) -> metadata.merge(key, text, BinaryOperator.maxBy(Comparator.naturalOrder())));
        return new ClassSchema(
                one.name(),
                greatest(one, other, ClassSchema::superClass, BY_DERIVATION),
                one.embedded() && other.embedded(),
                List.copyOf(fields.values()),
                joinedPermissions(one, other),
                metadata,
                greatest(one, other, ClassSchema::validationCode, Comparator.naturalOrder()));
    }

    private static @Nullable String greatest(
            ClassSchema one,
            ClassSchema other,
            Function<ClassSchema, Optional<String>> property,
            Comparator<String> order) {
        return Stream.of(one, other)
                .map(property)
                .flatMap(Optional::stream)
                .max(order)
                .orElse(null);
    }

    private static Map<ClassOperation, Permission> joinedPermissions(ClassSchema one, ClassSchema other) {
        Map<ClassOperation, Permission> joined = new EnumMap<>(ClassOperation.class);
        for (ClassOperation operation : ClassOperation.values()) {
            Permission both = join(one.permission(operation), other.permission(operation));
            if (!both.isPublic()) {
                joined.put(operation, both);
            }
        }
        return joined;
    }

    /**
     * Returns the permission for callers that both sides admit; if there are none, for admins, who
     * are always admitted.
     */
    private static Permission join(Permission one, Permission other) {
        Set<String> denied = new HashSet<>(one.denied());
        denied.addAll(other.denied());
        if (one.allowed().isEmpty() || other.allowed().isEmpty()) {
            return new Permission(one.allowed().isEmpty() ? other.allowed() : one.allowed(), denied);
        }
        Set<String> allowed = new HashSet<>(one.allowed());
        allowed.retainAll(other.allowed());
        return new Permission(allowed.isEmpty() ? Set.of(Principal.ADMIN_ROLE) : allowed, denied);
    }

    /**
     * Returns the class with its fields by name, so that the state does not depend on the order of
     * additions.
     */
    private static ClassSchema sorted(ClassSchema type) {
        return type.withFields(type.fields().stream()
                .sorted(Comparator.comparing(FieldSchema::name))
                .toList());
    }
}

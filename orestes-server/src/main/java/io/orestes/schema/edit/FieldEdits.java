package io.orestes.schema.edit;

import io.orestes.model.ApiException;
import io.orestes.model.Principal;
import io.orestes.schema.migration.FieldRename;
import io.orestes.schema.migration.MisfitPolicy;
import io.orestes.schema.migration.TypeConversion;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldConstraints;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.NamingRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * The operations of one schema change on single fields: additions, removals, renames and
 * conversions (protocol §7.3). It refuses operations of one request that conflict on the same
 * field. Single use, single thread.
 */
final class FieldEdits {

    private final Schema before;
    private final SchemaDraft draft;
    private final Principal editor;
    private final List<FieldRename> renames = new ArrayList<>();

    /** Fields whose type may change, by class; the value is true if values may be lost. */
    private final Map<String, Map<String, Boolean>> changed = new HashMap<>();

    FieldEdits(Schema before, SchemaDraft draft, Principal editor) {
        this.before = before;
        this.draft = draft;
        this.editor = editor;
    }

    void addField(BsonDocument item) {
        ClassSchema known = draft.named(item);
        known.require(ClassOperation.SCHEMA_ADD, editor);
        addTo(known.name(), draft.parseField(JsonObjectReader.object(item, "field")));
    }

    /**
     * Adds a field to a class, unless the class or a super class has one of that name and type
     * already.
     */
    void addTo(String name, FieldSchema field) {
        ClassSchema known = draft.existing(name);
        requireNotRemoved(known, field.name());
        Optional<FieldSchema> present = known.ownField(field.name())
                .or(() -> before.field(known, field.name()).filter(other -> !isRenamed(name, field.name())));
        if (present.isEmpty()) {
            requireHarmless(known, field);
            draft.put(known.withField(field));
        } else if (!present.get().type().equals(field.type())) {
            throw otherType(known, present.get(), field);
        }
    }

    /**
     * Fails on a constraint that would refuse writes of others, if the editor may only add fields.
     */
    private void requireHarmless(ClassSchema known, FieldSchema field) {
        FieldConstraints wanted = FieldConstraints.of(field);
        if (wanted.isRequired()) {
            known.require(ClassOperation.SCHEMA_REPLACE, editor);
        }
        // A subclass loses its own field of that name to this one.
        draft.classes().stream()
                .filter(other -> before.isA(other.name(), known.name())
                        && other.ownField(field.name())
                                .filter(own -> !FieldConstraints.of(own).equals(wanted))
                                .isPresent())
                .forEach(other -> other.require(ClassOperation.SCHEMA_REPLACE, editor));
    }

    /**
     * Fails if the field was removed by this change: its stored values would count as values of the
     * new field.
     */
    private void requireNotRemoved(ClassSchema known, String field) {
        boolean wasThere = before.find(known.name())
                .flatMap(stored -> stored.ownField(field))
                .isPresent();
        if (wasThere && known.ownField(field).isEmpty() && !isRenamed(known.name(), field)) {
            throw SchemaRules.incompatible(
                    "The field " + field + " of " + known.ref() + " cannot be removed and added by the same request");
        }
    }

    private boolean isRenamed(String bucket, String field) {
        return renames.stream()
                .anyMatch(rename ->
                        rename.bucket().equals(bucket) && rename.from().equals(field));
    }

    void removeField(BsonDocument item) {
        ClassSchema known = draft.named(item);
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        String name = JsonObjectReader.requiredText(item, "name");
        if (BuiltInClasses.contains(known.name(), name) || known.ownField(name).isEmpty()) {
            throw SchemaRules.incompatible(
                    known.ref() + " has no field of its own that can be removed: " + NamingRules.shorten(name));
        }
        draft.put(known.without(name));
    }

    /** Changes a field; members that the request omits stay unchanged. */
    void changeField(BsonDocument item) {
        ClassSchema known = draft.named(item);
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        BsonDocument wanted = JsonObjectReader.object(item, "field");
        String name = JsonObjectReader.requiredText(wanted, "name");
        FieldSchema present = changeable(known, name);
        FieldSchema field = draft.parseField(ClassDescriptorCodec.changed(present, wanted));
        if (!field.type().equals(present.type())) {
            requireConvertible(known, present, field);
            changed.computeIfAbsent(known.name(), bucket -> new HashMap<>())
                    .put(name, JsonObjectReader.flag(item, "lossy"));
        }
        if (lossiness().size() > 1) {
            throw SchemaRules.incompatible("One request cannot mix lossy and lossless changes of types");
        }
        draft.put(known.without(name).withField(field));
    }

    private FieldSchema changeable(ClassSchema known, String name) {
        return known.ownField(name)
                .filter(field -> !BuiltInClasses.contains(known.name(), name)
                        && renames.stream()
                                .noneMatch(rename -> rename.bucket().equals(known.name())
                                        && rename.to().equals(name)))
                .orElseThrow(() -> SchemaRules.incompatible(
                        known.ref() + " has no field of its own that can be changed: " + NamingRules.shorten(name)));
    }

    private static void requireConvertible(ClassSchema owner, FieldSchema present, FieldSchema wanted) {
        if (!TypeConversion.isPossible(present.type(), wanted.type())) {
            throw SchemaRules.incompatible("Values of the field " + present.name() + " of " + owner.ref()
                    + " cannot be converted from " + present.type().ref() + " to "
                    + wanted.type().ref());
        }
    }

    void renameField(BsonDocument item) {
        ClassSchema known = draft.named(item);
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        String from = JsonObjectReader.requiredText(item, "from");
        String to = JsonObjectReader.requiredText(item, "to");
        NamingRules.requireFieldName(to);
        requireRenamable(known, from, to);
        draft.put(known.withFields(known.fields().stream()
                .map(field -> field.name().equals(from) ? field.withName(to) : field)
                .toList()));
        renames.add(new FieldRename(known.name(), from, to));
    }

    /**
     * Fails if a name is moved twice in one request. With single moves the migration is repeatable
     * after a crash.
     */
    private void requireRenamable(ClassSchema known, String from, String to) {
        Optional<FieldSchema> stored = before.find(known.name()).flatMap(same -> same.ownField(from));
        boolean isChanged = changed.getOrDefault(known.name(), Map.of()).containsKey(from);
        if (stored.isEmpty()
                || known.ownField(from).isEmpty()
                || BuiltInClasses.contains(known.name(), from)
                || isChanged) {
            throw SchemaRules.incompatible(
                    known.ref() + " has no field of its own that can be renamed: " + NamingRules.shorten(from));
        }
        if (NamingRules.isMetadata(to) || isTaken(known.name(), to)) {
            throw SchemaRules.incompatible(known.ref() + ", a super class or a subclass has the field "
                    + NamingRules.shorten(to) + " already, or had it before this request");
        }
    }

    private boolean isTaken(String bucket, String field) {
        return Stream.concat(before.classes().stream(), draft.classes().stream())
                .filter(other -> before.isA(other.name(), bucket) || before.isA(bucket, other.name()))
                .anyMatch(other -> other.ownField(field).isPresent());
    }

    /** Returns the renamed fields, in order. */
    List<FieldRename> renames() {
        return List.copyOf(renames);
    }

    /** Returns the policy for values that do not fit the new types of their fields. */
    MisfitPolicy misfits() {
        return lossiness().contains(true) ? MisfitPolicy.CONVERT : MisfitPolicy.REFUSE;
    }

    private Set<Boolean> lossiness() {
        return changed.values().stream()
                .flatMap(fields -> fields.values().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Fails if a type changed otherwise: stored values of the old type would remain where queries
     * and indexes read them.
     */
    void requireSameTypes(Schema after) {
        before.classes().forEach(type -> after.find(type.name()).ifPresent(now -> requireSameTypes(type, now, after)));
    }

    private void requireSameTypes(ClassSchema type, ClassSchema now, Schema after) {
        before.fields(type).stream()
                .filter(field -> !mayHaveOtherType(type, field))
                .filter(field -> renames.stream()
                        .noneMatch(rename ->
                                rename.from().equals(field.name()) && before.isA(type.name(), rename.bucket())))
                .forEach(field -> after.field(now, field.name())
                        .filter(other -> !other.type().equals(field.type()))
                        .ifPresent(other -> {
                            throw otherType(type, field, other);
                        }));
    }

    private boolean mayHaveOtherType(ClassSchema type, FieldSchema field) {
        return changed.entrySet().stream()
                .anyMatch(entry -> before.isA(type.name(), entry.getKey())
                        && entry.getValue().containsKey(field.name()));
    }

    private static ApiException otherType(ClassSchema owner, FieldSchema present, FieldSchema wanted) {
        return SchemaRules.incompatible("The field " + present.name() + " of " + owner.ref() + " is "
                + present.type().ref() + ", not " + wanted.type().ref() + "; changeField converts stored values");
    }
}

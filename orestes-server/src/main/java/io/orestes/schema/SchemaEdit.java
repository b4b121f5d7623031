package io.orestes.schema;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One change of a schema in the making (protocol §7.3): rules and permissions are checked while it is put together, the
 * whole at its end. Single use, single thread; the schema it starts from stays as it is.
 */
final class SchemaEdit {

    private static final Pattern MIGRATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private final Schema before;
    private final Principal editor;
    private final Map<String, ClassSchema> classes = new LinkedHashMap<>();
    private final Set<String> embedded = new HashSet<>();
    private final Set<String> created = new LinkedHashSet<>();
    private final List<FieldRename> renames = new ArrayList<>();
    /** Classes with fields of theirs that may have another type after it; to whether values may be lost. */
    private final Map<String, Map<String, Boolean>> changed = new HashMap<>();

    /** Names of migrations that were carried out earlier, and of those that are part of this change. */
    private final Set<String> migrated;

    private final Set<String> migrations = new LinkedHashSet<>();

    SchemaEdit(Schema before, Principal editor) {
        this(before, editor, Set.of());
    }

    /** @param migrated names of the migrations that are not to be carried out again */
    SchemaEdit(Schema before, Principal editor, Set<String> migrated) {
        this.before = before;
        this.editor = editor;
        this.migrated = migrated;
        before.classes().forEach(schema -> classes.put(schema.name(), schema));
        before.classes().stream()
                .filter(ClassSchema::embedded)
                .map(ClassSchema::name)
                .forEach(embedded::add);
    }

    /** {@code POST /schema}: a descriptor, an operation, or an array of them. */
    SchemaEdit merge(BsonValue request) {
        List<BsonDocument> items = items(request);
        items.forEach(this::noteEmbedded);
        items.forEach(this::mergeItem);
        return this;
    }

    /** {@code PUT /schema}: classes that are not listed are dropped, except for built-in ones. */
    SchemaEdit replaceAll(BsonValue request) {
        requireAdmin("Replacing the schema");
        List<BsonDocument> items = items(request);
        Set<String> listed = new HashSet<>();
        items.forEach(item -> listed.add(Descriptors.className(item)));
        classes.keySet().removeIf(name -> !listed.contains(name) && !BuiltInClasses.contains(name));
        embedded.retainAll(classes.keySet());
        items.forEach(this::noteEmbedded);
        items.forEach(this::replaceOrCreate);
        return this;
    }

    /** {@code PUT /schema/:bucket}. */
    SchemaEdit replaceClass(BsonDocument descriptor) {
        requireAdmin("Replacing a class");
        noteEmbedded(descriptor);
        replaceOrCreate(descriptor);
        return this;
    }

    /** {@code DELETE /schema/:bucket}. */
    @CanIgnoreReturnValue
    SchemaEdit delete(String name) {
        requireAdmin("Removing a class");
        ClassSchema removed = existing(name);
        if (BuiltInClasses.contains(name)) {
            throw SchemaRules.incompatible("Built-in classes cannot be removed: " + removed.ref());
        }
        classes.remove(name);
        classes.values().stream()
                .filter(other -> refersTo(other, name))
                .findFirst()
                .ifPresent(other -> {
                    throw new ApiException(
                            ErrorCode.TYPE_STILL_REFERENCED, "/db/" + name + " is still used by " + other.ref());
                });
        return this;
    }

    /** The schema after all that; fails if it contradicts itself or the editor may not create one of its classes. */
    Schema build() {
        created.forEach(this::requireCreation);
        classes.replaceAll((name, schema) -> withoutInherited(schema));
        Schema after = Schema.of(classes.values());
        before.classes().forEach(type -> after.find(type.name()).ifPresent(now -> requireSameTypes(type, now, after)));
        return after;
    }

    /** Stored values of the old type would stay where queries and indexes meet them. */
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

    /** The fields that have other names after it, in order. */
    List<FieldRename> renames() {
        return List.copyOf(renames);
    }

    /** Names of the migrations that are carried out by it. */
    Set<String> migrations() {
        return Set.copyOf(migrations);
    }

    /** What happens to values that do not fit the new types of their fields. */
    Misfits misfits() {
        return lossiness().contains(true) ? Misfits.CONVERT : Misfits.REFUSE;
    }

    private Set<Boolean> lossiness() {
        return changed.values().stream()
                .flatMap(fields -> fields.values().stream())
                .collect(Collectors.toSet());
    }

    private void mergeItem(BsonDocument item) {
        Optional<String> operation = Members.text(item, "operation");
        if (operation.isPresent()) {
            operate(operation.get(), item);
        } else {
            mergeClass(item);
        }
    }

    private void operate(String operation, BsonDocument item) {
        switch (operation) {
            case "addField" -> addField(item);
            case "removeField" -> removeField(item);
            case "changeField" -> changeField(item);
            case "updateClassAcl" -> updatePermissions(item);
            case "replaceClass" -> replaceExisting(parse(item));
            case "addClass" -> addClass(item);
            case "removeClass" -> delete(bucket(item));
            case "renameField" -> renameField(item);
            case "migrate" -> migrate(item);
            default ->
                throw new ApiException(ErrorCode.BAD_REQUEST, "Unknown schema operation: " + Names.shorten(operation));
        }
    }

    /** Carries out the changes of a migration, once for all times. */
    private void migrate(BsonDocument item) {
        requireAdmin("A migration");
        String name = Members.requiredText(item, "name");
        if (!MIGRATION.matcher(name).matches()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not the name of a migration: " + Names.shorten(name));
        }
        if (!migrated.contains(name) && migrations.add(name)) {
            List<BsonDocument> changes = items(item.get("changes", new BsonArray()));
            changes.forEach(this::noteEmbedded);
            changes.forEach(this::mergeItem);
        }
    }

    private void mergeClass(BsonDocument descriptor) {
        ClassSchema wanted = parse(descriptor);
        ClassSchema known = classes.get(wanted.name());
        if (known == null) {
            create(wanted);
            return;
        }
        requireSameKind(known, wanted);
        known.require(ClassOperation.SCHEMA_ADD, editor);
        wanted.fields().forEach(field -> addTo(wanted.name(), field));
    }

    private void addField(BsonDocument item) {
        ClassSchema known = existing(bucket(item));
        known.require(ClassOperation.SCHEMA_ADD, editor);
        addTo(known.name(), Descriptors.parseField(Members.object(item, "field"), embedded::contains));
    }

    private void addTo(String name, FieldSchema field) {
        ClassSchema known = existing(name);
        requireNotRemoved(known, field.name());
        Optional<FieldSchema> present = known.ownField(field.name())
                .or(() -> before.field(known, field.name()).filter(other -> !isRenamed(name, field.name())));
        if (present.isEmpty()) {
            put(known.withField(field));
        } else if (!present.get().type().equals(field.type())) {
            throw otherType(known, present.get(), field);
        }
    }

    /** Stored values of the removed field would be taken for values of the new one. */
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

    private void removeField(BsonDocument item) {
        ClassSchema known = existing(bucket(item));
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        String name = Members.requiredText(item, "name");
        if (BuiltInClasses.contains(known.name(), name) || known.ownField(name).isEmpty()) {
            throw SchemaRules.incompatible(
                    known.ref() + " has no field of its own that can be removed: " + Names.shorten(name));
        }
        put(known.without(name));
    }

    /** Members of the field that the request leaves out stay as they are. */
    private void changeField(BsonDocument item) {
        ClassSchema known = existing(bucket(item));
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        BsonDocument wanted = Members.object(item, "field");
        String name = Members.requiredText(wanted, "name");
        FieldSchema present = changeable(known, name);
        FieldSchema field = Descriptors.parseField(Descriptors.changed(present, wanted), embedded::contains);
        if (!field.type().equals(present.type())) {
            requireConvertible(known, present, field);
            changed.computeIfAbsent(known.name(), bucket -> new HashMap<>()).put(name, Members.flag(item, "lossy"));
        }
        if (lossiness().size() > 1) {
            throw SchemaRules.incompatible("One request changes types either with loss or without");
        }
        put(known.without(name).withField(field));
    }

    private FieldSchema changeable(ClassSchema known, String name) {
        return known.ownField(name)
                .filter(field -> !BuiltInClasses.contains(known.name(), name)
                        && renames.stream()
                                .noneMatch(rename -> rename.bucket().equals(known.name())
                                        && rename.to().equals(name)))
                .orElseThrow(() -> SchemaRules.incompatible(
                        known.ref() + " has no field of its own that can be changed: " + Names.shorten(name)));
    }

    private static void requireConvertible(ClassSchema owner, FieldSchema present, FieldSchema wanted) {
        if (!Conversion.isPossible(present.type(), wanted.type())) {
            throw SchemaRules.incompatible("Values of the field " + present.name() + " of " + owner.ref()
                    + " cannot be converted from " + present.type().ref() + " to "
                    + wanted.type().ref());
        }
    }

    private void renameField(BsonDocument item) {
        ClassSchema known = existing(bucket(item));
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        String from = Members.requiredText(item, "from");
        String to = Members.requiredText(item, "to");
        Names.requireFieldName(to);
        requireRenamable(known, from, to);
        put(known.withFields(known.fields().stream()
                .map(field -> field.name().equals(from) ? field.withName(to) : field)
                .toList()));
        renames.add(new FieldRename(known.name(), from, to));
    }

    /** One request moves a name only once: so the moves can be done again after a crash in their middle. */
    private void requireRenamable(ClassSchema known, String from, String to) {
        Optional<FieldSchema> stored = before.find(known.name()).flatMap(same -> same.ownField(from));
        boolean isChanged = changed.getOrDefault(known.name(), Map.of()).containsKey(from);
        if (stored.isEmpty()
                || known.ownField(from).isEmpty()
                || BuiltInClasses.contains(known.name(), from)
                || isChanged) {
            throw SchemaRules.incompatible(
                    known.ref() + " has no field of its own that can be renamed: " + Names.shorten(from));
        }
        if (Names.isMetadata(to) || isTaken(known.name(), to)) {
            throw SchemaRules.incompatible(known.ref() + ", a super class or a subclass has the field "
                    + Names.shorten(to) + " already, or had it before this request");
        }
    }

    private boolean isTaken(String bucket, String field) {
        return Stream.concat(before.classes().stream(), classes.values().stream())
                .filter(other -> before.isA(other.name(), bucket) || before.isA(bucket, other.name()))
                .anyMatch(other -> other.ownField(field).isPresent());
    }

    private void updatePermissions(BsonDocument item) {
        ClassSchema known = existing(bucket(item));
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(known.permissions());
        permissions.putAll(Descriptors.parsePermissions(Members.object(item, "acl"), known.embedded()));
        put(known.withPermissions(permissions));
    }

    private void addClass(BsonDocument item) {
        ClassSchema wanted = parse(item);
        if (classes.containsKey(wanted.name())) {
            throw new ApiException(ErrorCode.TYPE_ALREADY_EXISTS, "There is a class " + wanted.ref() + " already");
        }
        create(wanted);
    }

    private void replaceOrCreate(BsonDocument descriptor) {
        ClassSchema wanted = parse(descriptor);
        if (classes.containsKey(wanted.name())) {
            replaceExisting(wanted);
        } else {
            create(wanted);
        }
    }

    /** Permissions that the request leaves out stay; fields that it leaves out go, unless the server itself needs them. */
    private void replaceExisting(ClassSchema wanted) {
        ClassSchema known = existing(wanted.name());
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        requireSameKind(known, wanted);
        if (!known.superClass().equals(wanted.superClass())) {
            throw SchemaRules.incompatible("The super class of " + known.ref() + " cannot be changed");
        }
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(known.permissions());
        permissions.putAll(wanted.permissions());
        put(BuiltInClasses.completed(wanted).withPermissions(permissions));
    }

    private void create(ClassSchema wanted) {
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(wanted.permissions());
        for (ClassOperation operation : ClassOperation.values()) {
            if (operation.isSchemaChange() && wanted.permission(operation).isPublic()) {
                permissions.put(operation, Permission.only(Principal.ADMIN_ROLE));
            }
        }
        created.add(wanted.name());
        put(wanted.withPermissions(permissions));
    }

    private void requireCreation(String name) {
        ClassSchema schema = existing(name);
        Optional<ClassSchema> parent = schema.superClass().flatMap(other -> Optional.ofNullable(classes.get(other)));
        if (parent.isPresent()) {
            parent.get().require(ClassOperation.SCHEMA_SUBCLASS, editor);
        } else {
            requireAdmin("Creating a class without super class");
        }
    }

    /** Leaves out what a super class declares just so: clients repeat such fields, descriptors must not. */
    private ClassSchema withoutInherited(ClassSchema schema) {
        List<FieldSchema> inherited = new ArrayList<>();
        Optional<String> parent = schema.superClass();
        for (int i = 0; i < SchemaRules.MAX_ANCESTORS && parent.isPresent(); i++) {
            ClassSchema ancestor = classes.get(parent.get());
            parent = ancestor == null ? Optional.empty() : ancestor.superClass();
            inherited.addAll(ancestor == null ? List.of() : ancestor.fields());
        }
        return schema.withFields(schema.fields().stream()
                .filter(field -> inherited.stream()
                        .noneMatch(other -> other.name().equals(field.name())
                                && other.type().equals(field.type())))
                .toList());
    }

    private void put(ClassSchema schema) {
        classes.put(schema.name(), schema);
    }

    private ClassSchema parse(BsonDocument descriptor) {
        return Descriptors.parse(descriptor, embedded::contains);
    }

    private void noteEmbedded(BsonDocument item) {
        if (!item.containsKey("class")) {
            return;
        }
        String name = Descriptors.className(item);
        if (!classes.containsKey(name) && Descriptors.isEmbedded(item)) {
            embedded.add(name);
        }
    }

    private ClassSchema existing(String name) {
        ClassSchema schema = classes.get(name);
        if (schema == null) {
            throw new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + Names.shorten(name));
        }
        return schema;
    }

    private void requireAdmin(String what) {
        if (!editor.isAdmin()) {
            throw new ApiException(ErrorCode.PERMISSION_DENIED, what + " takes the admin role");
        }
    }

    private static void requireSameKind(ClassSchema known, ClassSchema wanted) {
        if (known.embedded() != wanted.embedded()) {
            throw SchemaRules.incompatible(
                    known.ref() + " is " + (known.embedded() ? "" : "not ") + "an embedded class");
        }
    }

    private static boolean refersTo(ClassSchema schema, String name) {
        return schema.superClass().filter(name::equals).isPresent()
                || schema.fields().stream()
                        .flatMap(field -> field.type().classTypes())
                        .anyMatch(type -> type.bucket().equals(name));
    }

    private static String bucket(BsonDocument item) {
        return Names.classOf(Members.requiredText(item, "bucket"));
    }

    private static List<BsonDocument> items(BsonValue request) {
        return request.isArray()
                ? request.asArray().stream()
                        .map(item -> Members.asObject(item, "Every element of a schema"))
                        .toList()
                : List.of(Members.asObject(request, "A schema"));
    }
}

package io.orestes.schema.edit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.schema.migration.FieldRename;
import io.orestes.schema.migration.MisfitPolicy;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.NamingRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The editor of one schema change, which checks rules and permissions while it applies operations
 * (protocol §7.3). It checks the schema as a whole at the end. Single use, single thread; the
 * original schema stays unchanged.
 */
public final class SchemaEditor {

    private static final Pattern MIGRATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private final Schema before;
    private final Principal editor;
    private final SchemaDraft draft;
    private final FieldEdits fields;
    private final Set<String> created = new LinkedHashSet<>();

    /** Names of migrations that were carried out earlier, and of those in this change. */
    private final Set<String> migrated;

    private final Set<String> migrations = new LinkedHashSet<>();

    public SchemaEditor(Schema before, Principal editor) {
        this(before, editor, Set.of());
    }

    /** @param migrated names of the completed migrations, which are skipped */
    public SchemaEditor(Schema before, Principal editor, Set<String> migrated) {
        this.before = before;
        this.editor = editor;
        this.migrated = migrated;
        this.draft = new SchemaDraft(before);
        this.fields = new FieldEdits(before, draft, editor);
    }

    /** Applies {@code POST /schema}: a descriptor, an operation, or an array of them. */
    public SchemaEditor merge(BsonValue request) {
        List<BsonDocument> items = items(request);
        items.forEach(draft::registerEmbedded);
        items.forEach(this::mergeItem);
        return this;
    }

    /**
     * Applies {@code PUT /schema}: classes that are not listed are dropped, except for built-in
     * ones.
     */
    public SchemaEditor replaceAll(BsonValue request) {
        requireAdmin("Replacing the schema");
        if (!request.isArray()) {
            // A client that sends one class means that class, and would lose all others.
            throw new ApiException(ErrorCode.BAD_REQUEST, "The whole schema is an array of all classes");
        }
        List<BsonDocument> items = items(request);
        Set<String> listed = new HashSet<>();
        items.forEach(item -> listed.add(ClassDescriptorCodec.className(item)));
        draft.retain(listed);
        items.forEach(draft::registerEmbedded);
        items.forEach(this::replaceOrCreate);
        return this;
    }

    /** Applies {@code PUT /schema/:bucket}. */
    public SchemaEditor replaceClass(BsonDocument descriptor) {
        requireAdmin("Replacing a class");
        draft.registerEmbedded(descriptor);
        replaceOrCreate(descriptor);
        return this;
    }

    /** Applies {@code DELETE /schema/:bucket}. */
    @CanIgnoreReturnValue
    public SchemaEditor delete(String name) {
        requireAdmin("Removing a class");
        ClassSchema removed = draft.existing(name);
        if (BuiltInClasses.contains(name)) {
            throw SchemaRules.incompatible("Built-in classes cannot be removed: " + removed.ref());
        }
        draft.remove(name);
        draft.classes().stream()
                .filter(other -> refersTo(other, name))
                .findFirst()
                .ifPresent(other -> {
                    throw new ApiException(
                            ErrorCode.TYPE_STILL_REFERENCED, "/db/" + name + " is still used by " + other.ref());
                });
        return this;
    }

    /**
     * Returns the changed schema; fails if it contradicts itself or the editor may not create one
     * of its classes.
     */
    public Schema build() {
        created.forEach(this::requireCreation);
        draft.replaceEach(this::withoutInherited);
        Schema after = Schema.of(draft.classes());
        fields.requireSameTypes(after);
        JavaScriptParameterNames.requireNames(before, after);
        return after;
    }

    /** Returns the renamed fields, in order. */
    public List<FieldRename> renames() {
        return fields.renames();
    }

    /** Returns the policy for values that do not fit the new types of their fields. */
    public MisfitPolicy misfits() {
        return fields.misfits();
    }

    /** Returns the names of the migrations in this change. */
    public Set<String> migrations() {
        return Set.copyOf(migrations);
    }

    private void mergeItem(BsonDocument item) {
        Optional<String> operation = JsonObjectReader.text(item, "operation");
        if (operation.isPresent()) {
            operate(operation.get(), item);
        } else {
            mergeClass(item);
        }
    }

    private void operate(String operation, BsonDocument item) {
        switch (operation) {
            case "addField" -> fields.addField(item);
            case "removeField" -> fields.removeField(item);
            case "changeField" -> fields.changeField(item);
            case "updateClassAcl" -> updatePermissions(item);
            case "replaceClass" -> replaceExisting(draft.parse(item));
            case "addClass" -> addClass(item);
            case "removeClass" -> delete(SchemaDraft.bucket(item));
            case "renameField" -> fields.renameField(item);
            case "migrate" -> migrate(item);
            default ->
                throw new ApiException(
                        ErrorCode.BAD_REQUEST, "Unknown schema operation: " + NamingRules.shorten(operation));
        }
    }

    /** Applies a migration, unless it was applied before. */
    private void migrate(BsonDocument item) {
        requireAdmin("A migration");
        String name = JsonObjectReader.requiredText(item, "name");
        if (!MIGRATION.matcher(name).matches()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not the name of a migration: " + NamingRules.shorten(name));
        }
        if (!migrated.contains(name) && migrations.add(name)) {
            List<BsonDocument> changes = items(item.get("changes", new BsonArray()));
            changes.forEach(draft::registerEmbedded);
            changes.forEach(this::mergeItem);
        }
    }

    private void mergeClass(BsonDocument descriptor) {
        ClassSchema wanted = draft.parse(descriptor);
        draft.find(wanted.name()).ifPresentOrElse(known -> mergeInto(known, wanted), () -> create(wanted));
    }

    private void mergeInto(ClassSchema known, ClassSchema wanted) {
        requireSameKind(known, wanted);
        known.require(ClassOperation.SCHEMA_ADD, editor);
        wanted.fields().forEach(field -> fields.addTo(wanted.name(), field));
    }

    private void updatePermissions(BsonDocument item) {
        ClassSchema known = draft.named(item);
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        Map<ClassOperation, Permission> wanted =
                ClassDescriptorCodec.parsePermissions(JsonObjectReader.object(item, "acl"), known.embedded());
        wanted.values().forEach(Permission::requireIds);
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(known.permissions());
        permissions.putAll(wanted);
        draft.put(known.withPermissions(permissions));
    }

    private void addClass(BsonDocument item) {
        ClassSchema wanted = draft.parse(item);
        if (draft.find(wanted.name()).isPresent()) {
            throw new ApiException(ErrorCode.TYPE_ALREADY_EXISTS, "There is a class " + wanted.ref() + " already");
        }
        create(wanted);
    }

    private void replaceOrCreate(BsonDocument descriptor) {
        ClassSchema wanted = draft.parse(descriptor);
        if (draft.find(wanted.name()).isPresent()) {
            replaceExisting(wanted);
        } else {
            create(wanted);
        }
    }

    /**
     * Replaces a class. Omitted permissions stay; omitted fields are removed, unless the server
     * itself needs them.
     */
    private void replaceExisting(ClassSchema wanted) {
        ClassSchema known = draft.existing(wanted.name());
        known.require(ClassOperation.SCHEMA_REPLACE, editor);
        requireSameKind(known, wanted);
        requireTrusted(wanted, known.validationScript());
        if (!known.superClass().equals(wanted.superClass())) {
            throw SchemaRules.incompatible("The super class of " + known.ref() + " cannot be changed");
        }
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(known.permissions());
        permissions.putAll(wanted.permissions());
        draft.put(BuiltInClasses.completed(wanted).withPermissions(permissions));
    }

    private void create(ClassSchema wanted) {
        requireTrusted(wanted, null);
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        permissions.putAll(wanted.permissions());
        for (ClassOperation operation : ClassOperation.values()) {
            if (operation.isSchemaChange() && wanted.permission(operation).isPublic()) {
                permissions.put(operation, Permission.only(Principal.ADMIN_ROLE));
            }
        }
        created.add(wanted.name());
        draft.put(wanted.withPermissions(permissions));
    }

    private void requireCreation(String name) {
        ClassSchema schema = draft.existing(name);
        Optional<ClassSchema> parent = schema.superClass().flatMap(draft::find);
        if (parent.isPresent()) {
            parent.get().require(ClassOperation.SCHEMA_SUBCLASS, editor);
        } else {
            requireAdmin("Creating a class without super class");
        }
        ReservedClassNames.requireAllowed(name);
        if (!editor.isAdmin()) {
            ReservedClassNames.requireAllowedInLaterClients(name);
        }
    }

    /**
     * Requires an admin for changes of validation code. All clients run the code, and do not
     * connect if it is broken.
     */
    private void requireTrusted(ClassSchema wanted, @Nullable String knownScript) {
        if (wanted.validationScript() != null && !wanted.validationScript().equals(knownScript)) {
            requireAdmin("Validation code");
        }
    }

    /**
     * Removes fields that a super class declares equally: clients repeat such fields, descriptors
     * must not.
     */
    private ClassSchema withoutInherited(ClassSchema schema) {
        List<FieldSchema> inherited = new ArrayList<>();
        Optional<String> parent = schema.superClass();
        for (int i = 0; i < SchemaRules.MAX_ANCESTORS && parent.isPresent(); i++) {
            Optional<ClassSchema> ancestor = draft.find(parent.get());
            parent = ancestor.flatMap(ClassSchema::superClass);
            inherited.addAll(ancestor.map(ClassSchema::fields).orElse(List.of()));
        }
        return schema.withFields(schema.fields().stream()
                .filter(field -> inherited.stream()
                        .noneMatch(other -> other.name().equals(field.name())
                                && other.type().equals(field.type())))
                .toList());
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

    private static List<BsonDocument> items(BsonValue request) {
        return request.isArray()
                ? request.asArray().stream()
                        .map(item -> JsonObjectReader.asObject(item, "Every element of a schema"))
                        .toList()
                : List.of(JsonObjectReader.asObject(request, "A schema"));
    }
}

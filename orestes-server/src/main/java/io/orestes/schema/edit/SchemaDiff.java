package io.orestes.schema.edit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.schema.migration.TypeConversion;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldConstraints;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The difference of two schemas as the operations of {@code POST /schema} that lead from one to the
 * other. Operations that add come first, and operations that remove come last. Single use.
 */
public final class SchemaDiff {

    private final Schema from;
    private final Schema to;
    private final List<SchemaStep> steps = new ArrayList<>();

    private SchemaDiff(Schema from, Schema to) {
        this.from = from;
        this.to = to;
    }

    /**
     * Returns the steps from one array of descriptors to another one, which need not contain the
     * built-in classes. A renamed field appears as a removed and an added one. Fails with {@code
     * BAD_REQUEST} or {@code SCHEMA_NOT_COMPATIBLE} if one of them is no schema or no operation
     * leads from one to the other.
     */
    public static List<SchemaStep> between(BsonArray from, BsonArray to) {
        SchemaDiff diff = new SchemaDiff(schema(from), schema(to));
        diff.addClasses();
        diff.to
                .classes()
                .forEach(wanted -> diff.from.find(wanted.name()).ifPresent(known -> diff.change(known, wanted)));
        diff.removeClasses();
        return List.copyOf(diff.steps);
    }

    private static Schema schema(BsonArray descriptors) {
        Schema builtIn = Schema.of(BuiltInClasses.ALL.values());
        return new SchemaEditor(builtIn, Principal.SERVER)
                .replaceAll(descriptors)
                .build();
    }

    private void addClasses() {
        to.classes().stream()
                .filter(wanted -> from.find(wanted.name()).isEmpty())
                .forEach(wanted -> add(ClassDescriptorCodec.print(wanted), true, "add class " + wanted.name()));
    }

    private void change(ClassSchema known, ClassSchema wanted) {
        if (known.embedded() != wanted.embedded() || !known.superClass().equals(wanted.superClass())) {
            throw SchemaRules.incompatible("No operation changes what " + known.ref() + " is or derives from");
        }
        wanted.fields().stream()
                .filter(field -> known.ownField(field.name()).isEmpty())
                .forEach(field -> addField(wanted, field));
        wanted.fields().forEach(field -> known.ownField(field.name())
                .filter(same -> !ClassDescriptorCodec.print(same).equals(ClassDescriptorCodec.print(field)))
                .ifPresent(same -> changeField(wanted, same, field)));
        known.fields().stream()
                .filter(field -> wanted.ownField(field.name()).isEmpty())
                .forEach(field -> removeField(known, field));
        changeRest(known, wanted);
    }

    private void addField(ClassSchema type, FieldSchema field) {
        add(
                operation("addField", type).append("field", ClassDescriptorCodec.print(field)),
                FieldConstraints.of(field).isEmpty(),
                "add field " + path(type, field) + " (" + field.type().ref() + ")");
    }

    private void changeField(ClassSchema type, FieldSchema known, FieldSchema wanted) {
        boolean isSafe = new TypeConversion(known.type(), wanted.type(), to).isWidening()
                && (FieldConstraints.of(wanted).isEmpty()
                        || FieldConstraints.of(wanted).equals(FieldConstraints.of(known)));
        String what = known.type().equals(wanted.type())
                ? "flags, order or metadata"
                : known.type().ref() + " to " + wanted.type().ref();
        add(
                operation("changeField", type).append("field", ClassDescriptorCodec.print(wanted)),
                isSafe,
                "change field " + path(type, wanted) + " (" + what + ")");
    }

    private void removeField(ClassSchema type, FieldSchema field) {
        add(
                operation("removeField", type).append("name", new BsonString(field.name())),
                false,
                "remove field " + path(type, field));
    }

    /**
     * Adds changes of permissions and metadata, by one operation if other operations change the
     * fields.
     */
    private void changeRest(ClassSchema known, ClassSchema wanted) {
        BsonDocument before = ClassDescriptorCodec.print(known);
        BsonDocument after = ClassDescriptorCodec.print(wanted);
        boolean isRemarked = !wanted.metadata().equals(known.metadata())
                || !wanted.validationCode().equals(known.validationCode());
        if (isRemarked) {
            add(after.append("operation", new BsonString("replaceClass")), true, "change class " + wanted.name());
        } else if (!before.getDocument("acl").equals(after.getDocument("acl"))) {
            add(
                    operation("updateClassAcl", wanted).append("acl", after.getDocument("acl")),
                    true,
                    "change permissions of " + wanted.name());
        }
    }

    /**
     * Removes classes: subclasses before super classes, and referring classes before referenced
     * ones.
     */
    private void removeClasses() {
        List<ClassSchema> removed = from.classes().stream()
                .filter(known -> to.find(known.name()).isEmpty())
                .sorted(Comparator.comparing(this::depth).reversed())
                .toList();
        for (ClassSchema type : removed) {
            type.fields().stream()
                    .filter(field -> field.type()
                            .classTypes()
                            .anyMatch(part -> !part.bucket().equals(type.name())
                                    && to.find(part.bucket()).isEmpty()))
                    .forEach(field -> removeField(type, field));
        }
        removed.forEach(type ->
                add(operation("removeClass", type), false, "remove class " + type.name() + " with its objects"));
    }

    private int depth(ClassSchema type) {
        int depth = 0;
        Optional<ClassSchema> parent = type.superClass().flatMap(from::find);
        while (parent.isPresent()) {
            depth++;
            parent = parent.get().superClass().flatMap(from::find);
        }
        return depth;
    }

    private void add(BsonDocument operation, boolean isSafe, String description) {
        steps.add(new SchemaStep(operation, isSafe, description));
    }

    private static BsonDocument operation(String name, ClassSchema type) {
        return new BsonDocument("operation", new BsonString(name)).append("bucket", new BsonString(type.ref()));
    }

    private static String path(ClassSchema type, FieldSchema field) {
        return type.name() + "." + field.name();
    }

    /**
     * One step.
     *
     * @param operation body of {@code POST /schema}
     * @param isSafe true if no stored object can prevent it or lose values by it
     * @param description for people
     */
    public record SchemaStep(BsonDocument operation, boolean isSafe, String description) {

        /** Parses a stored step; fails with {@code BAD_REQUEST} if it is malformed. */
        public static SchemaStep of(BsonValue written) {
            if (!written.isDocument()) {
                throw new ApiException(ErrorCode.BAD_REQUEST, "Every change is an object");
            }
            BsonDocument operation = written.asDocument();
            String name = JsonObjectReader.text(operation, "operation").orElse("add class");
            String target = JsonObjectReader.text(operation, "bucket")
                    .or(() -> JsonObjectReader.text(operation, "class"))
                    .orElse("");
            String details = Map.of("renameField", " " + text(operation, "from") + " to " + text(operation, "to"))
                    .getOrDefault(name, "");
            return new SchemaStep(operation, !operation.containsKey("operation"), name + " " + target + details);
        }

        private static String text(BsonDocument operation, String member) {
            return JsonObjectReader.text(operation, member).orElse("?");
        }
    }
}

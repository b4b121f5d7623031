package io.orestes.schema.codec;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldConstraints;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.ClassType;
import io.orestes.schema.type.CollectionType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The validator of stored objects against the {@link FieldConstraints} of a schema. Immutable;
 * classes without any cost a look-up.
 */
public final class ObjectValidator {

    private final Map<String, List<Check>> checks = new HashMap<>();

    public ObjectValidator(Schema schema) {
        Set<String> concerned = concerned(schema);
        schema.classes().stream()
                .filter(type -> concerned.contains(type.name()))
                .forEach(type -> checks.put(
                        type.name(), schema.fields(type).stream().map(Check::of).toList()));
    }

    /**
     * Fails with {@code INVALID_TYPE_VALUE}, naming the path, at the first value that violates a
     * constraint.
     */
    public void require(ClassSchema type, BsonDocument stored) {
        require(type.name(), stored, "");
    }

    /** Creates a failure that names the offending path, also for programs. */
    public static ApiException invalid(String path, String message) {
        return new ApiException(ErrorCode.INVALID_TYPE_VALUE, message)
                .withData(new BsonDocument("path", new BsonString(NamingRules.shorten(path))));
    }

    /** Returns the classes that have constraints, also inside of embedded objects. */
    private static Set<String> concerned(Schema schema) {
        return schema.holders(schema.classes().stream()
                .filter(type -> schema.fields(type).stream()
                        .anyMatch(field -> !FieldConstraints.of(field).isEmpty()))
                .map(ClassSchema::name)
                .collect(Collectors.toSet()));
    }

    private void require(String bucket, BsonDocument stored, String parent) {
        for (Check check : checks.getOrDefault(bucket, List.of())) {
            BsonValue value = stored.get(check.field.name(), BsonNull.VALUE);
            require(check, typed(check.field.type(), value), parent + check.field.name());
        }
    }

    private void require(Check check, BsonValue value, String path) {
        refuse(check.constraints.violation(value), path);
        FieldType type = check.field.type();
        if (type instanceof CollectionType.MapOf map && value.isDocument()) {
            value.asDocument()
                    .forEach((key, element) -> requireElement(check, map.element(), element, path + "." + key));
        } else if (type instanceof CollectionType many && value.isArray()) {
            BsonArray elements = value.asArray();
            for (int i = 0; i < elements.size(); i++) {
                requireElement(check, many.element(), elements.get(i), path + "." + i);
            }
        } else {
            requireElement(check, type, value, path);
        }
    }

    private void requireElement(Check check, FieldType type, BsonValue value, String path) {
        if (!value.isNull()) {
            refuse(check.constraints.violationOfElement(value), path);
        }
        if (type instanceof ClassType.Embedded embedded && value.isDocument()) {
            require(embedded.bucket(), value.asDocument(), path + ".");
        }
    }

    /**
     * Returns a value of the current type; a value from before a change of the schema reads as
     * {@code null}.
     */
    private static BsonValue typed(FieldType type, BsonValue value) {
        return type.isOf(value) ? value : BsonNull.VALUE;
    }

    private static void refuse(Optional<String> violation, String path) {
        violation.ifPresent(wrong -> {
            throw invalid(
                    path,
                    "Object is not valid: the value of " + NamingRules.shorten(path) + " "
                            + NamingRules.shorten(wrong));
        });
    }

    private record Check(FieldSchema field, FieldConstraints constraints) {

        static Check of(FieldSchema field) {
            return new Check(field, FieldConstraints.of(field));
        }
    }
}

package io.orestes.schema.codec;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldConstraints;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
        check.constraints.violation(value).ifPresent(wrong -> refuse(wrong, path));
        check.field.type().forEachElement(value, (step, element) -> requireElement(check, element, path + step));
    }

    private void requireElement(Check check, BsonValue value, String path) {
        if (!value.isNull()) {
            check.constraints.violationOfElement(value).ifPresent(wrong -> refuse(wrong, path));
        }
        if (value.isDocument()) {
            Optional<String> embedded = check.field.type().elementType().embeddedClass();
            embedded.ifPresent(bucket -> require(bucket, value.asDocument(), path + "."));
        }
    }

    /**
     * Returns a value of the current type; a value from before a change of the schema reads as
     * {@code null}.
     */
    private static BsonValue typed(FieldType type, BsonValue value) {
        return type.isOf(value) ? value : BsonNull.VALUE;
    }

    private static void refuse(String violation, String path) {
        throw invalid(
                path,
                "Object is not valid: the value of " + NamingRules.shorten(path) + " "
                        + NamingRules.shorten(violation));
    }

    private record Check(FieldSchema field, FieldConstraints constraints) {

        static Check of(FieldSchema field) {
            return new Check(field, FieldConstraints.of(field));
        }
    }
}

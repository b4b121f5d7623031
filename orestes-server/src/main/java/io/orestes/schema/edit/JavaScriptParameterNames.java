package io.orestes.schema.edit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.NamingRules;
import java.util.Optional;
import java.util.Set;

/**
 * The check that field names can be parameter names of the JavaScript validation code (protocol
 * §15.4). The fields of a class are the parameters of the function that contains its code. If one
 * of the names is invalid, clients cannot create the function, and do not connect.
 */
final class JavaScriptParameterNames {

    /**
     * Words that cannot be names in any kind of code (ECMA-262 §12.7.2); {@code package} and others
     * are refused in strict code only.
     */
    private static final Set<String> RESERVED = Set.of(
            "break",
            "case",
            "catch",
            "class",
            "const",
            "continue",
            "debugger",
            "default",
            "delete",
            "do",
            "else",
            "enum",
            "export",
            "extends",
            "false",
            "finally",
            "for",
            "function",
            "if",
            "import",
            "in",
            "instanceof",
            "new",
            "null",
            "return",
            "super",
            "switch",
            "this",
            "throw",
            "true",
            "try",
            "typeof",
            "var",
            "void",
            "while",
            "with");

    private JavaScriptParameterNames() {}

    /**
     * Fails with {@code BAD_REQUEST} if a change leads to a class with code and a field, its own or
     * inherited, that cannot be a parameter.
     */
    static void requireNames(Schema before, Schema after) {
        after.classes().forEach(type -> unusable(after, type).ifPresent(field -> {
            // An earlier invalid name must not block other changes.
            if (before.find(type.name())
                    .flatMap(known -> unusable(before, known))
                    .isEmpty()) {
                throw new ApiException(
                        ErrorCode.BAD_REQUEST,
                        type.ref() + " has validationCode and a field " + NamingRules.shorten(field)
                                + ", which cannot be the name of a parameter in JavaScript; no client could connect");
            }
        }));
    }

    private static Optional<String> unusable(Schema schema, ClassSchema type) {
        return type.validationCode().flatMap(code -> schema.fields(type).stream()
                .map(FieldSchema::name)
                .filter(name -> !isName(name))
                .findFirst());
    }

    private static boolean isName(String field) {
        return !RESERVED.contains(field)
                && Character.isUnicodeIdentifierStart(field.codePointAt(0))
                && field.codePoints().allMatch(Character::isUnicodeIdentifierPart)
                && field.codePoints().noneMatch(Character::isIdentifierIgnorable);
    }
}

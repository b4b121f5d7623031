package io.orestes.schema.type;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The parser of type refs such as {@code /db/collection.List[/db/String]} to field types.
 * Collections do not nest, so the parser does not recurse into them.
 */
public final class TypeParser {

    private static final String DB = "/db/";
    private static final String COLLECTION = DB + "collection.";

    private final Predicate<String> isEmbedded;

    public TypeParser(Predicate<String> isEmbedded) {
        this.isEmbedded = isEmbedded;
    }

    public Optional<FieldType> parse(String ref) {
        return ref.startsWith(COLLECTION) ? collection(ref.substring(COLLECTION.length())) : single(ref);
    }

    private Optional<FieldType> collection(String text) {
        int open = text.indexOf('[');
        if (open < 0 || !text.endsWith("]")) {
            return Optional.empty();
        }
        String arguments = text.substring(open + 1, text.length() - 1);
        return switch (text.substring(0, open)) {
            case "List" -> single(arguments).map(CollectionType.ListOf::new);
            case "Set" -> single(arguments).filter(FieldType::isKey).map(CollectionType.SetOf::new);
            case "Map" -> map(arguments);
            default -> Optional.empty();
        };
    }

    private Optional<FieldType> map(String arguments) {
        int comma = arguments.indexOf(',');
        if (comma < 0) {
            return Optional.empty();
        }
        return single(arguments.substring(0, comma).strip())
                .filter(FieldType::isKey)
                .flatMap(key -> single(arguments.substring(comma + 1).strip())
                        .map(element -> new CollectionType.MapOf(key, element)));
    }

    private Optional<FieldType> single(String ref) {
        if (!ref.startsWith(DB)) {
            return Optional.empty();
        }
        String name = ref.substring(DB.length());
        return BasicType.named(name).map(FieldType.class::cast).or(() -> classNamed(name));
    }

    private Optional<FieldType> classNamed(String name) {
        return Optional.of(name)
                .filter(NamingRules::isClassName)
                .map(known -> isEmbedded.test(known)
                        ? new ClassFieldType.Embedded(known)
                        : new ClassFieldType.Reference(known));
    }
}

package io.orestes.read.translation;

import com.google.common.collect.Lists;
import com.google.common.collect.Sets;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The stored variants of a query's literals, in which unset fields of embedded objects may be
 * missing. An embedded object has the fields that its class had when it was written. So a field
 * that is null in a literal may be missing there, and to MongoDB these are two different objects.
 * Used by one thread.
 */
final class LiteralVariants {

    private static final int MAX_UNSET_FIELDS = 6;

    /** Maximum number of variants of one literal. */
    private static final int MAX_VARIANTS = 1 << MAX_UNSET_FIELDS;

    /** Maximum number of values in all variants of all literals of a query. */
    private static final int MAX_VALUES = 20_000;

    private final Schema schema;
    private long values;

    LiteralVariants(Schema schema) {
        this.schema = schema;
    }

    /**
     * Returns the variants of a value; the first is the current form. Any unset field may be
     * missing. If those are too many variants, only fields at the end may be missing, where a class
     * gets new ones. If these are too many as well, none may.
     */
    List<BsonValue> of(FieldType type, BsonValue today) {
        if (isExhausted() || 2 * size(today) > MAX_VALUES) {
            return List.of(today);
        }
        List<BsonValue> forms = Stream.of(MissingFields.values())
                .map(missing -> forms(type, today, missing))
                .filter(some -> !some.isEmpty())
                .findFirst()
                .orElse(List.of(today));
        if (forms.size() > 1) {
            values += forms.size() * size(today);
        }
        return isExhausted() ? List.of(today) : forms;
    }

    /**
     * Returns whether all variants together exceed the maximum; from then on every literal has the
     * current form only.
     */
    boolean isExhausted() {
        return values > MAX_VALUES;
    }

    private static long size(BsonValue value) {
        return 1 + members(value).stream().mapToLong(LiteralVariants::size).sum();
    }

    private static Collection<BsonValue> members(BsonValue value) {
        if (value.isDocument()) {
            return value.asDocument().values();
        }
        return value.isArray() ? value.asArray() : List.of();
    }

    /** Returns the variants; none if they are too many. */
    private List<BsonValue> forms(FieldType type, BsonValue value, MissingFields missing) {
        if (value.isArray()) {
            FieldType element = type.elementType();
            return combined(value.asArray().stream().map(each -> forms(element, each, missing))).stream()
                    .<BsonValue>map(BsonArray::new)
                    .toList();
        }
        if (value.isDocument() && type.kind() == TypeKind.MAP) {
            return objects(value.asDocument(), key -> type.elementType(), missing, List.of(Set.of()));
        }
        return type.embeddedClass()
                .filter(bucket -> value.isDocument())
                .map(bucket -> ofClass(schema.get(bucket), value.asDocument(), missing))
                .orElse(List.of(value));
    }

    private List<BsonValue> ofClass(ClassSchema type, BsonDocument value, MissingFields missing) {
        Map<String, FieldType> types = new LinkedHashMap<>();
        schema.fields(type).forEach(field -> types.put(field.name(), field.type()));
        return types.keySet().equals(value.keySet())
                ? objects(value, types::get, missing, missing.from(value))
                : List.of(value);
    }

    /** @param lacks sets of fields that an object may lack, beginning with the empty set */
    private List<BsonValue> objects(
            BsonDocument whole,
            Function<String, FieldType> types,
            MissingFields missing,
            Collection<Set<String>> lacks) {
        List<String> names = List.copyOf(whole.keySet());
        List<List<BsonValue>> members = combined(whole.entrySet().stream()
                .map(member -> forms(types.apply(member.getKey()), member.getValue(), missing)));
        long ways = (long) lacks.size() * members.size();
        return ways > MAX_VARIANTS || ways * whole.size() > MAX_VALUES
                ? List.of()
                : lacks.stream()
                        .flatMap(lack -> members.stream().<BsonValue>map(some -> object(names, some, lack)))
                        .toList();
    }

    private static BsonDocument object(List<String> names, List<BsonValue> members, Set<String> lack) {
        BsonDocument object = new BsonDocument(names.size());
        for (int i = 0; i < names.size(); i++) {
            if (!lack.contains(names.get(i))) {
                object.append(names.get(i), members.get(i));
            }
        }
        return object;
    }

    /** Returns all combinations of one element of each; none if these are too many. */
    private static List<List<BsonValue>> combined(Stream<List<BsonValue>> choices) {
        List<List<BsonValue>> all = choices.toList();
        long ways = 1;
        for (List<BsonValue> some : all) {
            ways = Math.min(MAX_VARIANTS + 1, ways * some.size());
        }
        // Each combination has all members.
        return ways > MAX_VARIANTS || ways * all.size() > MAX_VALUES ? List.of() : Lists.cartesianProduct(all);
    }

    /** The unset fields that an object may have been stored without. */
    private enum MissingFields {

        /**
         * Any of them: servers that add fields concurrently may each add one in the middle of the
         * other's fields.
         */
        ANYWHERE {
            @Override
            Collection<Set<String>> from(BsonDocument whole) {
                Set<String> unset = whole.keySet().stream()
                        .filter(whole::isNull)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                return unset.size() > MAX_UNSET_FIELDS ? List.of() : Sets.powerSet(unset);
            }
        },

        AT_THE_END {
            @Override
            Collection<Set<String>> from(BsonDocument whole) {
                List<String> names = new ArrayList<>(whole.keySet());
                Collections.reverse(names);
                long unset = names.stream().takeWhile(whole::isNull).count();
                return unset >= MAX_VARIANTS
                        ? List.of()
                        : IntStream.rangeClosed(0, (int) unset)
                                .<Set<String>>mapToObj(last -> Set.copyOf(names.subList(0, last)))
                                .toList();
            }
        };

        /** Returns the sets of missing fields, the empty set first; empty if they are too many. */
        abstract Collection<Set<String>> from(BsonDocument whole);
    }
}

package io.orestes.update;

import io.orestes.json.WireDates;
import io.orestes.schema.BasicType;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.CollectionType;
import io.orestes.schema.FieldType;
import io.orestes.schema.ObjectCodec;
import io.orestes.update.Operation.Change;
import io.orestes.update.Operation.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Reads partial updates of objects of one class, by one schema. */
public final class UpdateParser {

    private static final int MOST_OPERATIONS = 1_000;
    private static final Pattern ELEMENT = Pattern.compile("(.+)\\.(0|[1-9]\\d{0,8})", Pattern.DOTALL);

    private final ObjectCodec codec;
    private final Places places;

    public UpdateParser(ObjectCodec codec, ClassSchema type) {
        this.codec = codec;
        this.places = new Places(codec.schema(), type);
    }

    /**
     * The update that one or several texts {@code {"<operator>": {"<path>": <value>, …}, …}} stand for; operations are done in
     * that order. Fails with {@code BAD_REQUEST}, and with {@code INVALID_TYPE_VALUE} if a value does not fit the field at its
     * path.
     */
    public ObjectUpdate parse(List<BsonDocument> bodies) {
        List<Operation> operations = new ArrayList<>();
        bodies.forEach(body -> body.forEach((name, paths) -> {
            if (!paths.isDocument() || operations.size() + paths.asDocument().size() > MOST_OPERATIONS) {
                throw Refusals.unprocessable();
            }
            // also where there is nothing to do
            Operator operator = operator(name, paths.asDocument());
            paths.asDocument().forEach((path, value) -> operations.add(operation(operator, path, value)));
        }));
        return new ObjectUpdate(operations);
    }

    private static Operator operator(String name, BsonDocument paths) {
        return Operator.named(name)
                .orElseThrow(() ->
                        paths.isEmpty() ? Refusals.unsupported(name) : Refusals.unsupported(name, paths.getFirstKey()));
    }

    private Operation operation(Operator operator, String path, BsonValue value) {
        if (operator == Operator.RENAME) {
            return move(path, value);
        }
        if (operator == Operator.REPLACE) {
            return replacement(path, value);
        }
        Place place = places.find(operator, path);
        return new Change(operator.wireName(), place, change(operator, place, value));
    }

    private Operation move(String path, BsonValue target) {
        if (!target.isString()) {
            throw Refusals.unprocessable();
        }
        Place from = places.find(Operator.RENAME, path);
        Place to = places.find(Operator.RENAME, target.asString().getValue());
        if (!from.type().equals(to.type())) {
            throw Refusals.unsupported(Operator.RENAME.wireName(), path);
        }
        return new Move(from, to);
    }

    private Operation replacement(String path, BsonValue value) {
        Matcher parts = ELEMENT.matcher(path);
        if (!parts.matches()) {
            throw Refusals.unsupported(Operator.REPLACE.wireName(), path);
        }
        Place list = places.find(Operator.REPLACE, parts.group(1), path);
        ValueChange change = new ValueChange.Element(Integer.parseInt(parts.group(2)), element(list, value));
        return new Change(Operator.REPLACE.wireName(), list, change);
    }

    private ValueChange change(Operator operator, Place place, BsonValue value) {
        return switch (operator) {
            case SET -> new ValueChange.Assignment(assigned(place, value));
            case INC -> arithmetic(place, value, Math::addExact, Double::sum);
            case DEC -> arithmetic(place, value, Math::subtractExact, (left, right) -> left - right);
            case MUL -> arithmetic(place, value, Math::multiplyExact, (left, right) -> left * right);
            case MIN -> new ValueChange.Limit(bound(place, value), false);
            case MAX -> new ValueChange.Limit(bound(place, value), true);
            case AND -> new ValueChange.Bits(mask(place, value), (left, right) -> left & right);
            case OR -> new ValueChange.Bits(mask(place, value), (left, right) -> left | right);
            case XOR -> new ValueChange.Bits(mask(place, value), (left, right) -> left ^ right);
            case PUSH -> new ValueChange.Insertion(element(place, value), true);
            case UNSHIFT -> new ValueChange.Insertion(element(place, value), false);
            case POP -> drop(value, true);
            case SHIFT -> drop(value, false);
            case ADD -> new ValueChange.Addition(element(place, value), equalTo(place, value));
            case REMOVE -> removal(place, value);
            case PUT -> entries(place, value);
            case CURRENT_DATE -> now(place, value);
            case REPLACE, RENAME -> throw new IllegalArgumentException("takes more than a value");
        };
    }

    /** Permissions have errors of their own, which the store finds. */
    private BsonValue assigned(Place place, BsonValue value) {
        return place.type()
                .filter(type -> !place.isAcl())
                .map(type -> codec.decodeValue(type, value, place.path()))
                .orElse(value);
    }

    private ValueChange arithmetic(
            Place place, BsonValue value, LongBinaryOperator exact, DoubleBinaryOperator rounded) {
        BsonNumber operand = number(place, value);
        BsonNumber unset = isOf(BasicType.DOUBLE, place) ? new BsonDouble(0) : new BsonInt64(0);
        return new ValueChange.Arithmetic(operand, unset, isOf(BasicType.INTEGER, place), exact, rounded);
    }

    /** As it was sent: a fraction can be the factor of an integer. */
    private BsonNumber number(Place place, BsonValue value) {
        BsonValue checked = codec.decodeValue(BasicType.DOUBLE, value, place.path());
        return (isOf(BasicType.DOUBLE, place) ? given(checked) : given(value)).asNumber();
    }

    private BsonNumber bound(Place place, BsonValue value) {
        BsonNumber number = number(place, value);
        return place.type()
                .map(type -> codec.decodeValue(type, number, place.path()).asNumber())
                .orElse(number);
    }

    private long mask(Place place, BsonValue value) {
        return given(codec.decodeValue(BasicType.INTEGER, value, place.path()))
                .asInt64()
                .getValue();
    }

    private BsonValue element(Place place, BsonValue value) {
        return elementType(place)
                .map(type -> codec.decodeValue(type, value, place.path()))
                .orElse(value);
    }

    /** Equal is what clients cannot tell apart. */
    private Predicate<BsonValue> equalTo(Place place, BsonValue value) {
        Optional<FieldType> type = elementType(place);
        if (type.isEmpty()) {
            return value::equals;
        }
        BsonValue wanted = codec.encodeValue(type.get(), element(place, value));
        return stored -> wanted.equals(codec.encodeValue(type.get(), stored));
    }

    private ValueChange removal(Place place, BsonValue value) {
        return place.type().orElse(BasicType.JSON_ARRAY) instanceof CollectionType.MapOf map
                ? new ValueChange.EntryRemoval(codec.decodeKey(map, given(value), place.path()))
                : new ValueChange.Removal(equalTo(place, value));
    }

    private ValueChange entries(Place place, BsonValue value) {
        if (!value.isDocument()) {
            throw Refusals.unprocessable();
        }
        if (!(place.type().orElse(BasicType.JSON_OBJECT) instanceof CollectionType.MapOf map)) {
            return new ValueChange.Entries(value.asDocument(), true);
        }
        BsonDocument entries = codec.decodeValue(map, value, place.path()).asDocument();
        for (Map.Entry<String, BsonValue> entry : value.asDocument().entrySet()) {
            if (entry.getValue().isNull()) {
                String key = codec.decodeKey(map, new BsonString(entry.getKey()), place.path());
                entries.put(key, BsonNull.VALUE);
            }
        }
        return new ValueChange.Entries(entries, false);
    }

    private ValueChange now(Place place, BsonValue value) {
        requireNull(value);
        FieldType type = place.type().orElseThrow();
        return new ValueChange.Now(at -> codec.decodeValue(type, new BsonString(WireDates.dateTime(at)), place.path()));
    }

    private static ValueChange drop(BsonValue value, boolean atEnd) {
        requireNull(value);
        return new ValueChange.Drop(atEnd);
    }

    private static void requireNull(BsonValue value) {
        if (!value.isNull()) {
            throw Refusals.unprocessable();
        }
    }

    private static BsonValue given(BsonValue value) {
        if (value.isNull()) {
            throw Refusals.unprocessable();
        }
        return value;
    }

    private static boolean isOf(BasicType type, Place place) {
        return place.type().filter(type::equals).isPresent();
    }

    private static Optional<FieldType> elementType(Place place) {
        return place.type()
                .filter(CollectionType.class::isInstance)
                .map(CollectionType.class::cast)
                .map(CollectionType::element);
    }
}

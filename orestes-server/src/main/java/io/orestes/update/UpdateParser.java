package io.orestes.update;

import io.orestes.json.WireDates;
import io.orestes.schema.codec.ObjectCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import io.orestes.update.FieldOperation.FieldChange;
import io.orestes.update.FieldOperation.FieldTransfer;
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

/** The parser of partial updates for one class under one schema. */
public final class UpdateParser {

    private static final int MAX_OPERATIONS = 1_000;
    private static final Pattern ELEMENT = Pattern.compile("(.+)\\.(0|[1-9]\\d{0,8})", Pattern.DOTALL);

    private final ObjectCodec codec;
    private final UpdatePathResolver updatePathResolver;

    public UpdateParser(ObjectCodec codec, ClassSchema type) {
        this.codec = codec;
        this.updatePathResolver = new UpdatePathResolver(codec.schema(), type);
    }

    /**
     * Parses one or several bodies {@code {"<operator>": {"<path>": <value>, …}, …}} to one update,
     * whose operations are applied in that order. Fails with {@code BAD_REQUEST}, and with {@code
     * INVALID_TYPE_VALUE} if a value does not fit the field at its path.
     */
    public PartialUpdate parse(List<BsonDocument> bodies) {
        List<FieldOperation> operations = new ArrayList<>();
        bodies.forEach(body -> body.forEach((name, paths) -> {
            if (!paths.isDocument() || operations.size() + paths.asDocument().size() > MAX_OPERATIONS) {
                throw UpdateErrors.unprocessable();
            }
            // checks the name also where there are no paths
            UpdateOperator updateOperator = operator(name, paths.asDocument());
            paths.asDocument().forEach((path, value) -> operations.add(operation(updateOperator, path, value)));
        }));
        return new PartialUpdate(operations);
    }

    private static UpdateOperator operator(String name, BsonDocument paths) {
        return UpdateOperator.named(name)
                .orElseThrow(() -> paths.isEmpty()
                        ? UpdateErrors.unsupported(name)
                        : UpdateErrors.unsupported(name, paths.getFirstKey()));
    }

    private FieldOperation operation(UpdateOperator updateOperator, String path, BsonValue value) {
        if (updateOperator == UpdateOperator.RENAME) {
            return move(path, value);
        }
        if (updateOperator == UpdateOperator.REPLACE) {
            return replacement(path, value);
        }
        UpdatePath updatePath = updatePathResolver.find(updateOperator, path);
        return new FieldChange(updateOperator.wireName(), updatePath, change(updateOperator, updatePath, value));
    }

    private FieldOperation move(String path, BsonValue target) {
        if (!target.isString()) {
            throw UpdateErrors.unprocessable();
        }
        UpdatePath from = updatePathResolver.find(UpdateOperator.RENAME, path);
        UpdatePath to =
                updatePathResolver.find(UpdateOperator.RENAME, target.asString().getValue());
        if (!from.type().equals(to.type())) {
            throw UpdateErrors.unsupported(UpdateOperator.RENAME.wireName(), path);
        }
        return new FieldTransfer(from, to);
    }

    private FieldOperation replacement(String path, BsonValue value) {
        Matcher parts = ELEMENT.matcher(path);
        if (!parts.matches()) {
            throw UpdateErrors.unsupported(UpdateOperator.REPLACE.wireName(), path);
        }
        UpdatePath list = updatePathResolver.find(UpdateOperator.REPLACE, parts.group(1), path);
        ValueChange change = new ValueChange.ElementReplacement(Integer.parseInt(parts.group(2)), element(list, value));
        return new FieldChange(UpdateOperator.REPLACE.wireName(), list, change);
    }

    private ValueChange change(UpdateOperator updateOperator, UpdatePath updatePath, BsonValue value) {
        return switch (updateOperator) {
            case SET -> new ValueChange.Assignment(assigned(updatePath, value));
            case INC -> arithmetic(updatePath, value, Math::addExact, Double::sum);
            case DEC -> arithmetic(updatePath, value, Math::subtractExact, (left, right) -> left - right);
            case MUL -> arithmetic(updatePath, value, Math::multiplyExact, (left, right) -> left * right);
            case MIN -> new ValueChange.ExtremumChange(bound(updatePath, value), false);
            case MAX -> new ValueChange.ExtremumChange(bound(updatePath, value), true);
            case AND -> new ValueChange.BitwiseChange(mask(updatePath, value), (left, right) -> left & right);
            case OR -> new ValueChange.BitwiseChange(mask(updatePath, value), (left, right) -> left | right);
            case XOR -> new ValueChange.BitwiseChange(mask(updatePath, value), (left, right) -> left ^ right);
            case PUSH -> new ValueChange.ListInsertion(element(updatePath, value), true);
            case UNSHIFT -> new ValueChange.ListInsertion(element(updatePath, value), false);
            case POP -> drop(value, true);
            case SHIFT -> drop(value, false);
            case ADD -> new ValueChange.SetAddition(element(updatePath, value), equalTo(updatePath, value));
            case REMOVE -> removal(updatePath, value);
            case PUT -> entries(updatePath, value);
            case CURRENT_DATE -> now(updatePath, value);
            case REPLACE, RENAME -> throw new IllegalArgumentException("takes more than a value");
        };
    }

    /**
     * Decodes an assigned value, except permissions: the store checks them and has errors of their
     * own.
     */
    private BsonValue assigned(UpdatePath updatePath, BsonValue value) {
        return updatePath
                .type()
                .filter(type -> !updatePath.isAcl())
                .map(type -> codec.decodeValue(type, value, updatePath.path()))
                .orElse(value);
    }

    private ValueChange arithmetic(
            UpdatePath updatePath, BsonValue value, LongBinaryOperator exact, DoubleBinaryOperator rounded) {
        BsonNumber operand = number(updatePath, value);
        BsonNumber unset = isOf(BasicType.DOUBLE, updatePath) ? new BsonDouble(0) : new BsonInt64(0);
        return new ValueChange.ArithmeticChange(operand, unset, isOf(BasicType.INTEGER, updatePath), exact, rounded);
    }

    /** Returns a number as it was sent: a fraction can be the factor of an integer. */
    private BsonNumber number(UpdatePath updatePath, BsonValue value) {
        BsonValue checked = codec.decodeValue(BasicType.DOUBLE, value, updatePath.path());
        return (isOf(BasicType.DOUBLE, updatePath) ? given(checked) : given(value)).asNumber();
    }

    private BsonNumber bound(UpdatePath updatePath, BsonValue value) {
        BsonNumber number = number(updatePath, value);
        return updatePath
                .type()
                .map(type -> codec.decodeValue(type, number, updatePath.path()).asNumber())
                .orElse(number);
    }

    private long mask(UpdatePath updatePath, BsonValue value) {
        return given(codec.decodeValue(BasicType.INTEGER, value, updatePath.path()))
                .asInt64()
                .getValue();
    }

    private BsonValue element(UpdatePath updatePath, BsonValue value) {
        return elementType(updatePath)
                .map(type -> codec.decodeValue(type, value, updatePath.path()))
                .orElse(value);
    }

    /** Returns a test of elements for equality, by their encoded form that clients see. */
    private Predicate<BsonValue> equalTo(UpdatePath updatePath, BsonValue value) {
        return elementType(updatePath)
                .map(type -> equalTo(type, element(updatePath, value)))
                .orElse(value::equals);
    }

    private Predicate<BsonValue> equalTo(FieldType type, BsonValue element) {
        BsonValue wanted = codec.encodeValue(type, element);
        return stored -> wanted.equals(codec.encodeValue(type, stored));
    }

    private ValueChange removal(UpdatePath updatePath, BsonValue value) {
        return updatePath
                .type()
                .flatMap(FieldType::keyType)
                .<ValueChange>map(
                        key -> new ValueChange.EntryRemoval(codec.decodeKey(key, given(value), updatePath.path())))
                .orElseGet(() -> new ValueChange.ElementRemoval(equalTo(updatePath, value)));
    }

    private ValueChange entries(UpdatePath updatePath, BsonValue value) {
        if (!value.isDocument()) {
            throw UpdateErrors.unprocessable();
        }
        return updatePath
                .type()
                .flatMap(type -> type.keyType().map(keyType -> entries(updatePath, type, keyType, value)))
                .orElseGet(() -> new ValueChange.MapPut(value.asDocument(), true));
    }

    private ValueChange entries(UpdatePath updatePath, FieldType type, FieldType keyType, BsonValue value) {
        BsonDocument entries = codec.decodeValue(type, value, updatePath.path()).asDocument();
        for (Map.Entry<String, BsonValue> entry : value.asDocument().entrySet()) {
            if (entry.getValue().isNull()) {
                String key = codec.decodeKey(keyType, new BsonString(entry.getKey()), updatePath.path());
                entries.put(key, BsonNull.VALUE);
            }
        }
        return new ValueChange.MapPut(entries, false);
    }

    private ValueChange now(UpdatePath updatePath, BsonValue value) {
        requireNull(value);
        FieldType type = updatePath.type().orElseThrow();
        return new ValueChange.CurrentTimeChange(
                at -> codec.decodeValue(type, new BsonString(WireDates.dateTime(at)), updatePath.path()));
    }

    private static ValueChange drop(BsonValue value, boolean atEnd) {
        requireNull(value);
        return new ValueChange.ListPop(atEnd);
    }

    private static void requireNull(BsonValue value) {
        if (!value.isNull()) {
            throw UpdateErrors.unprocessable();
        }
    }

    private static BsonValue given(BsonValue value) {
        if (value.isNull()) {
            throw UpdateErrors.unprocessable();
        }
        return value;
    }

    private static boolean isOf(BasicType type, UpdatePath updatePath) {
        return updatePath.type().filter(type::equals).isPresent();
    }

    private static Optional<FieldType> elementType(UpdatePath updatePath) {
        return updatePath.type().filter(type -> type.kind().isCollection()).map(FieldType::elementType);
    }
}

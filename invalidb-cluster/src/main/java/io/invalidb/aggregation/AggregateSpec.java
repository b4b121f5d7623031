package io.invalidb.aggregation;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.expression.ExpressionPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The specification of an aggregate, as in MongoDB's stage {@code $group}: a grouping key and
 * computed fields. The field {@code _id} is the grouping key. Every other field is computed for
 * each group by {@code $count}, {@code $sum}, {@code $avg}, {@code $min} or {@code $max}.
 * Immutable. Specifications are equal if their texts are.
 */
public final class AggregateSpec {

    /** Field of a row that identifies its group. */
    public static final String ID = "_id";

    private final GroupKey key;
    private final Map<String, AccumulatorSpec> fields;

    AggregateSpec(GroupKey key, Map<String, AccumulatorSpec> fields) {
        this.key = key;
        this.fields = new LinkedHashMap<>(fields);
    }

    /**
     * Parses the operand of a {@code $group}.
     *
     * @throws QuerySyntaxException if it is malformed or there are too many fields
     * @throws QueryNotSupportedException if it uses another operator, or anything but fields as
     *     keys or operands
     */
    public static AggregateSpec parse(BsonDocument operand) {
        return GroupStageParser.parse(operand);
    }

    /**
     * Returns the contribution of an object.
     *
     * @throws BudgetExceededException if the object is too expensive to read
     */
    Contribution contribution(BsonDocument document) {
        return contribution(new ExpressionPath.Values(document));
    }

    /** Returns the contribution of a document's values. */
    Contribution contribution(ExpressionPath.Values found) {
        List<BsonValue> values = new ArrayList<>(fields.size());
        fields.values().forEach(accumulatorSpec -> values.add(accumulatorSpec.extract(found)));
        return new Contribution(key.of(found), values);
    }

    /** Creates a group without members. */
    AggregateGroup group(BsonValue key, Function<AccumulatorSpec, FieldAccumulator> tallying) {
        Map<String, FieldAccumulator> tallies = new LinkedHashMap<>();
        fields.forEach((name, accumulatorSpec) -> tallies.put(name, tallying.apply(accumulatorSpec)));
        return new AggregateGroup(key, tallies);
    }

    /**
     * Returns a row in which every value of a field is converted.
     *
     * @param form receives the path of the field and the value
     */
    public BsonDocument withFieldValues(BsonDocument row, BiFunction<String, BsonValue, BsonValue> form) {
        BsonDocument formed = new BsonDocument();
        row.forEach((name, value) -> formed.append(name, withFieldValues(name, value, form)));
        return formed;
    }

    private BsonValue withFieldValues(String name, BsonValue value, BiFunction<String, BsonValue, BsonValue> form) {
        AccumulatorSpec accumulatorSpec = fields.get(name);
        return accumulatorSpec == null
                ? key.withFieldValues(value, form)
                : accumulatorSpec
                        .resultPath()
                        .map(path -> form.apply(path, value))
                        .orElse(value);
    }

    /** Returns the form that can be parsed again; a count is written as the sum of ones. */
    public BsonDocument toBson() {
        BsonDocument operand = new BsonDocument(ID, key.toBson());
        fields.forEach((name, accumulatorSpec) -> operand.append(name, accumulatorSpec.toBson()));
        return operand;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AggregateSpec that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return toBson().toJson();
    }
}

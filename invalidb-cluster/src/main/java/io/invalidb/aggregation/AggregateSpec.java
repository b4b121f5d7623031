package io.invalidb.aggregation;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.ExpressionPath;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
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
 * Immutable. Specifications are equal if they are written alike.
 */
public final class AggregateSpec {

    /** The field of a row that names its group. */
    public static final String ID = "_id";

    private final GroupKey key;
    private final Map<String, AccumulatorSpec> fields;

    AggregateSpec(GroupKey key, Map<String, AccumulatorSpec> fields) {
        this.key = key;
        this.fields = new LinkedHashMap<>(fields);
    }

    /**
     * Reads the operand of a {@code $group}.
     *
     * @throws QuerySyntaxException if it is malformed or there are too many fields
     * @throws QueryNotSupportedException if it uses another operator, or groups by or computes with
     *     anything but fields
     */
    public static AggregateSpec parse(BsonDocument aggregateGroup) {
        return AggregateParser.parse(aggregateGroup);
    }

    /**
     * What an object brings in.
     *
     * @throws BudgetExceededException if there is too much to look at
     */
    Contribution contribution(BsonDocument document) {
        return contribution(new ExpressionPath.Values(document));
    }

    /** The same for the values of a document. */
    Contribution contribution(ExpressionPath.Values found) {
        List<BsonValue> values = new ArrayList<>(fields.size());
        fields.values().forEach(accumulatorSpec -> values.add(accumulatorSpec.take(found)));
        return new Contribution(key.of(found), values);
    }

    /** A group without members. */
    AggregateGroup group(BsonValue groupKey, Function<AccumulatorSpec, GroupAccumulator> tallying) {
        Map<String, GroupAccumulator> tallies = new LinkedHashMap<>();
        fields.forEach((name, accumulatorSpec) -> tallies.put(name, tallying.apply(accumulatorSpec)));
        return new AggregateGroup(groupKey, tallies);
    }

    /**
     * A row with every value that was taken from a field in another form.
     *
     * @param form gets the path of the field and the value
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

    /** As it can be read again; a count is written as the sum of ones that it is. */
    public BsonDocument toBson() {
        BsonDocument aggregateGroup = new BsonDocument(ID, key.toBson());
        fields.forEach((name, accumulatorSpec) -> aggregateGroup.append(name, accumulatorSpec.toBson()));
        return aggregateGroup;
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

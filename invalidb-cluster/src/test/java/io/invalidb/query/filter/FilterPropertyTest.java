package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.RandomBson;
import io.invalidb.query.value.BsonOrder;
import io.orestes.support.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of all filters and documents; the seed names the case. */
final class FilterPropertyTest {

    private static final int DOCUMENTS = 50;

    static LongStream seeds() {
        return Scope.seeds(400);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void normalForm_parsed_isEqualAndMatchesTheSame(long seed) {
        RandomBson random = new RandomBson(seed);
        Filter filter = Filter.parse(random.filter());

        Filter again = Filter.parse(filter.normalForm());

        assertThat(again).isEqualTo(filter).hasSameHashCodeAs(filter);
        documents(random).forEach(document -> assertThat(again.matches(document))
                .as("%s on %s", filter, document)
                .isEqualTo(filter.matches(document)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void matches_agreesWithTheOracle(long seed) {
        RandomBson random = new RandomBson(seed);
        BsonDocument given = random.filter();
        Filter filter = Filter.parse(given);

        documents(random).forEach(document -> assertThat(filter.matches(document))
                .as("%s on %s", given, document)
                .isEqualTo(FilterOracle.matches(given, document)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void normalForm_ofShuffledFilter_isTheSame(long seed) {
        BsonDocument given = new RandomBson(seed).filter();

        Filter shuffled = Filter.parse(shuffled(given, new Random(seed)));

        assertThat(shuffled).isEqualTo(Filter.parse(given));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void constraints_holdForEveryMatchingDocument(long seed) {
        RandomBson random = new RandomBson(seed);
        Filter filter = Filter.parse(random.filter());

        documents(random).filter(filter::matches).forEach(document -> assertThat(SortedLookups.of(filter))
                .as("%s on %s", filter, document)
                .allMatch(constraint -> satisfies(document, constraint)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void and_matchesWhatBothMatch(long seed) {
        RandomBson random = new RandomBson(seed);
        Filter one = Filter.parse(random.filter());
        Filter other = Filter.parse(random.filter());

        Filter both = one.and(other);

        assertThat(both).isEqualTo(other.and(one)).isEqualTo(Filter.parse(both.normalForm()));
        documents(random).forEach(document -> assertThat(both.matches(document))
                .isEqualTo(one.matches(document) && other.matches(document)));
    }

    private static Stream<BsonDocument> documents(RandomBson random) {
        return Stream.generate(random::document).limit(DOCUMENTS);
    }

    /**
     * Shuffles the joined conditions only: fields of values and elements of other arrays keep their
     * order.
     */
    private static BsonDocument shuffled(BsonDocument filter, Random random) {
        List<Map.Entry<String, BsonValue>> parts = new ArrayList<>(filter.entrySet());
        Collections.shuffle(parts, random);
        BsonDocument shuffled = new BsonDocument();
        parts.forEach(part -> shuffled.put(part.getKey(), shuffledClauses(part.getKey(), part.getValue(), random)));
        return shuffled;
    }

    private static BsonValue shuffledClauses(String name, BsonValue value, Random random) {
        return switch (name) {
            case "$and", "$or", "$nor" ->
                new BsonArray(shuffled(value.asArray(), random).stream()
                        .map(clause -> shuffled(clause.asDocument(), random))
                        .toList());
            default -> value instanceof BsonDocument operators ? shuffledOperators(operators, random) : value;
        };
    }

    private static BsonDocument shuffledOperators(BsonDocument operators, Random random) {
        BsonDocument shuffled = new BsonDocument();
        operators.forEach((name, operand) -> shuffled.put(
                name,
                List.of("$in", "$nin", "$all").contains(name)
                        ? new BsonArray(shuffled(operand.asArray(), random))
                        : operand));
        return shuffled;
    }

    private static List<BsonValue> shuffled(BsonArray array, Random random) {
        List<BsonValue> shuffled = new ArrayList<>(array);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static boolean satisfies(BsonDocument document, PathConstraint constraint) {
        return FieldPath.parse(constraint.path()).values(document).stream()
                .filter(value -> !value.isArray())
                .anyMatch(value -> accepts(constraint, value));
    }

    private static boolean accepts(PathConstraint constraint, BsonValue value) {
        return constraint.accept(new ConstraintTest(value));
    }

    /** Tests a value by the constraints that {@link SortedLookups} returns. */
    private record ConstraintTest(BsonValue value) implements PathConstraintVisitor.WithDefault<Boolean> {

        @Override
        public Boolean visitOneOf(PathConstraint.OneOf oneOf) {
            return oneOf.anyOf().stream().anyMatch(any -> BsonOrder.INSTANCE.compare(any, value) == 0);
        }

        @Override
        public Boolean visitRange(PathConstraint.Range range) {
            return BsonOrder.sameBracket(range.bound(), value)
                    && (range.lower() == null || BsonOrder.INSTANCE.compare(range.lower(), value) <= 0)
                    && (range.upper() == null || BsonOrder.INSTANCE.compare(value, range.upper()) <= 0);
        }

        @Override
        public Boolean visitConstraint(PathConstraint constraint) {
            throw new AssertionError("Not a sorted lookup: " + constraint);
        }
    }
}

package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.RandomPlaces;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.StoredGeometry;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every document that a filter matches satisfies its necessary condition; the index's test shows it
 * for values other than positions.
 */
final class NecessaryConditionTest {

    private static final int FILTERS = 30;

    private static final int PLACES = 60;

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void area_ofPlacesThatMatch_holdsThem(long seed) {
        RandomPlaces random = new RandomPlaces(seed);
        List<BsonValue> places = Stream.generate(random::place).limit(PLACES).toList();
        IntStream.range(0, FILTERS).forEach(i -> {
            Filter filter = Filter.parse(random.filter("a"));
            PathConstraint.Area area = (PathConstraint.Area) filter.necessaryCondition();

            assertThat(places)
                    .as("%s in %s", filter, area)
                    .filteredOn(place -> filter.matches(new BsonDocument("a", place)))
                    .allMatch(place -> isIn(area, place));
        });
    }

    private static boolean isIn(PathConstraint.Area area, BsonValue place) {
        return FieldPath.parse("a").values(new BsonDocument("a", place)).stream()
                .anyMatch(value -> isPlaceIn(area, value)
                        || new StoredGeometry.Bounds().of(value).stream().anyMatch(bound -> touches(area, bound)));
    }

    private static boolean isPlaceIn(PathConstraint.Area area, BsonValue value) {
        return GeoPosition.stored(value)
                .filter(place -> !place.isFinite() || touches(area, GeoBox.at(place)))
                .isPresent();
    }

    private static boolean touches(PathConstraint.Area area, GeoBox bound) {
        return area.boxes().stream().anyMatch(bound::intersects);
    }
}

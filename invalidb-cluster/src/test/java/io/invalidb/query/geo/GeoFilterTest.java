package io.invalidb.query.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Geo operators; the differential tests show that they agree with MongoDB on all kinds of
 * positions.
 */
final class GeoFilterTest {

    private static final String SQUARE =
            "{$geometry: {type: 'Polygon', coordinates: [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "[1, 1] ~ true",
                "[0, 0] ~ true",
                "[5, 1] ~ false",
                "{longitude: 1, latitude: 1} ~ true",
                "{type: 'Point', coordinates: [1, 1]} ~ true",
                "{type: 'Point', coordinates: [200, 1]} ~ false",
                "[[9, 9], [1, 1]] ~ true",
                "{x: 'a', y: 1} ~ false",
                "null ~ false"
            })
    void geoWithin_polygon_findsPlacesInAllSpellings(String place, boolean expected) {
        Filter filter = parse("{a: {$geoWithin: " + SQUARE + "}}");

        assertThat(filter.matches(BsonDocument.parse("{a: " + place + "}"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "LineString ~ [[1, 1], [2, 2]] ~ true ~ true",
                "LineString ~ [[1, 1], [9, 9]] ~ false ~ true",
                "LineString ~ [[-9, 2], [9, 2]] ~ false ~ true",
                "LineString ~ [[1, 1], [9, 9], [1, 1]] ~ false ~ true",
                "LineString ~ [[5, 5], [9, 9]] ~ false ~ false",
                "MultiPoint ~ [[1, 1], [2, 2]] ~ true ~ true",
                "MultiPoint ~ [[1, 1], [9, 9]] ~ false ~ true",
                "MultiLineString ~ [[[1, 1], [2, 2]], [[8, 8], [9, 9]]] ~ false ~ true",
                "Polygon ~ [[[1, 1], [2, 1], [1, 2], [1, 1]]] ~ true ~ true",
                "Polygon ~ [[[-9, -9], [9, -9], [9, 9], [-9, 9], [-9, -9]]] ~ false ~ true",
                "Polygon ~ [[[1, 1], [2, 1], [1, 2]]] ~ false ~ false",
                "Polygon ~ [[[1, 1], [2, 2], [2, 1], [1, 2], [1, 1]]] ~ false ~ false",
                "MultiPolygon ~ [[[[1, 1], [2, 1], [1, 2], [1, 1]]], [[[7, 7], [8, 7], [7, 8], [7, 7]]]]"
                        + " ~ false ~ true",
                "LineString ~ [[1, 1], [200, 2]] ~ false ~ false"
            })
    void geometry_stored_isFoundWhereItLies(String type, String coordinates, boolean within, boolean intersecting) {
        BsonDocument document = BsonDocument.parse("{a: {type: '%s', coordinates: %s}}".formatted(type, coordinates));

        assertThat(parse("{a: {$geoWithin: " + SQUARE + "}}").matches(document)).isEqualTo(within);
        assertThat(parse("{a: {$geoIntersects: " + SQUARE + "}}").matches(document))
                .isEqualTo(intersecting);
        assertThat(parse("{a: {$geoWithin: {$box: [[-50, -50], [50, 50]]}}}").matches(document))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: {$geoWithin: {$box: [[0, 0]]}}}",
                "{a: {$geoWithin: {$box: [[0, 0], ['x', 1]]}}}",
                "{a: {$geoWithin: {$center: [[0, 0], -1]}}}",
                "{a: {$geoWithin: {$center: [[0, {$numberDouble: 'NaN'}], 1]}}}",
                "{a: {$geoWithin: {$centerSphere: [[0, 91], 1]}}}",
                "{a: {$geoWithin: {$polygon: [[0, 0], [1, 1]]}}}",
                "{a: {$geoWithin: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}",
                "{a: {$geoWithin: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [1, 1], [1, 0], [0, 1]]]}}}}",
                "{a: {$geoWithin: {$geometry: {type: 'Polygon',"
                        + " coordinates: [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}}}}",
                "{a: {$geoWithin: {$sphere: 1}}}",
                "{a: {$geoIntersects: {$box: [[0, 0], [1, 1]]}}}",
                "{a: {$near: {$geometry: {type: 'Polygon', coordinates: []}}}}",
                "{a: {$near: [0, 0], $maxDistance: -1}}",
                "{a: {$maxDistance: 1}}",
                "{a: {$not: {$near: [0, 0]}}}",
                "{$or: [{a: {$near: [0, 0]}}, {b: 1}]}",
                "{a: {$near: [0, 0]}, b: {$near: [0, 0]}}"
            })
    void parse_malformed_isSyntaxError(String filter) {
        assertThatThrownBy(() -> parse(filter)).isInstanceOf(QuerySyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$polygon", "$geometry"})
    void parse_hundredThousandCorners_isNotSupported(String shape) {
        BsonArray corners = new BsonArray();
        IntStream.range(0, 100_000).forEach(i -> corners.add(place(i % 180, i % 90)));
        BsonDocument geometry = new BsonDocument("type", new BsonString("Polygon"))
                .append("coordinates", new BsonArray(List.of(corners)));
        BsonDocument region = new BsonDocument(shape, shape.equals("$geometry") ? geometry : corners);

        assertThatThrownBy(() -> Filter.parse(new BsonDocument("a", new BsonDocument("$geoWithin", region))))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @Test
    void parse_otherReferenceSystem_isNotSupported() {
        String strict = "{type: 'name', properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}";

        assertThatThrownBy(() -> parse("{a: {$geoWithin: {$geometry: {type: 'Polygon', crs: " + strict
                        + ", coordinates: [[[0, 0], [1, 1], [1, 0], [0, 0]]]}}}}"))
                .isInstanceOf(QueryNotSupportedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: {$geoWithin: " + SQUARE + "}}",
                "{a: {$not: {$geoWithin: {$box: [[3, 0], [0, 3]]}}}}",
                "{a: {$within: {$center: [{x: 1, y: 2}, 3]}}}",
                "{a: {$geoWithin: {$centerSphere: [[1, 2], 0.5]}}}",
                "{a: {$geoIntersects: {$geometry: {type: 'MultiPoint', coordinates: [[1.5, 2]]}}}}",
                "{a: {$near: [1, 2], $maxDistance: 3, $minDistance: 0}}",
                "{a: {$nearSphere: {$geometry: {type: 'Point', coordinates: [1, 2]}, $minDistance: 3}}, b: 1}"
            })
    void normalForm_parsed_isEqual(String filter) {
        Filter once = parse(filter);

        assertThat(Filter.parse(once.normalForm())).isEqualTo(once).hasSameHashCodeAs(once);
    }

    @Test
    void order_ofNear_putsTheNearestFirst() {
        Filter filter = parse("{a: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]}, $minDistance: 1}}}");
        List<BsonDocument> places = new ArrayList<>();
        IntStream.of(30, -10, 0, 20)
                .forEach(x -> places.add(new BsonDocument("_id", new BsonInt32(x)).append("a", place(x, 0))));

        places.removeIf(place -> !filter.matches(place));
        places.sort(SortOrder.nearest(filter).orElseThrow());

        assertThat(places).extracting(place -> place.getInt32("_id").getValue()).containsExactly(-10, 20, 30);
    }

    @Test
    void order_ofNearGeometries_measuresTheirNearestParts() {
        Filter filter = parse("{a: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}");
        List<BsonDocument> geometries = new ArrayList<>(List.of(
                geometry(3, "LineString", "[[-20, 5], [20, 5]]"),
                geometry(2, "MultiPoint", "[[80, 3], [3, 0]]"),
                geometry(1, "Polygon", "[[[-9, -9], [9, -9], [9, 9], [-9, 9], [-9, -9]]]")));

        geometries.sort(SortOrder.nearest(filter).orElseThrow());

        assertThat(geometries).allMatch(filter::matches);
        assertThat(geometries)
                .extracting(place -> place.getInt32("_id").getValue())
                .containsExactly(1, 2, 3);
    }

    @Test
    void matches_nearThatOnlySomeValuesCanBeMeasuredFor_exceedsTheBudgetLikeSortingWould() {
        Filter filter = parse("{a: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}");
        BsonArray line = new BsonArray();
        IntStream.range(0, 20_000).forEach(i -> line.add(place(i % 180, i % 90)));
        BsonDocument large = new BsonDocument("type", new BsonString("LineString")).append("coordinates", line);
        BsonDocument document = new BsonDocument("a", new BsonArray(List.of(place(0, 0), large)));

        assertThatThrownBy(() -> filter.matches(document)).isInstanceOf(BudgetExceededException.class);
    }

    private static BsonDocument geometry(int id, String type, String coordinates) {
        return BsonDocument.parse("{_id: %d, a: {type: '%s', coordinates: %s}}".formatted(id, type, coordinates));
    }

    private static BsonArray place(int x, int y) {
        return new BsonArray(List.of(new BsonInt32(x), new BsonInt32(y)));
    }

    private static Filter parse(String filter) {
        return Filter.parse(BsonDocument.parse(filter));
    }
}

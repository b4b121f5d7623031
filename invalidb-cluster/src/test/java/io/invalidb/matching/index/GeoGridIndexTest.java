package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.geo.GeoBox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class GeoGridIndexTest {

    private final GeoGridIndex areas = new GeoGridIndex();
    private final List<IndexedFilter> found = new ArrayList<>();

    @Test
    void findOverlapping_boxesOnFewSquares_findsWhatTheyTouchOnly() {
        IndexedFilter near = enter(new GeoBox(1, 1, 2, 2));
        IndexedFilter far = enter(new GeoBox(100, 50, 101, 51));

        areas.findOverlapping(
                List.of(new GeoBox(0, 0, 3, 3), new GeoBox(-9, -9, -8, -8)),
                this::note,
                new PeriodicStepBudget().openShared(1));

        assertThat(found).contains(near).doesNotContain(far);
    }

    @Test
    void findOverlapping_thousandsOfLargeBoxes_goesThroughTheAreasOnce() {
        List<IndexedFilter> entered = Stream.generate(() -> enter(new GeoBox(1, 1, 1.01, 1.01)))
                .limit(50)
                .toList();

        areas.findOverlapping(
                Collections.nCopies(5_000, new GeoBox(-90, -45, 90, 45)),
                this::note,
                new PeriodicStepBudget().openShared(1));

        assertThat(found).containsAll(entered).hasSizeLessThanOrEqualTo(4 * entered.size());
    }

    @Test
    void hashCode_squaresThatARecordWouldConfuse_areToldApart() {
        List<GeoGridIndex.GridSquare> alike = LongStream.range(0, 4_096)
                .mapToObj(i -> new GeoGridIndex.GridSquare(0, i, 31 * (4_096 - i)))
                .toList();

        assertThat(alike.stream().map(GeoGridIndex.GridSquare::hashCode).distinct())
                .hasSizeGreaterThan(4_000);
    }

    private void note(CandidateBag candidateBag) {
        candidateBag.forEach(found::add);
    }

    private IndexedFilter enter(GeoBox box) {
        IndexedFilter indexedFilter = new CellQuery(new QuerySpec("q", "Place", Filter.ALL), Map.of());
        indexedFilter.setRegistration(areas.add(box, indexedFilter));
        return indexedFilter;
    }
}

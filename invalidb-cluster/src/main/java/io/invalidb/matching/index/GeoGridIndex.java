package io.invalidb.matching.index;

import io.invalidb.query.StepBudget;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.value.SeededHash;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A hierarchical grid index of candidate filters by rectangle, searched by points and by
 * rectangles. A search may also find some candidates beside the point or rectangle. A rectangle is
 * entered in the cells it touches, at most four, of a grid of squares somewhat larger than itself.
 * A point is looked up in one cell of each grid in use. On the sphere the grid lies over degrees.
 * Single-threaded.
 */
final class GeoGridIndex {

    /** Exponent of the smallest grid: the side of its squares is two to this power. */
    private static final int MIN_GRID_LEVEL = -30;

    private static final double MAX_COORDINATE = 0x1p62;

    /** Maximum number of squares to look up in one grid for one document. */
    private static final double MAX_SQUARES = 1_000;

    private final CandidateMultimap<GridSquare> cells = new CandidateMultimap<>();
    private final TreeMap<Integer, Integer> rectanglesByGrid = new TreeMap<>();

    /**
     * A square of one grid level, counted from the origin. The length of its side is two to the
     * power of {@code grid}.
     */
    record GridSquare(int grid, long x, long y) {

        /** Mixes the hash, since that of a record would be equal for many squares in a row. */
        @Override
        public int hashCode() {
            return (int) SeededHash.of(x, y) + grid;
        }

        static GridSquare at(int grid, double x, double y) {
            return new GridSquare(grid, index(grid, x), index(grid, y));
        }

        static double countOn(int grid, GeoBox box) {
            GridSquare first = at(grid, box.west(), box.south());
            GridSquare last = at(grid, box.east(), box.north());
            return (1.0 + last.x - first.x) * (1.0 + last.y - first.y);
        }

        static void forEachOn(int grid, GeoBox box, Consumer<GridSquare> action) {
            GridSquare first = at(grid, box.west(), box.south());
            GridSquare last = at(grid, box.east(), box.north());
            for (long x = first.x; x <= last.x; x++) {
                for (long y = first.y; y <= last.y; y++) {
                    action.accept(new GridSquare(grid, x, y));
                }
            }
        }

        /**
         * Returns the index of a coordinate. It is monotonic, even beyond the range of exact
         * integers.
         */
        private static long index(int grid, double coordinate) {
            return (long)
                    Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, Math.floor(Math.scalb(coordinate, -grid))));
        }
    }

    CandidateRegistration add(GeoBox box, IndexedFilter indexedFilter) {
        int grid = Math.max(
                MIN_GRID_LEVEL, 1 + Math.getExponent(Math.max(box.east() - box.west(), box.north() - box.south())));
        List<CandidateRegistration> registrations = new ArrayList<>(4);
        GridSquare.forEachOn(grid, box, cell -> registrations.add(cells.add(cell, indexedFilter)));
        rectanglesByGrid.merge(grid, 1, Integer::sum);
        registrations.add(
                () -> rectanglesByGrid.computeIfPresent(grid, (same, count) -> count == 1 ? null : count - 1));
        return CandidateRegistration.CompositeRegistration.of(registrations);
    }

    /**
     * Passes on the candidates of each square that contains the position. Infinite positions are
     * left to the filters.
     */
    void findAround(GeoPosition position, Consumer<CandidateBag> action) {
        if (position.isFinite()) {
            rectanglesByGrid
                    .keySet()
                    .forEach(grid -> cells.find(GridSquare.at(grid, position.x(), position.y()), action));
        } else {
            cells.forEachBag(action);
        }
    }

    /**
     * Passes on the candidates that touch the boxes. If these cover many squares of a grid, it
     * passes on all candidates.
     */
    void findOverlapping(List<GeoBox> boxes, Consumer<CandidateBag> action, StepBudget stepBudget) {
        if (boxes.size() <= MAX_SQUARES
                && rectanglesByGrid.keySet().stream().allMatch(grid -> areFew(countOn(grid, boxes), stepBudget))) {
            boxes.forEach(box -> findOverlapping(box, action));
        } else {
            cells.forEachBag(action);
        }
    }

    /** Returns whether the squares are few enough to look up, and charges the look-ups. */
    private static boolean areFew(double squares, StepBudget stepBudget) {
        stepBudget.spend((long) Math.min(squares, MAX_SQUARES));
        return squares <= MAX_SQUARES;
    }

    private static double countOn(int grid, List<GeoBox> boxes) {
        return boxes.stream().mapToDouble(box -> GridSquare.countOn(grid, box)).sum();
    }

    private void findOverlapping(GeoBox box, Consumer<CandidateBag> action) {
        rectanglesByGrid.keySet().forEach(grid -> GridSquare.forEachOn(grid, box, cell -> cells.find(cell, action)));
    }

    /** Passes on the candidates of all rectangles. */
    void forEach(Consumer<IndexedFilter> action) {
        cells.forEach(action);
    }

    boolean isEmpty() {
        return cells.isEmpty();
    }
}

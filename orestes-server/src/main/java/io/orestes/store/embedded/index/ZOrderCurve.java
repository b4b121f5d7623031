package io.orestes.store.embedded.index;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.StoredGeometry;
import io.orestes.store.embedded.database.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonValue;

/**
 * The encoding of positions and rectangles as index keys along a Z-order curve. Longitude and
 * latitude are cut into 2<sup>32</sup> parts each and their bits interleaved (G. M. Morton, "A
 * computer oriented geodetic data base", 1966). So all positions in one cell of a grid have one
 * prefix. A position is its number. A rectangle is the cells that it touches in the finest of a few
 * grids whose cells are no smaller than it. Coordinates beyond those of the earth count as the
 * nearest valid ones.
 */
public final class ZOrderCurve {

    private static final byte NOWHERE = 0;
    private static final byte ANYWHERE = 1;
    private static final byte CELL = 2;
    private static final byte PLACE = 0x40;

    private static final int BITS = 32;
    private static final int GRID_STEP = 4;
    private static final int FINEST_GRID = 16;

    /**
     * Number of halvings of the cells that a search reads, from the first grid whose cells are no
     * smaller than its rectangle.
     */
    private static final int PLACE_DETAIL = 3;

    private static final int CELL_DETAIL = 1;

    /** Maximum number of rectangles of one search; more are joined. */
    private static final int MAX_BOXES = 16;

    private ZOrderCurve() {}

    /**
     * Returns the keys of the values at a path, at least one.
     *
     * @throws io.invalidb.query.BudgetExceededException if a geometry takes too long to read
     */
    static Set<byte[]> of(List<BsonValue> values) {
        Set<byte[]> parts = new TreeSet<>(Arrays::compareUnsigned);
        StoredGeometry.Bounds geometries = new StoredGeometry.Bounds();
        for (BsonValue value : values) {
            Optional<GeoPosition> place = GeoPosition.stored(value);
            if (place.isPresent()) {
                parts.add(of(place.get()));
            } else {
                geometries.of(value).forEach(bound -> addCells(CurveBox.of(bound), parts));
            }
        }
        return parts.isEmpty() ? nowhere() : parts;
    }

    private static Set<byte[]> nowhere() {
        Set<byte[]> parts = new TreeSet<>(Arrays::compareUnsigned);
        parts.add(bytes(NOWHERE, 0));
        return parts;
    }

    private static byte[] of(GeoPosition place) {
        return place.isFinite() ? bytes(PLACE, morton(x(place.x()), y(place.y()))) : bytes(ANYWHERE, 0);
    }

    private static void addCells(CurveBox box, Set<byte[]> parts) {
        int grid = Math.min(FINEST_GRID, box.grid() / GRID_STEP * GRID_STEP);
        box.cover(grid, (from, to) -> parts.add(bytes((byte) (CELL + grid), from)));
    }

    /**
     * Returns the entries that start with {@code prefix} and may belong to a geometry in one of the
     * rectangles.
     */
    public static List<KeyRange> touching(byte[] prefix, List<GeoBox> boxes) {
        List<KeyRange> ranges = new ArrayList<>();
        ranges.add(KeyRange.prefix(Bytes.concat(prefix, bytes(ANYWHERE, 0))));
        List<CurveBox> few = boxes.size() > MAX_BOXES
                ? List.of(boxes.stream()
                        .map(CurveBox::of)
                        .reduce(CurveBox::around)
                        .orElseThrow())
                : boxes.stream().map(CurveBox::of).toList();
        for (int grid = 0; grid <= FINEST_GRID; grid += GRID_STEP) {
            add(Bytes.concat(prefix, new byte[] {(byte) (CELL + grid)}), few, grid, CELL_DETAIL, ranges);
        }
        add(Bytes.concat(prefix, new byte[] {PLACE}), few, BITS, PLACE_DETAIL, ranges);
        return ranges;
    }

    private static void add(byte[] prefix, List<CurveBox> boxes, int finest, int detail, List<KeyRange> ranges) {
        for (CurveBox box : boxes) {
            IntervalMerger joined = new IntervalMerger((from, to) -> ranges.add(new KeyRange(
                    Bytes.concat(prefix, Longs.toByteArray(from)),
                    KeyRange.afterPrefix(Bytes.concat(prefix, Longs.toByteArray(to))))));
            box.cover(Math.min(finest, box.grid() + detail), joined);
            joined.end();
        }
    }

    private static byte[] bytes(byte kind, long number) {
        return Bytes.concat(new byte[] {kind}, Longs.toByteArray(number));
    }

    private static long x(double longitude) {
        return part((longitude + 180) / 360);
    }

    private static long y(double latitude) {
        return part((latitude + 90) / 180);
    }

    /** Returns the part of a share; monotonic. */
    private static long part(double share) {
        return (long) Math.max(0, Math.min((1L << BITS) - 1, Math.floor(Math.scalb(share, BITS))));
    }

    private static long morton(long x, long y) {
        return spread(y) << 1 | spread(x);
    }

    /** Returns the 32 bits of a number, each followed by a zero. */
    private static long spread(long number) {
        long spread = number;
        spread = (spread | spread << 16) & 0x0000ffff0000ffffL;
        spread = (spread | spread << 8) & 0x00ff00ff00ff00ffL;
        spread = (spread | spread << 4) & 0x0f0f0f0f0f0f0f0fL;
        spread = (spread | spread << 2) & 0x3333333333333333L;
        return (spread | spread << 1) & 0x5555555555555555L;
    }

    /** A consumer of intervals of the curve, both ends included. */
    private interface IntervalConsumer {
        void add(long from, long to);
    }

    /** A rectangle of positions, borders included. */
    private record CurveBox(long west, long south, long east, long north) {

        static CurveBox of(GeoBox box) {
            return new CurveBox(x(box.west()), y(box.south()), x(box.east()), y(box.north()));
        }

        CurveBox around(CurveBox other) {
            return new CurveBox(
                    Math.min(west, other.west),
                    Math.min(south, other.south),
                    Math.max(east, other.east),
                    Math.max(north, other.north));
        }

        /**
         * Returns the finest grid whose cells are at least as large as the rectangle; there it
         * touches four of them at most.
         */
        int grid() {
            return Long.numberOfLeadingZeros(Math.max(east - west, north - south)) - BITS;
        }

        /**
         * Passes the cells of a grid that the rectangle touches, in order; cells that lie in it are
         * combined where possible.
         */
        void cover(int grid, IntervalConsumer action) {
            cover(0, 0, 0, grid, action);
        }

        private void cover(int depth, long cellX, long cellY, int grid, IntervalConsumer action) {
            long size = 1L << (BITS - depth);
            if (cellX > east || cellY > north || cellX + size <= west || cellY + size <= south) {
                return;
            }
            if (depth == grid || holds(cellX, cellY, size)) {
                action.add(morton(cellX, cellY), morton(cellX + size - 1, cellY + size - 1));
                return;
            }
            long half = size / 2;
            for (int quarter = 0; quarter < 4; quarter++) {
                cover(depth + 1, cellX + (quarter & 1) * half, cellY + (quarter >> 1) * half, grid, action);
            }
        }

        private boolean holds(long cellX, long cellY, long size) {
            return cellX >= west && cellY >= south && cellX + size - 1 <= east && cellY + size - 1 <= north;
        }
    }

    /** A consumer that joins adjacent intervals. */
    private static final class IntervalMerger implements IntervalConsumer {

        private final IntervalConsumer action;
        private long from;
        private long to;
        private boolean hasStretch;

        IntervalMerger(IntervalConsumer action) {
            this.action = action;
        }

        @Override
        public void add(long nextFrom, long nextTo) {
            if (hasStretch && nextFrom == to + 1) {
                to = nextTo;
                return;
            }
            end();
            from = nextFrom;
            to = nextTo;
            hasStretch = true;
        }

        void end() {
            if (hasStretch) {
                action.add(from, to);
            }
        }
    }
}

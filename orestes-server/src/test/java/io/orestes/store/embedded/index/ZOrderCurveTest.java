package io.orestes.store.embedded.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import io.invalidb.query.geo.GeoBox;
import io.orestes.store.embedded.database.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** The parts of an index that are read for a rectangle. */
final class ZOrderCurveTest {

    private static final byte[] PREFIX = {7};

    private final Random random = new Random(3);

    @Test
    void touching_anyRectangle_leadsToEveryPlaceInIt() {
        for (int i = 0; i < 2_000; i++) {
            GeoBox box = box(Math.pow(10, random.nextInt(8) - 5));
            double x = box.west() + random.nextDouble() * (box.east() - box.west());
            double y = box.south() + random.nextDouble() * (box.north() - box.south());

            assertThat(leadsTo(box, pair(x, y))).as("%s at %s %s", box, x, y).isTrue();
            assertThat(leadsTo(box, pair(box.west(), box.north()))).isTrue();
        }
    }

    @Test
    void touching_smallRectangle_leadsToFewOfThePlacesOutside() {
        GeoBox box = new GeoBox(9.9, 53.5, 10.1, 53.6);

        long found = random.doubles(10_000, -10, 10)
                .filter(offset -> leadsTo(box, pair(10 + offset, 53.5 + random.nextDouble() * 4 - 2)))
                .count();

        assertThat(found).isBetween(1L, 30L);
        assertThat(ZOrderCurve.touching(PREFIX, List.of(box))).hasSizeLessThan(60);
    }

    @Test
    void touching_rectangleThatALineCrosses_leadsToIt() {
        BsonValue line = new BsonDocument("type", new BsonString("LineString"))
                .append("coordinates", new BsonArray(List.of(pair(0, 0), pair(20, 1))));

        assertThat(leadsTo(new GeoBox(9, 0, 10, 1), line)).isTrue();
        assertThat(leadsTo(new GeoBox(-60, -50, -59, -49), line)).isFalse();
    }

    @Test
    void touching_placeBeyondTheEarthOrInfinite_isStillFound() {
        assertThat(leadsTo(new GeoBox(400, -3_000, 500, 3_000), pair(450, 2_000)))
                .isTrue();
        assertThat(leadsTo(new GeoBox(0, 0, 1, 1), pair(Double.POSITIVE_INFINITY, 0)))
                .isTrue();
    }

    @Test
    void of_neitherPlaceNorGeometry_hasAnEntryThatNoRectangleLeadsTo() {
        assertThat(ZOrderCurve.of(List.of(new BsonString("here")))).hasSize(1);
        assertThat(leadsTo(new GeoBox(-180, -90, 180, 90), new BsonString("here")))
                .isFalse();
    }

    private GeoBox box(double size) {
        double west = random.nextDouble() * 360 - 180;
        double south = random.nextDouble() * 180 - 90;
        return new GeoBox(west, south, west + random.nextDouble() * size, south + random.nextDouble() * size);
    }

    private static BsonArray pair(double x, double y) {
        return new BsonArray(List.of(new BsonDouble(x), new BsonDouble(y)));
    }

    private static boolean leadsTo(GeoBox box, BsonValue value) {
        Set<byte[]> entries = ZOrderCurve.of(List.of(value));
        return ZOrderCurve.touching(PREFIX, List.of(box)).stream()
                .anyMatch(range -> entries.stream().anyMatch(entry -> holds(range, entry)));
    }

    private static boolean holds(KeyRange range, byte[] entry) {
        byte[] key = Bytes.concat(PREFIX, entry);
        return Arrays.compareUnsigned(key, range.from()) >= 0 && Arrays.compareUnsigned(key, range.to()) < 0;
    }
}

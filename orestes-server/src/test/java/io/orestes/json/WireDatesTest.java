package io.orestes.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireDatesTest {

    @ParameterizedTest
    @CsvSource({
        "2021-03-04T05:06:07.08Z, 2021-03-04T05:06:07.08Z",
        "2021-03-04T05:06:07.000Z, 2021-03-04T05:06:07Z",
        "2021-03-04T05:06:07.120Z, 2021-03-04T05:06:07.12Z",
        "2021-03-04T05:06:07.123456789Z, 2021-03-04T05:06:07.123Z",
        "2021-03-04T05:06Z, 2021-03-04T05:06:00Z",
        "2021-03-04T05:06:07, 2021-03-04T05:06:07Z",
        "2021-03-04, 2021-03-04T00:00:00Z",
        "2021-03-04 05:06:07Z, 2021-03-04T05:06:07Z",
        "2021-03-04t05:06:07z, 2021-03-04T05:06:07Z",
        "2021-03-04T00:30:00+01:00, 2021-03-03T23:30:00Z",
        "2021-03-04T23:30:00-0130, 2021-03-05T01:00:00Z",
        "2021-03-04T05:06:07-00:30, 2021-03-04T05:36:07Z",
        "2021-03-04T05:06:07+02, 2021-03-04T03:06:07Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z",
        "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
        "2020-02-29, 2020-02-29T00:00:00Z"
    })
    void dateTime_anyIsoForm_isPrintedCanonically(String iso, String canonical) {
        assertThat(WireDates.parseDateTime(iso).map(WireDates::dateTime)).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "2021",
                "2021-3-4",
                "2021-02-29",
                "2021-13-01",
                "2021-03-04T24:00:00Z",
                "2021-03-04T05:60:00Z",
                "2021-03-04T05:06:60Z",
                "2021-03-04T05:06:07+19:00",
                "2021-03-04T05:06:07Z ",
                "+12345-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "0000-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00",
                "2021-03-04T05:06:07.Z",
                "2021-03-04T05:06:07.1234567890Z",
                "٢٠٢١-03-04"
            })
    void parseDateTime_whatIsNone_isEmpty(String text) {
        assertThat(WireDates.parseDateTime(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "05:06:07Z, 05:06:07Z",
        "05:06:07.080Z, 05:06:07.08Z",
        "05:06, 05:06:00Z",
        "00:30:00+01:00, 23:30:00Z",
        "2021-03-04T05:06:07.5Z, 05:06:07.5Z",
        "23:59:59.999Z, 23:59:59.999Z"
    })
    void time_anyIsoForm_isPrintedCanonically(String iso, String canonical) {
        assertThat(WireDates.parseTime(iso).map(WireDates::time)).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5:06", "24:00", "05:06:07ZZ", "2021-03-04", "noon"})
    void parseTime_whatIsNone_isEmpty(String text) {
        assertThat(WireDates.parseTime(text)).isEmpty();
    }

    @Test
    void sortableTime_anyTwoTimes_orderAsTheyDo() {
        Random random = new Random(7);

        for (int i = 0; i < 1000; i++) {
            int one = random.nextInt(86_400_000);
            int other = random.nextBoolean() ? one / 1000 * 1000 : random.nextInt(86_400_000);
            assertThat(Integer.signum(WireDates.sortableTime(one).compareTo(WireDates.sortableTime(other))))
                    .isEqualTo(Integer.compare(one, other));
        }
    }

    @Test
    void dateTime_anyInstant_isWhatTheJdkReadsAsThatInstant() {
        Random random = new Random(3);

        for (int i = 0; i < 1000; i++) {
            long instant = random.nextLong(-62_167_219_200_000L, 253_402_300_800_000L);
            assertThat(Instant.parse(WireDates.dateTime(instant)).toEpochMilli())
                    .isEqualTo(instant);
            assertThat(WireDates.parseDateTime(WireDates.dateTime(instant))).contains(instant);
            assertThat(WireDates.dateTime(instant))
                    .startsWith(WireDates.date(instant) + "T")
                    .endsWith(WireDates.time(WireDates.timeOfDay(instant)));
        }
    }
}

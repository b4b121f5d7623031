package io.orestes.read.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ttl.Ttls;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConsistencyTest {

    @ParameterizedTest
    @CsvSource({
        "any, ANY, 2147483647, false",
        "bounded, BOUNDED, 2147483647, false",
        "' Bounded ;\tMAX-AGE=5 ', BOUNDED, 5, false",
        "bounded;max-age=0, BOUNDED, 0, true",
        "FRESH, FRESH, 0, true"
    })
    void parse_aLevel_isRead(String text, Consistency.ConsistencyLevel level, int maxAge, boolean isFresh) {
        Consistency read = Consistency.parse(text).orElseThrow();

        assertThat(read).isEqualTo(new Consistency(level, maxAge));
        assertThat(read.isFresh()).isEqualTo(isFresh);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "strong",
                "any, fresh",
                "any;max-age=1",
                "fresh;max-age=0",
                "bounded;",
                "bounded;max-age",
                "bounded;max-age=-1",
                "bounded;max-age=1.5",
                "bounded;max-age=1234567890",
                "bounded max-age=1",
                "ſresh"
            })
    void parse_anythingElse_isNothing(String text) {
        assertThat(Consistency.parse(text)).isEmpty();
    }

    @Test
    void parse_settingsOfClasses_areReadByName() {
        assertThat(ConsistencyDefaults.parse(" News=any, Stock = bounded; max-age=5 ,Vote=fresh "))
                .contains(new ConsistencyDefaults(Map.of(
                        "News", new Consistency(Consistency.ConsistencyLevel.ANY, Consistency.UNLIMITED),
                        "Stock", new Consistency(Consistency.ConsistencyLevel.BOUNDED, 5),
                        "Vote", Consistency.FRESH)));
        assertThat(ConsistencyDefaults.parse("")).contains(ConsistencyDefaults.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"News", "News=", "=any", "News=any,", "News=any,News=fresh", "News=maybe"})
    void parse_malformedSettingsOfClasses_areNone(String text) {
        assertThat(ConsistencyDefaults.parse(text)).isEmpty();
    }

    @Test
    void limited_byTheLargestAge_shortensBothLives() {
        ConsistencyDefaults consistency =
                ConsistencyDefaults.parse("Stock=bounded;max-age=5").orElseThrow();

        assertThat(consistency.limited("Stock", new Ttls(60, 3_600))).isEqualTo(new Ttls(5, 5));
        assertThat(consistency.limited("Stock", new Ttls(1, 3))).isEqualTo(new Ttls(1, 3));
        assertThat(consistency.limited("News", new Ttls(60, 3_600))).isEqualTo(new Ttls(60, 3_600));
    }
}

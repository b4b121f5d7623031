package io.orestes.live.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventIdTest {

    @Test
    void parse_itsOwnText_isTheSame() {
        EventId settled = new EventId("0123456789abcdef", 42, 0);
        EventId unsettled = new EventId("0123456789abcdef", 42, 7);

        assertThat(EventId.parse(settled.toString())).contains(settled);
        assertThat(EventId.parse(unsettled.toString())).contains(unsettled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "42",
                "0123456789abcdef.",
                "0123456789abcdef.-1",
                "x.1",
                "0123456789abcdef.99999999999999999999"
            })
    void parse_anythingElse_isEmpty(String text) {
        assertThat(EventId.parse(text)).isEmpty();
    }
}

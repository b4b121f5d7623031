package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PurgeTargetTest {

    @Test
    void parse_baseUrl_isHostAndPort() {
        assertThat(PurgeTarget.parse("http://127.0.0.1:8090")).hasValue(new PurgeTarget("127.0.0.1", 8090));
        assertThat(PurgeTarget.parse("http://varnish/")).hasValue(new PurgeTarget("varnish", 80));
        assertThat(PurgeTarget.parse("http://[::1]:8090").orElseThrow().authority())
                .isEqualTo("[::1]:8090");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:8090",
                "https://cache",
                "http://cache/path",
                "http://cache?q",
                "http://cache#f",
                "http://me@cache",
                "http://cache:0",
                "http://cache:70000",
                "http://ca che"
            })
    void parse_anythingElse_isRefused(String text) {
        assertThat(PurgeTarget.parse(text)).isEmpty();
    }
}

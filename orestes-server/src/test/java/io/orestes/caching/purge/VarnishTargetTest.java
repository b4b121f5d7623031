package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VarnishTargetTest {

    @Test
    void parse_baseUrl_isHostAndPort() {
        assertThat(VarnishTarget.parse("http://127.0.0.1:8090")).hasValue(new VarnishTarget("127.0.0.1", 8090));
        assertThat(VarnishTarget.parse("http://varnish/")).hasValue(new VarnishTarget("varnish", 80));
        assertThat(VarnishTarget.parse("http://[::1]:8090").orElseThrow().authority())
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
        assertThat(VarnishTarget.parse(text)).isEmpty();
    }
}

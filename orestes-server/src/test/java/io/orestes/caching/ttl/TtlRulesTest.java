package io.orestes.caching.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TtlRulesTest {

    @Test
    void parse_withoutClass_isForAllOthers() {
        TtlRules rules = parse("off, News = auto").orElseThrow();

        assertThat(rules.of("/db/Todo/a")).isEqualTo(TtlRule.OFF);
        assertThat(rules.of("/file/www/a.html")).isEqualTo(TtlRule.OFF);
        assertThat(rules.of("/db/News/a")).isEqualTo(new TtlRule.EstimatedTtl());
        assertThat(rules.of("/db/Newspaper/a")).isEqualTo(TtlRule.OFF);
    }

    @Test
    void parse_oneDuration_isForAllCaches() {
        assertThat(parse("5m").orElseThrow().standard()).isEqualTo(new TtlRule.FixedTtl(new Ttls(300, 300)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "on", "Log=", "30", "30s/", "30s/1m/2m", "500ms", "0s", "11m", "1m/2h", "auto,,off"})
    void parse_anythingElse_isRefused(String text) {
        assertThat(parse(text)).isEmpty();
    }

    private static Optional<TtlRules> parse(String text) {
        return TtlRules.parse(text, Duration.ofMinutes(10), Duration.ofHours(1));
    }
}

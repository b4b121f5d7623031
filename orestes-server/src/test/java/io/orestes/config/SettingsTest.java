package io.orestes.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void value_flagWinsOverEnvironmentOverDefault() {
        Settings settings = Settings.of(
                List.of("--port", "1", "--host=a"), Map.of("ORESTES_PORT", "2", "ORESTES_CACHING_MAX_TTL", "3s"));

        assertThat(settings.count("port", 9, 0, 10)).isEqualTo(1);
        assertThat(settings.text("host", "b")).isEqualTo("a");
        assertThat(settings.duration("caching.max-ttl", Duration.ZERO)).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.path("data", Path.of("d"))).isEqualTo(Path.of("d"));
        settings.verify();
    }

    @Test
    void flag_withoutValue_isTrue() {
        Settings settings = Settings.of(List.of("--demo", "--port", "1"), Map.of());

        assertThat(settings.flag("demo")).isTrue();
        assertThat(settings.count("port", 9, 0, 10)).isEqualTo(1);
    }

    @Test
    void units_areUnderstood() {
        Settings settings =
                Settings.of(List.of("--a", "250ms", "--b", "2h", "--c", "1mb", "--d", "512", "--e", "2x4"), Map.of());

        assertThat(settings.duration("a", Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
        assertThat(settings.duration("b", Duration.ZERO)).isEqualTo(Duration.ofHours(2));
        assertThat(settings.bytes("c", 0)).isEqualTo(1 << 20);
        assertThat(settings.bytes("d", 0)).isEqualTo(512);
        assertThat(settings.grid("e", new int[] {1, 1}, 8)).containsExactly(2, 4);
    }

    @Test
    void verify_severalMistakes_namesAllOfThem() {
        Settings settings =
                Settings.of(List.of("--port", "many", "--colour", "blue", "loose"), Map.of("ORESTES_LIMIT", "ten"));
        var port = settings.count("port", 8080, 0, 65_535);
        var limit = settings.duration("limit", Duration.ZERO);

        ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, settings::verify);

        assertThat(port).isEqualTo(8080);
        assertThat(limit).isZero();
        assertThat(failure.mistakes()).hasSize(4);
        assertThat(failure.mistakes().toString()).contains("--port", "ORESTES_LIMIT", "--colour", "loose");
    }

    @Test
    void count_outOfRange_isAMistake() {
        Settings settings = Settings.of(List.of("--port", "70000"), Map.of());
        var ignored = settings.count("port", 8080, 0, 65_535);

        assertThat(catchThrowableOfType(ConfigurationException.class, settings::verify))
                .hasMessageContaining("65535");
    }
}

package io.orestes.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.config.EffectiveSetting;
import io.orestes.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The report on the configuration. */
final class SettingsReportTest {

    @Test
    void report_hasEveryKeyThatIsRead_withItsDefault() {
        Settings settings = Settings.of(List.of(), Map.of());

        List<EffectiveSetting> report = ServerConfig.read(settings).settings();

        assertThat(report).extracting(EffectiveSetting::key).containsExactlyInAnyOrderElementsOf(settings.keys());
        assertThat(report).noneMatch(EffectiveSetting::isSet);
        assertThat(report)
                .filteredOn(
                        setting -> !setting.isSecret() && !setting.standard().matches(".*(processors|heap).*"))
                .allSatisfy(setting -> assertThat(setting.value()).isEqualTo(setting.standard()));
    }

    @Test
    void value_given_isReportedWithItsSource() {
        List<EffectiveSetting> report = report(List.of("--port", "0"), Map.of("ORESTES_HTTP_MAX_BODY", "2mb"));

        assertThat(setting(report, "port").value()).isEqualTo("0");
        assertThat(setting(report, "port").source()).isEqualTo(EffectiveSetting.Source.FLAG);
        assertThat(setting(report, "http.max-body").value()).isEqualTo("2mb");
        assertThat(setting(report, "http.max-body").source()).isEqualTo(EffectiveSetting.Source.ENVIRONMENT);
        assertThat(setting(report, "host").source()).isEqualTo(EffectiveSetting.Source.DEFAULT);
    }

    @Test
    void secrets_always_areHiddenButTheirPresenceIsShown() {
        List<EffectiveSetting> report = report(
                List.of("--root-password", "hush-1", "--mongo", "mongodb://ann:hush-2@db:27017/shop?password=hush-3"),
                Map.of(
                        "ORESTES_CACHING_PURGE_SECRET",
                        "hush-4",
                        "ORESTES_CACHING_PURGE_CDN_TOKEN",
                        "hush-5",
                        "ORESTES_CACHING_PURGE_CDN_URL",
                        "https://cdn.example/purge/hush-6?key=a,hush-9",
                        "ORESTES_CACHING_PURGE_TARGETS",
                        "http://ann:hush-7@hush-8@cache:80,http://other:80"));

        assertThat(report.toString()).doesNotContain("hush");
        assertThat(setting(report, "root-password").isSet()).isTrue();
        assertThat(setting(report, "caching.purge.cdn.token").isSecret()).isTrue();
        assertThat(setting(report, "mongo").value()).isEqualTo("MongoDB at db:27017/shop");
        assertThat(setting(report, "caching.purge.targets").value()).isEqualTo("http://…cache:80,http://other:80");
        assertThat(setting(report, "caching.purge.cdn.url").value()).isEqualTo("https://cdn.example/…");
    }

    /** A new key of this kind has to be declared as secret in its description. */
    @Test
    void keys_thatSoundLikeSecrets_areSecret() {
        assertThat(report(List.of(), Map.of()))
                .filteredOn(setting -> setting.key().matches(".*(password|secret|token|credential)"))
                .isNotEmpty()
                .allMatch(EffectiveSetting::isSecret);
    }

    private static List<EffectiveSetting> report(List<String> flags, Map<String, String> environment) {
        return ServerConfig.read(Settings.of(flags, environment)).settings();
    }

    private static EffectiveSetting setting(List<EffectiveSetting> report, String key) {
        return report.stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }
}

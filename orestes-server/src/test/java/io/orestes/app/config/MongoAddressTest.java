package io.orestes.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.config.ConfigurationException;
import io.orestes.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that a MongoDB address may have. */
final class MongoAddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "readPreference=secondaryPreferred | readPreference",
                "readPreference=primaryPreferred | readPreference",
                "readPreference=secondary&readPreferenceTags=dc:a&maxStalenessSeconds=90 | readPreference",
                "readConcernLevel=available | readConcernLevel",
                "w=1 | w",
                "w=0&journal=false | w, journal",
                "readPreference=nearest&readConcernLevel=local&w=2&journal=false "
                        + "| readPreference, readConcernLevel, w, journal",
            })
    void verify_optionsAskForLessThanIsPromised_namesThemAndNoPassword(String options, String named) {
        Settings settings = read("mongodb://ann:hush@db:27017/shop?" + options);

        assertThatThrownBy(settings::verify)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--mongo must not say " + named + ": ")
                .hasMessageNotContaining("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?retryWrites=true&w=majority",
                "?readPreference=primary&readConcernLevel=majority&journal=true&maxPoolSize=5"
            })
    void verify_otherOptions_areTaken(String options) {
        assertThatCode(read("mongodb://db:27017/shop" + options)::verify).doesNotThrowAnyException();
    }

    @Test
    void verify_noAddress_repeatsNothingOfIt() {
        assertThatThrownBy(read("mongodb://ann:hush@db:x/shop")::verify)
                .hasMessageContaining("is no address such as")
                .hasMessageNotContaining("hush");
    }

    private static Settings read(String address) {
        Settings settings = Settings.of(List.of("--mongo", address), Map.of());
        assertThat(ServerConfig.read(settings)).isNotNull();
        return settings;
    }
}

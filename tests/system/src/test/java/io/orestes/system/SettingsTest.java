package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code GET /-/settings}: how a server is configured. Who may ask is shown by {@code AdminPermissionsTest}. */
@ExtendWith(SharedBackend.class)
final class SettingsTest {

    private final Backend backend;

    SettingsTest(Backend backend) {
        this.backend = backend;
    }

    @Test
    void settings_askedByAnAdmin_areToldWithoutSecrets() {
        Answer answer = backend.root().get("/-/settings");

        List<BsonDocument> settings =
                answer.array().stream().map(BsonValue::asDocument).toList();
        BsonDocument password = setting(settings, "root-password");
        BsonDocument port = setting(settings, "port");
        assertThat(answer.header("Cache-Control").orElseThrow()).contains("no-store");
        assertThat(answer.text()).doesNotContain(Backend.ROOT_PASSWORD);
        assertThat(password.isNull("value")).isTrue();
        assertThat(password.getBoolean("set").getValue()).isTrue();
        assertThat(password.getBoolean("secret").getValue()).isTrue();
        assertThat(port.getString("value").getValue()).isNotEmpty();
        assertThat(port.getString("variable").getValue()).isEqualTo("ORESTES_PORT");
    }

    private static BsonDocument setting(List<BsonDocument> settings, String key) {
        return settings.stream()
                .filter(setting -> setting.getString("key").getValue().equals(key))
                .findFirst()
                .orElseThrow();
    }
}

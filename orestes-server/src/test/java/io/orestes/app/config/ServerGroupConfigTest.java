package io.orestes.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.config.ConfigurationException;
import io.orestes.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid settings of a group are reported before anything is started. */
final class ServerGroupConfigTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:2181",
                "127.0.0.1",
                "10.0.0.1:2181,10.0.0.2:2182,zoo-3.example.org:65535",
                "[::1]:2181",
                "a"
            })
    void zookeeper_listOfServers_isTaken(String servers) {
        Settings settings = Settings.of(List.of("--zookeeper", servers), Map.of());

        assertThat(ServerGroupConfig.read(settings).orElseThrow().zookeeper().servers())
                .isEqualTo(servers);
        settings.verify();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":2181",
                "127.0.0.1:",
                "127.0.0.1:0",
                "127.0.0.1:65536",
                "127.0.0.1:99999999999",
                "127.0.0.1:x",
                "a,,b",
                "a,",
                ",",
                "a b",
                "zk://a:2181",
                "a:2181/orestes",
                "::1"
            })
    void zookeeper_anythingElse_isRefused(String servers) {
        assertThat(mistakes("--zookeeper=" + servers))
                .singleElement()
                .asString()
                .contains("--zookeeper is no list");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "localhost", "server-1.example.org", "::1", "fd00::1:2"})
    void host_nameOrAddress_isTaken(String host) {
        Settings settings = Settings.of(List.of("--zookeeper", "a", "--group.host", host), Map.of());

        assertThat(ServerGroupConfig.read(settings).orElseThrow().host()).isEqualTo(host);
        settings.verify();
    }

    /** With such an address, other servers would look for this server on their own machine. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "0", "0:0:0:0:0:0:0:0", "a b", "http://a", "a:80", "-"})
    void host_noneThatOthersCanReach_isRefused(String host) {
        assertThat(mistakes("--zookeeper=a", "--group.host=" + host))
                .singleElement()
                .asString()
                .contains("--group.host is no name or address");
    }

    @Test
    void times_absurd_areRefused() {
        assertThat(mistakes("--zookeeper=a", "--group.lease=2m", "--group.patience=999999999d", "--group.port=70000"))
                .hasSize(3);
    }

    private static List<String> mistakes(String... flags) {
        Settings settings = Settings.of(List.of(flags), Map.of());
        var unused = ServerGroupConfig.read(settings);
        return catchThrowableOfType(ConfigurationException.class, settings::verify)
                .mistakes();
    }
}

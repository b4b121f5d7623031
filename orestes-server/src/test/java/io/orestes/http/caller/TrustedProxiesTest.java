package io.orestes.http.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind proxies at 10.0.0.0/8, at ::1 and in fd00::/8. */
class TrustedProxiesTest {

    private static final TrustedProxies PROXIES =
            TrustedProxies.parse(" 10.0.0.0/8, ::1,fd00::/8 ,").orElseThrow();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1     | 192.0.2.7                        | 192.0.2.7",
                "10.0.0.1     | 192.0.2.7:4711                   | 192.0.2.7",
                "10.0.0.1     | 2001:db8::7                      | 2001:db8::7",
                "10.0.0.1     | [2001:db8::7]:4711               | 2001:db8::7",
                "::1          | ::ffff:192.0.2.7                 | 192.0.2.7",
                "fd12::1      | 192.0.2.7                        | 192.0.2.7",
                "10.0.0.1     | 1.1.1.1, 192.0.2.7, 10.9.9.9     | 192.0.2.7",
                "10.0.0.1     | 10.1.1.1, 10.2.2.2               | 10.1.1.1",
                "10.0.0.1     | 1.1.1.1, unknown                 | 10.0.0.1",
                "10.0.0.1     | 1.1.1.1, nonsense, 10.9.9.9      | 10.9.9.9",
                "10.0.0.1     | 1.1.1.1,                         | 10.0.0.1",
                "10.0.0.1     | localhost                        | 10.0.0.1",
                "10.0.0.1     | fe80::1%nowhere                  | 10.0.0.1",
                "11.0.0.1     | 192.0.2.7                        | 11.0.0.1",
                "::2          | 192.0.2.7                        | ::2",
                "fe80::1%eth0 | 192.0.2.7                        | fe80::1%eth0",
            })
    void client_usualHeader_isTheLastThatIsNoProxy(String peer, String header, String client) {
        assertThat(PROXIES.client(peer, headers("X-Forwarded-For", header))).isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=192.0.2.7                                        | 192.0.2.7",
                "For=\"192.0.2.7:4711\";proto=https                   | 192.0.2.7",
                "by=10.0.0.1; for=\"[2001:db8::7]:4711\"              | 2001:db8::7",
                "for=1.1.1.1, for=192.0.2.7;host=x, for=10.9.9.9      | 192.0.2.7",
                "for=\"1.1.1.1, for=192.0.2.7                         | 192.0.2.7",
                "for=1.1.1.1, proto=https                             | 10.0.0.1",
                "for=1.1.1.1, for=_hidden                             | 10.0.0.1",
                "for=\"[\"                                            | 10.0.0.1",
            })
    void client_standardHeader_isTheLastThatIsNoProxy(String header, String client) {
        assertThat(PROXIES.client("10.0.0.1", headers("Forwarded", header))).isEqualTo(client);
    }

    @Test
    void client_severalLines_areOneList() {
        MultiMap headers = headers("X-Forwarded-For", "1.1.1.1").add("x-forwarded-for", "192.0.2.7");

        assertThat(PROXIES.client("10.0.0.1", headers)).isEqualTo("192.0.2.7");
    }

    /** The proxy wrote one of them and the client the other; the server cannot distinguish them. */
    @Test
    void client_headersThatContradictEachOther_areNotBelieved() {
        MultiMap headers = headers("X-Forwarded-For", "192.0.2.7").add("Forwarded", "for=1.1.1.1");

        assertThat(PROXIES.client("10.0.0.1", headers)).isEqualTo("10.0.0.1");
        headers.set("Forwarded", "for=192.0.2.7");
        assertThat(PROXIES.client("10.0.0.1", headers)).isEqualTo("192.0.2.7");
    }

    @Test
    void client_noTrustedProxy_isThePeer() {
        assertThat(TrustedProxies.NONE.client("127.0.0.1", headers("X-Forwarded-For", "192.0.2.7")))
                .isEqualTo("127.0.0.1");
        assertThat(PROXIES.client("", headers("X-Forwarded-For", "192.0.2.7"))).isEmpty();
    }

    @Test
    void client_hostileHeaders_neverThrow() {
        Random random = new Random(7);
        List<String> parts = List.of(
                "for=", "\"", "[", "]", ":", ",", ";", "=", "%", "1.1.1.1", "::", "10.0.0.1", "f", "\u00e4", " ", "/8");

        for (int i = 0; i < 20_000; i++) {
            StringBuilder header = new StringBuilder();
            random.ints(random.nextInt(8), 0, parts.size()).forEach(part -> header.append(parts.get(part)));

            assertThat(PROXIES.client("10.0.0.1", headers("Forwarded", header.toString())))
                    .isNotEmpty();
            assertThat(PROXIES.client("10.0.0.1", headers("X-Forwarded-For", header.toString())))
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "10.0.0.0/33",
                "::/129",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "10.0.0",
                "/8",
                "10.0.0.1;10.0.0.2",
                "fe80::1%eth0",
                "10.0.0.1,nonsense"
            })
    void parse_whatIsNoListOfNetworks_isEmpty(String list) {
        assertThat(TrustedProxies.parse(list)).isEmpty();
    }

    private static MultiMap headers(String name, String value) {
        return MultiMap.caseInsensitiveMultiMap().add(name, value);
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints of the protocol (§3) that are not there yet, or never will be, say so. */
@ExtendWith(SharedBackend.class)
final class LaterEndpointsTest {

    private final Client anonymous;

    LaterEndpointsTest(Backend backend) {
        this.anonymous = backend.anonymous();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /config, 501",
        "POST, /mail, 501",
        "POST, /db/User/reset, 501",
        "GET, /db/User/verify?token=x, 501",
        "GET, /db/User/verifyUsername?token=x, 501",
        "GET, /db/User/mfa/init, 501",
        "POST, /db/User/mfa/init, 501",
        "POST, /db/User/mfa/token, 501",
        "GET, /db/User/mfa/status, 501",
        "DELETE, /db/User/mfa, 501",
        "GET, /db/User/OAuth/google?code=x, 501",
        "GET, /db/User/OAuth1/twitter, 501",
        "GET, /code, 501",
        "GET, /code-content, 501",
        "PUT, /code/echo/module, 501",
        "POST, /code/echo, 501",
        "GET, /file/buckets, 501",
        "GET, /file/www/ids, 501",
        "PUT, /file/www, 501",
        "GET, /file/www/a/b%20c.png, 501",
        "PUT, /file/www/a.png, 501",
        "POST, /db/Device/register, 501",
        "GET, /db/Device/registered, 501",
        "POST, /db/Device/push, 501",
        "GET, /config/VAPIDPublicKey, 501",
        "GET, /asset/https://example.com, 404",
        "POST, /asset/revalidate, 404",
        "POST, /pwa/manifest, 404",
        "POST, /rum/pi, 404",
        "GET, /speedkit/installation, 404"
    })
    void endpoint_notThere_saysSo(String method, String path, int status) {
        assertThat(anonymous.send(method, path, BodyPublishers.noBody()).status())
                .isEqualTo(status);
    }

    @Test
    void changeUsername_withoutMail_isToldInTheWordsClientsKnow() {
        Answer refused = anonymous.post("/db/User/changeUsername", "{}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.object().getString("message").getValue()).isEqualTo("Email verification not enabled");
    }
}

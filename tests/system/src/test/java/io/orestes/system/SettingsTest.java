package io.orestes.system;

import static io.restassured.RestAssured.withArgs;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code GET /-/settings}: the configuration of a server. {@code AdminPermissionsTest} shows who
 * may read it.
 */
@ExtendWith(SharedBackend.class)
final class SettingsTest {

    private final Backend backend;

    SettingsTest(Backend backend) {
        this.backend = backend;
    }

    @Test
    void settings_requestedByAnAdmin_haveNoSecrets() {
        backend.root()
                .given()
                .when()
                .get("/-/settings")
                .then()
                .header("Cache-Control", containsString("no-store"))
                .body(not(containsString(Backend.ROOT_PASSWORD)))
                .rootPath("find { it.key == '%s' }", withArgs("root-password"))
                .body("", hasKey("value"))
                .body("value", nullValue())
                .body("set", equalTo(true))
                .body("secret", equalTo(true))
                .rootPath("find { it.key == '%s' }", withArgs("port"))
                .body("value", not(emptyString()))
                .body("variable", equalTo("ORESTES_PORT"));
    }
}

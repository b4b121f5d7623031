package io.orestes.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

final class SubscribeMessageTest {

    @Test
    void authorization_absentOrNull_isAnonymous() {
        assertThat(message("{}").authorization()).isEmpty();
        assertThat(message("{\"token\":null}").authorization()).isEmpty();
    }

    @Test
    void authorization_text_isAToken() {
        assertThat(message("{\"token\":\"x\"}").authorization()).contains("BAT x");
    }

    @Test
    void authorization_noText_isRefused() {
        ApiException failure = catchThrowableOfType(
                ApiException.class, () -> message("{\"token\":1}").authorization());

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    private static SubscribeMessage message(String json) {
        return new SubscribeMessage(BsonDocument.parse(json));
    }
}

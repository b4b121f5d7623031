package io.orestes.store.mongo.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Meaning of the driver's failures. */
final class MongoErrorsTest {

    private static final ServerAddress ADDRESS = new ServerAddress("127.0.0.1", 1);

    /**
     * Returns failures of a lost server. When the driver loses a connection, it also fails
     * operations that wait for one.
     */
    static Stream<Throwable> ofAServerThatIsGone() {
        Throwable lost = new MongoSocketException("lost", ADDRESS);
        return Stream.of(
                lost,
                new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), ADDRESS), lost),
                new MongoServerUnavailableException("closed"),
                new MongoTimeoutException("no server"));
    }

    @ParameterizedTest
    @MethodSource("ofAServerThatIsGone")
    void of_serverIsLost_isUnavailableForNowAndSaysNothingOfItsCapabilities(Throwable failure) {
        ApiException answer = MongoErrors.of(failure, Duration.ofSeconds(1));

        assertThat(answer.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(answer.retryAfter()).isPresent();
        assertThat(MongoErrors.isUnsupportedError(failure)).isFalse();
    }

    /** The server is overloaded, or does not respond for a temporary reason. */
    @ParameterizedTest
    @ValueSource(ints = {24, 134, 175, 279, 290, 355, 358, 365, 391, 402, 407, 433, 449, 450, 462})
    void of_serverIsBusy_isUnavailableForNow(int code) {
        ApiException answer = MongoErrors.of(failed(code), Duration.ofSeconds(1));

        assertThat(answer.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {10_334, 17_419, 17_420, 257, 388})
    void of_documentOrTransactionTooLarge_isPayloadTooLarge(int code) {
        assertThat(MongoErrors.of(failed(code), Duration.ofSeconds(1)).code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    /**
     * After a lost response the driver repeats a write; an error of the second command says nothing
     * about the first.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 13, 50, 59, 388, 391, 8_000})
    void mayHaveBeenApplied_errorThatIsNotOfTheContent_isTrue(int code) {
        assertThat(MongoErrors.mayHaveBeenApplied(failed(code))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 121, 171, 10_334, 11_000, 16_755})
    void mayHaveBeenApplied_errorOfTheContent_isFalse(int code) {
        assertThat(MongoErrors.mayHaveBeenApplied(failed(code))).isFalse();
    }

    private static MongoCommandException failed(int code) {
        return new MongoCommandException(
                new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code)), ADDRESS);
    }

    @Test
    void isUnsupportedError_driverKnowsThatTheServerHasNone_isTrue() {
        assertThat(MongoErrors.isUnsupportedError(new MongoClientException("Sessions are not supported")))
                .isTrue();
    }
}

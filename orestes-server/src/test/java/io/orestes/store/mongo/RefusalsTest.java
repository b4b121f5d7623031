package io.orestes.store.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the driver's failures mean. */
final class RefusalsTest {

    private static final ServerAddress ADDRESS = new ServerAddress("127.0.0.1", 1);

    /** The driver gives up what waits for a connection, too, when it has lost one of those that it had. */
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
    void of_serverIsGone_isUnavailableForNowAndSaysNothingOfWhatItCanDo(Throwable failure) {
        ApiException told = Refusals.of(failure, Duration.ofSeconds(1));

        assertThat(told.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(told.retryAfter()).isPresent();
        assertThat(Refusals.isOfAbsence(failure)).isFalse();
    }

    @Test
    void isOfAbsence_driverKnowsThatTheServerHasNone_isTrue() {
        assertThat(Refusals.isOfAbsence(new MongoClientException("Sessions are not supported")))
                .isTrue();
    }
}

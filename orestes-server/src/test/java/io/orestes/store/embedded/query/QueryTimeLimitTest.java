package io.orestes.store.embedded.query;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class QueryTimeLimitTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final QueryTimeLimit limit = new QueryTimeLimit(Duration.ofSeconds(5), nanos::get);
    private final QueryTimeLimit.QueryTimer run = limit.start();

    @Test
    void check_withinTheBudget_goesOn() {
        nanos.addAndGet(5_000_000_000L);

        assertThatCode(run::check).doesNotThrowAnyException();
    }

    @Test
    void check_afterTheBudget_saysThatTheQueryIsNotSupported() {
        nanos.addAndGet(5_000_000_001L);

        assertThatThrownBy(run::check)
                .hasMessage("The query takes too long; it was stopped after 5000 ms")
                .asInstanceOf(InstanceOfAssertFactories.type(ApiException.class))
                .returns(ErrorCode.QUERY_NOT_SUPPORTED, ApiException::code);
        assertThatCode(limit.start()::check).doesNotThrowAnyException();
    }

    @Test
    void check_stopped_saysThatTheStoreIsClosed() {
        limit.stop();

        assertThatThrownBy(run::check)
                .asInstanceOf(InstanceOfAssertFactories.type(ApiException.class))
                .returns(ErrorCode.UNAVAILABLE, ApiException::code);
        assertThatThrownBy(limit.start()::check).isInstanceOf(ApiException.class);
    }
}

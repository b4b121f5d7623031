package io.orestes.auth.password;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PasswordHashingPoolTest {

    private static final AuthConfig CHEAP = new AuthConfig(Duration.ofDays(1), 64, 1);
    private static final int MOST_WAITING = 128;

    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch held = new CountDownLatch(1);

    @AfterEach
    void close() {
        held.countDown();
        await(vertx.close());
    }

    @Test
    void run_tooMuchWaiting_isRefusedUntilThereIsRoom() {
        PasswordHashingPool hasher = new PasswordHashingPool(vertx, CHEAP, true);
        List<Future<Integer>> waiting = held(hasher, MOST_WAITING);

        ApiException refusal = failureOf(hasher.run(argon -> 1));
        held.countDown();
        awaitAll(waiting);
        int afterwards = await(hasher.run(argon -> 1));

        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(afterwards).isEqualTo(1);
    }

    @Test
    void run_withoutLimits_refusesNothing() {
        PasswordHashingPool hasher = new PasswordHashingPool(vertx, CHEAP, false);
        List<Future<Integer>> waiting = held(hasher, MOST_WAITING + 1);

        held.countDown();

        assertThat(await(Future.join(waiting)).succeeded()).isTrue();
    }

    private List<Future<Integer>> held(PasswordHashingPool hasher, int number) {
        return IntStream.range(0, number)
                .mapToObj(n -> hasher.run(argon -> afterTheOthers(n)))
                .toList();
    }

    private int afterTheOthers(int n) {
        try {
            held.await();
            return n;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}

package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When reads of a bucket run that is being rewritten. */
final class GatesTest {

    private static final Set<String> ITEMS = Set.of("Item");

    private final Vertx vertx = Vertx.vertx();
    private final Gates gates = new Gates(vertx, Duration.ofMinutes(1));

    @AfterEach
    void stopVertx() {
        await(vertx.close());
    }

    @Test
    void pass_whileClosed_readsWhenItIsOpenAgain() {
        gates.close(ITEMS);
        Future<String> read = gates.pass("Item", () -> Future.succeededFuture("new"));

        assertThat(read.isComplete()).isFalse();
        assertThat(await(gates.pass("Other", () -> Future.succeededFuture("at once"))))
                .isEqualTo("at once");
        gates.open(ITEMS, Future.succeededFuture());

        assertThat(await(read)).isEqualTo("new");
    }

    @Test
    void pass_closedForLong_isRefused() {
        Gates impatient = new Gates(vertx, Duration.ofMillis(20));
        impatient.close(ITEMS);

        Future<String> read = impatient.pass("Item", () -> Future.succeededFuture("new"));

        assertThat(failureOf(read).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        impatient.open(ITEMS, Future.succeededFuture());
        assertThat(await(impatient.pass("Item", () -> Future.succeededFuture("new"))))
                .isEqualTo("new");
    }

    /** What a read found that waited for a thread meanwhile may be of both forms. */
    @Test
    void pass_closedBeforeTheReadHasAnOutcome_readsAgain() {
        Promise<String> slow = Promise.promise();
        Iterator<Future<String>> outcomes =
                List.of(slow.future(), Future.succeededFuture("new")).iterator();
        Future<String> read = gates.pass("Item", outcomes::next);

        gates.close(ITEMS);
        slow.complete("of both forms");
        assertThat(read.isComplete()).isFalse();
        gates.open(ITEMS, Future.succeededFuture());

        assertThat(await(read)).isEqualTo("new");
    }
}

package io.orestes.async;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

final class InFlightOperationsTest {

    private final InFlightOperations operations = new InFlightOperations();

    @Test
    void awaitCurrent_nothingIsInFlight_completesAtOnce() {
        assertThat(operations.awaitCurrent("Todo").succeeded()).isTrue();
    }

    @Test
    void awaitCurrent_operationsInFlight_completesAfterTheLastOfThem() {
        Promise<String> one = Promise.promise();
        Promise<String> other = Promise.promise();
        Future<String> first = operations.track("Todo", one::future);
        Future<String> second = operations.track("Todo", other::future);

        Future<Void> drained = operations.awaitCurrent("Todo");
        one.complete("one");
        assertThat(drained.isComplete()).isFalse();
        other.fail("broken");

        await(drained);
        assertThat(await(first)).isEqualTo("one");
        assertThat(second.failed()).isTrue();
    }

    @Test
    void awaitCurrent_laterOperations_doesNotWaitForThem() {
        Promise<String> before = Promise.promise();
        Promise<String> after = Promise.promise();
        Future<String> first = operations.track("Todo", before::future);
        Future<Void> drained = operations.awaitCurrent("Todo");
        Future<String> later = operations.track("Todo", after::future);

        before.complete("before");

        assertThat(drained.succeeded()).isTrue();
        assertThat(first.succeeded()).isTrue();
        assertThat(later.isComplete()).isFalse();
        assertThat(operations.awaitCurrent("Todo").isComplete()).isFalse();
    }

    /** The second wait covers the operations of the first one, which are still in flight. */
    @Test
    void awaitCurrent_twice_bothWaitForTheEarlierOperations() {
        Promise<String> before = Promise.promise();
        var unused = operations.track("Todo", before::future);
        Future<Void> first = operations.awaitCurrent("Todo");

        Future<Void> second = operations.awaitCurrent("Todo");

        assertThat(second.isComplete()).isFalse();
        before.complete("before");
        assertThat(first.succeeded()).isTrue();
        assertThat(second.succeeded()).isTrue();
    }

    @Test
    void awaitCurrent_otherBucket_doesNotWait() {
        var unused = operations.track("Todo", () -> Promise.<String>promise().future());

        assertThat(operations.awaitCurrent("Note").succeeded()).isTrue();
    }

    @Test
    void track_operationThrows_countsAsEnded() {
        Future<String> thrown = operations.track("Todo", () -> {
            throw new IllegalStateException("broken");
        });

        assertThat(thrown.failed()).isTrue();
        assertThat(operations.awaitCurrent("Todo").succeeded()).isTrue();
    }
}

package io.orestes.async;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Composition of batches, with a server that responds when the test lets it. */
final class BatcherTest {

    private static final int MAX_BATCH_SIZE = 5;
    private static final Duration FOREVER = Duration.ofHours(1);

    private final Vertx vertx = Vertx.vertx();
    private final Context home = vertx.getOrCreateContext();
    private final BlockingQueue<ReceivedBatch> requests = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void submit_severalTimesInOneTurn_isOneRequest() {
        Batcher<Integer, String> batcher = busyWith(1, FOREVER);
        Future<List<String>> answers = askTogether(batcher, 1, 2, 3);

        next().answer();

        assertThat(await(answers)).containsExactly("answer to 1", "answer to 2", "answer to 3");
        assertThat(requests).isEmpty();
    }

    @Test
    void submit_asManyUnderWayAsMayBe_waitsForOneOfThemAndGoesWithAllOthers() {
        Batcher<Integer, String> batcher = busyWith(2, FOREVER);
        askTogether(batcher, 1);
        ReceivedBatch first = next();
        askTogether(batcher, 2);
        ReceivedBatch second = next();
        askTogether(batcher, 3);
        Future<List<String>> last = askTogether(batcher, 4);
        assertThat(requests).isEmpty();

        second.answer();

        ReceivedBatch third = next();
        assertThat(third.subjects()).containsExactly(3, 4);
        third.answer();
        assertThat(await(last)).containsExactly("answer to 4");
        first.answer();
        assertThat(requests).isEmpty();
    }

    @Test
    void submit_noneOfThoseUnderWayIsAnswered_goesAfterTheLongestTime() {
        Batcher<Integer, String> batcher = busyWith(1, Duration.ofMillis(50));
        askTogether(batcher, 1);
        ReceivedBatch first = next();
        askTogether(batcher, 2);

        assertThat(next().subjects()).containsExactly(2);
        first.answer();
    }

    @Test
    void submit_asManyAsGoTogether_doNotWait() {
        Batcher<Integer, String> batcher = busyWith(1, FOREVER);
        askTogether(batcher, 0);
        ReceivedBatch first = next();

        askTogether(batcher, 1, 2, 3, 4, 5, 6);

        assertThat(next().subjects()).containsExactly(1, 2, 3, 4, 5);
        first.answer();
        assertThat(next().subjects()).containsExactly(6);
    }

    @Test
    void submit_enoughWaitForTheServer_goWithoutWaitingLonger() {
        Batcher<Integer, String> batcher = busyWith(1, 3, FOREVER);
        askTogether(batcher, 0);
        ReceivedBatch first = next();
        askTogether(batcher, 1);
        askTogether(batcher, 2);
        assertThat(requests).isEmpty();

        askTogether(batcher, 3, 4);

        assertThat(next().subjects()).containsExactly(1, 2, 3);
        assertThat(requests).isEmpty();
        first.answer();
        assertThat(next().subjects()).containsExactly(4);
    }

    @Test
    void submit_enoughComeInOneTurn_areOneRequest() {
        Batcher<Integer, String> batcher = busyWith(1, 2, FOREVER);
        askTogether(batcher, 0);
        ReceivedBatch first = next();

        askTogether(batcher, 1, 2, 3, 4);

        assertThat(next().subjects()).containsExactly(1, 2, 3, 4);
        first.answer();
        assertThat(requests).isEmpty();
    }

    @Test
    void submit_theActionThrows_failsAndDelaysNoOther() {
        Batcher<Integer, String> batcher = new Batcher<>(home, limits(1, MAX_BATCH_SIZE, FOREVER), asked -> {
            throw new IllegalStateException("broken");
        });

        for (int turn = 0; turn < 3; turn++) {
            Future<List<String>> answers = askTogether(batcher, 1, 2);
            assertThatThrownBy(() -> await(answers)).hasStackTraceContaining("broken");
        }
    }

    /** The requests of one batch. */
    private record ReceivedBatch(List<Batcher.BatchedRequest<Integer, String>> asked, Promise<Void> answered) {

        List<Integer> subjects() {
            return Batcher.payloads(asked);
        }

        void answer() {
            asked.forEach(one -> one.response().complete("answer to " + one.payload()));
            answered.complete();
        }
    }

    private Batcher<Integer, String> busyWith(int mostUnderWay, Duration longest) {
        return busyWith(mostUnderWay, MAX_BATCH_SIZE, longest);
    }

    private Batcher<Integer, String> busyWith(int mostUnderWay, int enough, Duration longest) {
        return new Batcher<>(home, limits(mostUnderWay, enough, longest), asked -> {
            Promise<Void> answered = Promise.promise();
            requests.add(new ReceivedBatch(asked, answered));
            return answered.future();
        });
    }

    private static Batcher.BatchLimits limits(int maxInFlight, int minBusyBatchSize, Duration maxDelay) {
        return new Batcher.BatchLimits(MAX_BATCH_SIZE, maxInFlight, minBusyBatchSize, maxDelay);
    }

    /**
     * Adds requests in one iteration of the context's event loop. On return, this and the next
     * iteration have ended.
     */
    @CanIgnoreReturnValue
    private Future<List<String>> askTogether(Batcher<Integer, String> batcher, int... subjects) {
        Promise<List<String>> answers = Promise.promise();
        atHome(() -> Future.join(
                        IntStream.of(subjects).mapToObj(batcher::submit).toList())
                .map(all -> all.<String>list())
                .onComplete(answers));
        atHome(() -> {});
        return answers.future();
    }

    private void atHome(Runnable work) {
        Promise<Void> done = Promise.promise();
        home.runOnContext(now -> {
            work.run();
            done.complete();
        });
        await(done.future());
    }

    private ReceivedBatch next() {
        try {
            ReceivedBatch next = requests.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("a request").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

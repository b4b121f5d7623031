package io.orestes.transaction;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.async.Backoff;
import io.orestes.caching.ManualClock;
import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resolution of commits in doubt, with a store that responds when the test lets it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class InDoubtCommitsTest {

    private static final Duration RETENTION = Duration.ofMinutes(11);
    private static final int MAX_IN_DOUBT = 100;

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final BlockingQueue<ResolutionRequest> questions = new LinkedBlockingQueue<>();
    private final List<String> released = new CopyOnWriteArrayList<>();
    private final InDoubtCommits unsettled = new InDoubtCommits(
            vertx,
            this::ask,
            clock,
            new InDoubtCommits.InDoubtLimits(RETENTION, MAX_IN_DOUBT),
            new Backoff(Duration.ofMillis(2), Duration.ofMillis(4), () -> 0));

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void resolve_theStoreResponds_releasesTheLocksAndRetriesNoMore() {
        Future<Void> settled = settle("a");
        assertThat(released).isEmpty();

        next().isAnswered();

        await(settled);
        assertThat(released).containsExactly("a");
        assertNobodyAsks();
    }

    @Test
    void resolve_theStoreIsUnavailable_oneRetriesForAllUntilItResponds() {
        fail(60);
        List<String> askers = IntStream.range(0, 5).mapToObj(i -> nextInVain()).toList();
        assertThat(askers).doesNotHaveDuplicates();
        assertThat(released).isEmpty();

        next().isAnswered();

        List<ResolutionRequest> together =
                IntStream.range(0, 50).mapToObj(i -> next()).toList();
        assertThat(questions).isEmpty();
        together.forEach(ResolutionRequest::isAnswered);
        IntStream.range(0, 9).forEach(i -> next().isAnswered());
        awaitThat(() -> released.size() == 60);
        assertThat(released).doesNotHaveDuplicates();
        assertNobodyAsks();
    }

    /** A commit whose request alone gets no response delays no others. */
    @Test
    void resolve_theStoreRespondsToAllButOne_onlyThatOneRetainsItsLocks() {
        fail(10);
        String stuck = nextInVain();

        while (released.size() < 9) {
            ResolutionRequest question = next();
            if (question.tid.equals(stuck)) {
                question.isNotAnswered();
            } else {
                question.isAnswered();
            }
        }

        assertThat(next().tid).isEqualTo(stuck);
        assertThat(released).doesNotContain(stuck);
    }

    @Test
    void resolve_noResponseEver_isGivenUpAfterTheRetentionOfTheLog() {
        fail(2);
        clock.advance(RETENTION.minusMillis(1));
        assertThat(List.of(nextInVain(), nextInVain())).containsExactlyInAnyOrder("0", "1");
        // the event loop may process a response late, and uses the clock of that moment
        awaitThat(() -> !questions.isEmpty());
        assertThat(released).isEmpty();

        clock.advance(Duration.ofMillis(1));
        assertThat(List.of(nextInVain(), nextInVain())).containsExactlyInAnyOrder("0", "1");

        awaitThat(() -> released.size() == 2);
        assertNobodyAsks();
    }

    @Test
    void requireCapacity_tooManyInDoubt_refusesFurtherOnesUntilTheStoreResponds() {
        fail(MAX_IN_DOUBT - 1);
        unsettled.requireCapacity();
        Future<Void> last = settle("last");
        while (!last.isComplete()) {
            assertThat(nextInVain()).isNotEmpty();
        }

        ApiException refusal = catchThrowableOfType(ApiException.class, unsettled::requireCapacity);

        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.retryAfter()).isPresent();
        IntStream.range(0, MAX_IN_DOUBT).forEach(i -> next().isAnswered());
        assertThatCode(unsettled::requireCapacity).doesNotThrowAnyException();
    }

    private record ResolutionRequest(String tid, Promise<Void> answer) {

        private void isAnswered() {
            answer.complete();
        }

        private void isNotAnswered() {
            answer.fail(new ApiException(ErrorCode.UNAVAILABLE, "The store is unavailable"));
        }
    }

    private Future<Void> ask(String tid) {
        Promise<Void> answer = Promise.promise();
        questions.add(new ResolutionRequest(tid, answer));
        return answer.future();
    }

    /** Makes this number of commits fail, without their outcome from the store. */
    private void fail(int number) {
        List<Future<Void>> settled = IntStream.range(0, number)
                .mapToObj(i -> settle(String.valueOf(i)))
                .toList();
        List<ResolutionRequest> first =
                IntStream.range(0, number).mapToObj(i -> next()).toList();
        first.forEach(ResolutionRequest::isNotAnswered);
        assertThat(settled).allMatch(Future::failed);
    }

    private Future<Void> settle(String tid) {
        return unsettled.resolve(tid, new GroupLocks.Lock() {

            @Override
            public boolean isInDoubt() {
                return false;
            }

            @Override
            public void release() {
                released.add(tid);
            }
        });
    }

    private String nextInVain() {
        ResolutionRequest question = next();
        question.isNotAnswered();
        return question.tid;
    }

    private ResolutionRequest next() {
        return poll(20_000).orElseThrow(() -> new AssertionError("no request arrived"));
    }

    private void assertNobodyAsks() {
        assertThat(poll(50)).isEmpty();
    }

    private Optional<ResolutionRequest> poll(long millis) {
        try {
            return Optional.ofNullable(questions.poll(millis, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

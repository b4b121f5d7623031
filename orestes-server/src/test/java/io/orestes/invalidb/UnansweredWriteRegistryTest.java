package io.orestes.invalidb;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnansweredWriteRegistryTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");

    private final UnansweredWriteRegistry answers = new UnansweredWriteRegistry();
    private final WriteOutcome written = state(2);

    @Test
    void awaitAcknowledged_writeThatIsNotAnswered_waitsForItAndForNoOther() {
        Promise<String> rest = Promise.promise();

        Future<String> answer = answers.track(List.of(written), rest::future);
        Future<Void> answered = answers.awaitAcknowledged(REF.id(), written.stamp());

        assertThat(answered.isComplete()).isFalse();
        assertThat(answers.awaitAcknowledged(REF.id(), state(3).stamp()).succeeded())
                .isTrue();
        rest.complete("done");
        assertThat(answered.succeeded()).isTrue();
        assertThat(answer.result()).isEqualTo("done");
        assertThat(answers.awaitAcknowledged(REF.id(), written.stamp()).succeeded())
                .isTrue();
    }

    @Test
    void awaitAcknowledged_writeWhoseRestFails_isAnsweredAllTheSame() {
        Promise<String> rest = Promise.promise();
        Future<String> answer = answers.track(List.of(written), rest::future);
        Future<String> thrown = answers.track(List.of(state(3)), () -> {
            throw new IllegalStateException("at once");
        });

        rest.fail("later");

        assertThat(List.of(answer, thrown)).allMatch(Future::failed);
        assertThat(answers.awaitAcknowledged(REF.id(), written.stamp()).succeeded())
                .isTrue();
        assertThat(answers.awaitAcknowledged(REF.id(), state(3).stamp()).succeeded())
                .isTrue();
    }

    /** The parts of a transaction are acknowledged together. */
    @Test
    void awaitAcknowledged_partOfMore_waitsForAll() {
        Promise<String> rest = Promise.promise();
        Future<String> all = answers.track(
                List.of(written, state(3)), () -> answers.track(List.of(written), () -> Future.succeededFuture("one"))
                        .compose(one -> rest.future()));

        Future<Void> answered = answers.awaitAcknowledged(REF.id(), written.stamp());

        assertThat(answered.isComplete()).isFalse();
        rest.complete("all");
        assertThat(answered.succeeded()).isTrue();
        assertThat(all.succeeded()).isTrue();
    }

    private static WriteOutcome state(long version) {
        return new Tombstone(REF, new VersionStamp(1, version));
    }
}

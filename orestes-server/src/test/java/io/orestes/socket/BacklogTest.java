package io.orestes.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

final class BacklogTest {

    private final Backlog backlog = new Backlog(100);

    @Test
    void message_countsUntilItIsSent() {
        Promise<Void> sent = Promise.promise();

        backlog.add(101, sent.future());
        assertThat(backlog.isTooLarge()).isTrue();

        sent.complete();
        assertThat(backlog.isTooLarge()).isFalse();
    }

    @Test
    void result_underWay_doesNotCountButWhatWaitsBehindItDoes() {
        Promise<Void> unsent = Promise.promise();

        backlog.addResult(1_000, unsent.future());
        backlog.add(60, unsent.future());
        assertThat(backlog.isTooLarge()).isFalse();

        backlog.addResult(60, unsent.future());
        assertThat(backlog.isTooLarge()).isTrue();
    }

    @Test
    void result_afterAnotherWasSent_doesNotCount() {
        Promise<Void> first = Promise.promise();
        backlog.addResult(1_000, first.future());
        first.fail("gone");

        backlog.addResult(1_000, Promise.<Void>promise().future());

        assertThat(backlog.bytes()).isZero();
    }
}

package io.orestes.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

final class SendBacklogTest {

    private final SendBacklog sendBacklog = new SendBacklog(100);

    @Test
    void message_countsUntilItIsSent() {
        Promise<Void> sent = Promise.promise();

        sendBacklog.add(101, sent.future());
        assertThat(sendBacklog.isTooLarge()).isTrue();

        sent.complete();
        assertThat(sendBacklog.isTooLarge()).isFalse();
    }

    @Test
    void result_underWay_doesNotCountButWhatWaitsBehindItDoes() {
        Promise<Void> unsent = Promise.promise();

        sendBacklog.addResult(1_000, unsent.future());
        sendBacklog.add(60, unsent.future());
        assertThat(sendBacklog.isTooLarge()).isFalse();

        sendBacklog.addResult(60, unsent.future());
        assertThat(sendBacklog.isTooLarge()).isTrue();
    }

    @Test
    void result_afterAnotherWasSent_doesNotCount() {
        Promise<Void> first = Promise.promise();
        sendBacklog.addResult(1_000, first.future());
        first.fail("closed");

        sendBacklog.addResult(1_000, Promise.<Void>promise().future());

        assertThat(sendBacklog.bytes()).isZero();
    }
}

package io.orestes.replication.link;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.Member;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that misbehave while they cannot be evicted. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerLinkTest {

    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final int MOST_BYTES = 8 << 20;
    private static final PeerLinkConfig CONFIG = new PeerLinkConfig(PATIENCE, MOST_BYTES);

    private final Vertx vertx = Vertx.vertx();
    private final Member self = Member.entering("");
    private final AtomicInteger silences = new AtomicInteger();

    /** The reason of the last suspicion. */
    private volatile String reason = "";

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void send_noListener_waitsNoLongerThanTheDeadline() {
        PeerLink peerLink = open(Member.entering("127.0.0.1:1"));

        assertThat(failureOf(peerLink.send(FakeMember.message("a"), DEADLINE)).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
        assertThat(reason).isEqualTo("cannot be reached at its address");
    }

    @Test
    void state_noListener_countsUnconfirmedMessagesUntilItIsClosed() {
        PeerLink peerLink = open(Member.entering("127.0.0.1:1"));
        assertThat(peerLink.state()).isEqualTo(new PeerLinkStatus(false, 0, 0, MOST_BYTES));

        Future<DeliveryOutcome> outcome = peerLink.send(FakeMember.message("a"), Duration.ofDays(1));

        assertThat(peerLink.state().unackedMessages()).isOne();
        assertThat(peerLink.state().unackedBytes()).isPositive();
        assertThat(outcome.isComplete()).isFalse();
        peerLink.close(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));
        assertThat(peerLink.state().unackedMessages()).isZero();
    }

    @Test
    void state_memberListens_isConnectedAndCountsWhatWasSentToo() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Behaviour.ANSWERS_ONLY_STATE);
        PeerLink peerLink = open(member);
        until(() -> peerLink.state().isConnected());

        Future<DeliveryOutcome> outcome = peerLink.send(FakeMember.message("a"), Duration.ofDays(1));

        until(() -> member.received.contains(FakeMember.message("a")));
        assertThat(peerLink.state().unackedMessages()).isOne();
        assertThat(outcome.isComplete()).isFalse();
    }

    @Test
    void link_breaksAtEachMessage_memberIsSilentThoughItLives() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Behaviour.BREAKS);
        PeerLink unused = open(member);

        assertSilentWhileConnected(member);
    }

    @Test
    void link_breaksRepeatedlyAfterASoundBeginning_memberIsSilent() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Behaviour.BREAKS_LATER);
        PeerLink unused = open(member);

        assertSilentWhileConnected(member);
    }

    @Test
    void link_memberReadsNoMore_isSilentThoughItSendsHeartbeats() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Behaviour.READS_NO_MORE);
        PeerLink peerLink = open(member);
        until(() -> !member.received.isEmpty());
        LockSupport.parkNanos(PATIENCE.multipliedBy(2).toNanos());
        silences.set(0);
        List<Future<DeliveryOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            outcomes.add(peerLink.send(FakeMember.message("k".repeat(100_000)), Duration.ofDays(1)));
        }

        until(() -> silences.get() > 0);
        assertThat(reason).isEqualTo("does not read messages");
        assertThat(outcomes).noneMatch(Future::isComplete);
    }

    /** The member never receives dropped messages, so it must receive no later ones either. */
    @Test
    void link_tooMuchIsUnacknowledged_failsEverythingAndSendsNothingMore() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Behaviour.ANSWERS_ONLY_STATE);
        PeerLink peerLink = open(member);
        List<Future<DeliveryOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            outcomes.add(peerLink.send(FakeMember.message("k".repeat(100_000)), Duration.ofDays(1)));
        }

        // the event loop completes them one after the other
        awaitAll(outcomes);

        assertThat(outcomes).allMatch(each -> failureOf(each).code() == ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
        assertThat(reason).isEqualTo("does not acknowledge messages");
        assertThat(failureOf(peerLink.send(FakeMember.message("a"), Duration.ofDays(1)))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        int connections = member.connections.get();
        LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        assertThat(member.connections).hasValue(connections);
        assertThat(member.received.contains(FakeMember.message("a"))).isFalse();

        peerLink.close(Future.succeededFuture(DeliveryOutcome.MEMBERSHIP_ENDED));
        assertThat(await(peerLink.send(FakeMember.message("a"), Duration.ofDays(1))))
                .isEqualTo(DeliveryOutcome.MEMBERSHIP_ENDED);
    }

    /** Such a listener could acknowledge everything. */
    @Test
    void link_listenerWithoutTheSecret_receivesNothing() {
        FakeMember member = new FakeMember(
                vertx, "guessed".getBytes(StandardCharsets.UTF_8), FakeMember.Behaviour.ANSWERS_ONLY_STATE);
        PeerLink peerLink = open(member);

        assertThat(failureOf(peerLink.send(FakeMember.message("a"), DEADLINE)).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
        assertThat(member.connections.get()).isPositive();
        assertThat(member.received).isEmpty();
    }

    private PeerLink open(FakeMember fake) {
        Member member = Member.entering(fake.open());
        fake.become(member);
        return open(member);
    }

    private PeerLink open(Member member) {
        PeerLink peerLink = new PeerLink(
                vertx,
                vertx.createNetClient(new NetClientOptions().setSendBufferSize(8_192)),
                member,
                new PeerLink.PeerLinkContext(self, PeerTls.of(SECRET), PeerLinkTest::state, this::recordSuspicion),
                CONFIG);
        peerLink.open();
        return peerLink;
    }

    private void recordSuspicion(String because) {
        reason = because;
        silences.incrementAndGet();
    }

    /** Asserts silence also after the first attempts, which may take longer. */
    private void assertSilentWhileConnected(FakeMember member) {
        until(() -> member.connections.get() > 3);
        silences.set(0);
        until(() -> silences.get() > 0 && member.connections.get() > 5);
    }

    private static Iterator<BsonDocument> state() {
        return List.of(FakeMember.STATE).iterator();
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("too late").isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}

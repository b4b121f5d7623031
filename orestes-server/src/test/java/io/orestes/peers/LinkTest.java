package io.orestes.peers;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.sketch.SketchMemory;
import io.orestes.coordination.Member;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClientOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that misbehave while nobody can evict them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LinkTest {

    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final int MOST_BYTES = 8 << 20;
    private static final GroupConfig CONFIG =
            new GroupConfig("127.0.0.1", 0, PATIENCE, DEADLINE, Duration.ZERO, Duration.ofHours(1), MOST_BYTES);

    private final Vertx vertx = Vertx.vertx();
    private final Member self = Member.entering("");
    private final AtomicInteger silences = new AtomicInteger();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void tell_nobodyListens_waitsNoLongerThanTheDeadline() {
        Link link = open(Member.entering("127.0.0.1:1"));

        assertThat(failureOf(link.tell(new Message.Stale("a"), DEADLINE)).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
    }

    @Test
    void state_nobodyListens_tellsWhatIsNotConfirmedUntilItIsClosed() {
        Link link = open(Member.entering("127.0.0.1:1"));
        assertThat(link.state()).isEqualTo(new LinkState(false, 0, 0, MOST_BYTES));

        Future<Confirmation> told = link.tell(new Message.Stale("a"), Duration.ofDays(1));

        assertThat(link.state().unanswered()).isOne();
        assertThat(link.state().bytes()).isPositive();
        assertThat(told.isComplete()).isFalse();
        link.close(Future.succeededFuture(Confirmation.GONE));
        assertThat(link.state().unanswered()).isZero();
    }

    @Test
    void state_memberListens_isConnectedAndCountsWhatWasSentToo() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Manner.ANSWERS_ONLY_STATE);
        Link link = open(member);
        until(() -> link.state().isConnected());

        Future<Confirmation> told = link.tell(new Message.Stale("a"), Duration.ofDays(1));

        until(() -> member.heard.contains(new Message.Stale("a")));
        assertThat(link.state().unanswered()).isOne();
        assertThat(told.isComplete()).isFalse();
    }

    @Test
    void link_breaksWheneverItTellsSomething_memberIsSilentThoughItLives() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Manner.BREAKS);
        Link unused = open(member);

        assertSilentWhileConnected(member);
    }

    @Test
    void link_breaksAgainAndAgainAfterASoundBeginning_memberIsSilent() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Manner.BREAKS_LATER);
        Link unused = open(member);

        assertSilentWhileConnected(member);
    }

    @Test
    void link_memberReadsNoMore_isSilentThoughItSaysThatItLives() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Manner.READS_NO_MORE);
        Link link = open(member);
        until(() -> !member.heard.isEmpty());
        LockSupport.parkNanos(PATIENCE.multipliedBy(2).toNanos());
        silences.set(0);
        List<Future<Confirmation>> told = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            told.add(link.tell(new Message.Stale("k".repeat(100_000)), Duration.ofDays(1)));
        }

        until(() -> silences.get() > 0);
        assertThat(told).noneMatch(Future::isComplete);
    }

    /** What was dropped it never hears, so it must not be told what comes after either. */
    @Test
    void link_tooMuchIsUnanswered_nothingCountsAsKnownAndNothingIsToldAnyMore() {
        FakeMember member = new FakeMember(vertx, SECRET, FakeMember.Manner.ANSWERS_ONLY_STATE);
        Link link = open(member);
        List<Future<Confirmation>> told = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            told.add(link.tell(new Message.Stale("k".repeat(100_000)), Duration.ofDays(1)));
        }

        // the event loop answers them one after the other
        awaitAll(told);

        assertThat(told).allMatch(each -> failureOf(each).code() == ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
        assertThat(failureOf(link.tell(new Message.Stale("a"), Duration.ofDays(1)))
                        .code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        assertThat(member.connections).hasValue(1);
        assertThat(member.heard.contains(new Message.Stale("a"))).isFalse();

        link.close(Future.succeededFuture(Confirmation.GONE));
        assertThat(await(link.tell(new Message.Stale("a"), Duration.ofDays(1)))).isEqualTo(Confirmation.GONE);
    }

    /** It could say that it has heard everything. */
    @Test
    void link_whoListensDoesNotKnowTheSecret_isToldNothing() {
        FakeMember member =
                new FakeMember(vertx, "guessed".getBytes(StandardCharsets.UTF_8), FakeMember.Manner.ANSWERS_ONLY_STATE);
        Link link = open(member);

        assertThat(failureOf(link.tell(new Message.Stale("a"), DEADLINE)).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
        until(() -> silences.get() > 0);
        assertThat(member.connections.get()).isPositive();
        assertThat(member.heard).isEmpty();
    }

    private Link open(FakeMember fake) {
        Member member = Member.entering(fake.open());
        fake.become(member);
        return open(member);
    }

    private Link open(Member member) {
        Link link = new Link(
                vertx,
                vertx.createWebSocketClient(new WebSocketClientOptions().setSendBufferSize(8_192)),
                member,
                new Link.Dialing(self, new Greeting(SECRET), LinkTest::state, silences::incrementAndGet),
                CONFIG);
        link.open();
        return link;
    }

    /** Also when the first attempts, which may take their time, are over. */
    private void assertSilentWhileConnected(FakeMember member) {
        until(() -> member.connections.get() > 3);
        silences.set(0);
        until(() -> silences.get() > 0 && member.connections.get() > 5);
    }

    private static Iterator<Message> state() {
        return new StateParts(new SketchMemory(0, 0, List.of()), true);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("too late").isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}

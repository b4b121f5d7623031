package io.orestes.coordination;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Contract of every {@link Coordinator} for membership and leader election. */
public abstract class CoordinatorContract extends GroupFixture {

    @Test
    void join_severalServers_seeEachOther() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");

        eventually(() -> a.members().size() == 2);
        assertThat(infos(b)).containsExactlyInAnyOrder("a", "b");
        assertThat(a.members()).isEqualTo(b.members()).isSortedAccordingTo((x, y) -> x.id().compareTo(y.id()));
        assertThat(a.members()).allMatch(member -> member.id().matches("[0-9a-f]{16}"));
    }

    @Test
    void join_ofAMember_isRefused() {
        Coordinator a = joined("a");

        assertThatThrownBy(() -> await(a.join("again"))).isInstanceOf(IllegalStateException.class);
        assertThat(infos(a)).containsExactly("a");
    }

    @Test
    void isCurrent_onlyFromJoiningToLeaving() {
        Coordinator a = server(NO_TRANSACTIONS);

        assertThat(a.isCurrent()).isFalse();
        assertThat(a.members()).isEmpty();
        Member first = await(a.join("a"));
        assertThat(a.isCurrent()).isTrue();
        await(a.leave());
        assertThat(a.isCurrent()).isFalse();
        assertThat(a.members()).isEmpty();
        assertThat(await(a.join("a")).id()).isNotEqualTo(first.id());
        assertThat(a.isCurrent()).isTrue();
    }

    @Test
    void join_fromAnEventLoop_completesThere() {
        Coordinator a = server(NO_TRANSACTIONS);
        Context home = vertx.getOrCreateContext();
        Promise<Context> seen = Promise.promise();

        home.runOnContext(
                begin -> a.join("a").map(joined -> Vertx.currentContext()).onComplete(seen));

        assertThat(await(seen.future())).isEqualTo(home);
    }

    @Test
    void listen_always_reportsPresentJoiningAndLeavingMembers() {
        Coordinator a = joined("a");
        Coordinator b = server(NO_TRANSACTIONS);
        RecordingListener journal = new RecordingListener();
        b.listen(journal);

        Member self = await(b.join("b"));
        Coordinator c = joined("c");
        eventually(() -> journal.joined.size() == 3);
        await(a.leave());
        await(c.leave());
        eventually(() -> journal.gone.size() == 2);

        assertThat(journal.joined.subList(0, 2)).extracting(Member::info).containsExactlyInAnyOrder("a", "b");
        assertThat(journal.gone).extracting(Member::info).containsExactly("a", "c");
        assertThat(b.members()).containsExactly(self);
        assertThat(journal.lost).isEmpty();
    }

    @Test
    void evict_aMember_isNotifiedAndItsLeaseEndsBeforeOthersSeeItLeave() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        RecordingListener lost = new RecordingListener();
        a.listen(lost);
        List<Boolean> currentWhenGone = new CopyOnWriteArrayList<>();
        b.listen(new MembershipListener() {
            @Override
            public void memberLeft(Member member) {
                currentWhenGone.add(a.isCurrent());
            }
        });
        eventually(() -> b.members().size() == 2);

        await(b.evict(self(b, "a")));

        assertThat(a.isCurrent()).isFalse();
        assertThat(infos(b)).containsExactly("b");
        eventually(() -> lost.lost.size() == 1 && currentWhenGone.size() == 1);
        assertThat(currentWhenGone).containsExactly(false);
        assertThat(a.members()).isEmpty();
    }

    @Test
    void evict_departedMember_isDoneAtOnce() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        Member member = self(b, "b");
        await(b.leave());

        await(a.evict(member));

        assertThat(infos(a)).containsExactly("a");
        assertThat(a.isCurrent()).isTrue();
    }

    @Test
    void evict_eachOther_oneWins() {
        for (int round = 0; round < 5; round++) {
            Coordinator a = joined("a");
            Coordinator b = joined("b");
            eventually(() -> a.members().size() == 2 && b.members().size() == 2);

            Member memberA = self(b, "a");
            Member memberB = self(a, "b");
            List<Future<Void>> duel = List.of(a.evict(memberB), b.evict(memberA));
            awaitAll(duel);

            assertThat(duel.stream().filter(Future::succeeded)).hasSize(1);
            Coordinator winner = duel.get(0).succeeded() ? a : b;
            Coordinator loser = duel.get(0).succeeded() ? b : a;
            assertThat(winner.isCurrent()).isTrue();
            assertThat(loser.isCurrent()).isFalse();
            await(winner.leave());
        }
    }

    @Test
    void evict_byANonMember_isRefused() {
        Coordinator a = joined("a");
        Coordinator b = server(NO_TRANSACTIONS);

        assertThat(failureOf(b.evict(self(a, "a"))).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(a.isCurrent()).isTrue();
    }

    @Test
    void join_afterBeingLost_isAnotherMember() {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        RecordingListener journal = new RecordingListener();
        a.listen(journal);
        eventually(() -> b.members().size() == 2);
        Member before = self(b, "a");

        await(b.evict(before));
        eventually(() -> journal.lost.size() == 1);
        Member after = await(a.join("a"));

        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(a.isCurrent()).isTrue();
        eventually(() -> b.members().contains(after));
        assertThat(b.members()).doesNotContain(before);
    }

    @Test
    void lead_ofSeveral_isOneAtATimeAndNumbered() throws InterruptedException {
        List<Coordinator> servers = List.of(joined("a"), joined("b"), joined("c"));
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();
        servers.forEach(server -> lead(server, terms));

        LeaderTerm first = next(terms);
        assertThat(first.term().isCurrent()).isTrue();
        await(first.server().leave());
        LeaderTerm second = next(terms);
        await(second.server().leave());
        LeaderTerm third = next(terms);

        assertThat(Stream.of(first, second, third).map(LeaderTerm::server)).doesNotHaveDuplicates();
        assertThat(second.term().fencingToken()).isGreaterThan(first.term().fencingToken());
        assertThat(third.term().fencingToken()).isGreaterThan(second.term().fencingToken());
        assertThat(List.of(
                        first.term().isCurrent(),
                        second.term().isCurrent(),
                        third.term().isCurrent()))
                .containsExactly(false, false, true);
        await(first.term().ended());
        assertThat(terms).isEmpty();
    }

    @Test
    void leader_always_isKnownToAllUntilItWithdraws() throws InterruptedException {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();
        assertThat(await(b.leader("work"))).isEmpty();

        Coordinator.Candidacy candidacy = lead(a, terms);
        next(terms);

        assertThat(await(b.leader("work"))).contains(self(a, "a").id());
        assertThat(await(a.leader("work"))).isEqualTo(await(b.leader("work")));
        assertThat(await(a.leader("other-work"))).isEmpty();
        await(candidacy.withdraw());
        assertThat(await(b.leader("work"))).isEmpty();
    }

    @Test
    void lead_withdrawn_isForOthers() throws InterruptedException {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();
        Coordinator.Candidacy candidacy = lead(a, terms);
        LeaderTerm first = next(terms);
        Coordinator.Candidacy other = lead(b, terms);

        await(candidacy.withdraw());

        await(first.term().ended());
        LeaderTerm second = next(terms);
        assertThat(second.server()).isSameAs(b);
        assertThat(second.term().fencingToken()).isGreaterThan(first.term().fencingToken());
        await(other.withdraw());
        assertThat(second.term().isCurrent()).isFalse();
    }

    @Test
    void lead_evicted_endsBeforeTheNextBegins() throws InterruptedException {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();
        lead(a, terms);
        LeaderTerm first = next(terms);
        BlockingQueue<Boolean> overlapping = new LinkedBlockingQueue<>();
        Coordinator.Candidacy other = b.runForLeader("work", term -> {
            overlapping.add(first.term().isCurrent());
            terms.add(new LeaderTerm(b, term));
        });
        eventually(() -> b.members().size() == 2);

        await(b.evict(self(b, "a")));
        LeaderTerm second = next(terms);

        assertThat(overlapping).containsExactly(false);
        assertThat(second.term().fencingToken()).isGreaterThan(first.term().fencingToken());
        assertThat(await(a.join("a")).info()).isEqualTo("a");
        await(other.withdraw());
        LeaderTerm third = next(terms);
        assertThat(third.server()).isSameAs(a);
        assertThat(third.term().fencingToken()).isGreaterThan(second.term().fencingToken());
    }

    @Test
    void lead_twice_isRefused() throws InterruptedException {
        Coordinator a = joined("a");
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();
        Coordinator.Candidacy candidacy = lead(a, terms);

        assertThatThrownBy(() -> lead(a, terms)).isInstanceOf(IllegalStateException.class);
        LeaderTerm first = next(terms);
        await(candidacy.withdraw());
        lead(a, terms);
        assertThat(next(terms).term().fencingToken()).isGreaterThan(first.term().fencingToken());
    }

    @Test
    void lead_differentTasks_doNotMeet() throws InterruptedException {
        Coordinator a = joined("a");
        Coordinator b = joined("b");
        BlockingQueue<LeaderTerm> terms = new LinkedBlockingQueue<>();

        lead(a, terms);
        Coordinator.Candidacy other = b.runForLeader("other-work", term -> terms.add(new LeaderTerm(b, term)));

        assertThat(List.of(next(terms).server(), next(terms).server())).containsExactlyInAnyOrder(a, b);
        await(other.withdraw());
    }

    /** A term with its leader. */
    private record LeaderTerm(Coordinator server, Term term) {}

    private static Coordinator.Candidacy lead(Coordinator server, BlockingQueue<LeaderTerm> terms) {
        return server.runForLeader("work", term -> terms.add(new LeaderTerm(server, term)));
    }

    private static LeaderTerm next(BlockingQueue<LeaderTerm> terms) throws InterruptedException {
        LeaderTerm next = terms.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private static List<String> infos(Coordinator server) {
        return server.members().stream().map(Member::info).toList();
    }

    /** Records the calls of a listener. */
    private static final class RecordingListener implements MembershipListener {

        private final List<Member> joined = new CopyOnWriteArrayList<>();
        private final List<Member> gone = new CopyOnWriteArrayList<>();
        private final List<Boolean> lost = new CopyOnWriteArrayList<>();

        @Override
        public void memberJoined(Member member) {
            joined.add(member);
        }

        @Override
        public void memberLeft(Member member) {
            gone.add(member);
        }

        @Override
        public void membershipLost() {
            lost.add(true);
        }
    }
}

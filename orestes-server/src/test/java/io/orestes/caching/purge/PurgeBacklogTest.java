package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PurgeBacklogTest {

    private static final long MAX_COPY_AGE = 1000;
    private static final long REPETITION_DELAY = 100;

    private final PurgeBacklog purgeBacklog = new PurgeBacklog(3, MAX_COPY_AGE, REPETITION_DELAY);

    private static PurgeRequest order(String path) {
        return new PurgeRequest(path, false);
    }

    private List<String> send(long now) {
        List<String> paths = new ArrayList<>();
        while (purgeBacklog.hasWaiting()) {
            purgeBacklog.next(now).ifPresent(purge -> paths.add(purge.order().path()));
        }
        return paths;
    }

    @Test
    void add_severalTimesBeforeItIsSent_isSentOnce() {
        purgeBacklog.add(order("/a"), 0);
        purgeBacklog.add(order("/b"), 0);
        purgeBacklog.add(order("/a"), 0);

        assertThat(send(0)).containsExactly("/a", "/b");
    }

    @Test
    void add_afterItWasSent_isSentAgain() {
        purgeBacklog.add(order("/a"), 0);
        assertThat(send(0)).containsExactly("/a");

        purgeBacklog.add(order("/a"), 0);

        assertThat(send(0)).containsExactly("/a");
        assertThat(purgeBacklog.size()).isEqualTo(2);
    }

    @Test
    void confirmedUpTo_twoOutstanding_isBeforeTheElder() {
        purgeBacklog.add(order("/a"), 0);
        purgeBacklog.add(order("/b"), 0);
        assertThat(purgeBacklog.confirmedUpTo()).isZero();
        assertThat(send(0)).hasSize(2);

        assertThat(purgeBacklog.confirmOldest(0).order()).isEqualTo(order("/a"));
        assertThat(purgeBacklog.confirmedUpTo()).isEqualTo(1);
        assertThat(purgeBacklog.confirmOldest(0).order()).isEqualTo(order("/b"));
        assertThat(purgeBacklog.confirmedUpTo()).isEqualTo(2);
    }

    @Test
    void confirmOldest_first_isRepeatedOnceAndLater() {
        purgeBacklog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);
        assertThat(purgeBacklog.confirmOldest(50).isFirst()).isTrue();
        assertThat(purgeBacklog.nextRepetition()).hasValue(150);

        purgeBacklog.repeatDue(149);
        assertThat(purgeBacklog.hasWaiting()).isFalse();
        purgeBacklog.repeatDue(150);

        assertThat(send(150)).containsExactly("/a");
        assertThat(purgeBacklog.confirmOldest(150).isFirst()).isFalse();
        assertThat(purgeBacklog.nextRepetition()).isEmpty();
    }

    @Test
    void add_whileItsRepetitionWaits_isRepeatedOnceMore() {
        purgeBacklog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);
        assertThat(purgeBacklog.confirmOldest(0).isFirst()).isTrue();
        purgeBacklog.repeatDue(REPETITION_DELAY);

        purgeBacklog.add(order("/a"), REPETITION_DELAY);

        assertThat(send(REPETITION_DELAY)).containsExactly("/a");
        assertThat(purgeBacklog.confirmOldest(REPETITION_DELAY).isFirst()).isTrue();
    }

    @Test
    void requeueSent_sentAndWaiting_keepsTheOrder() {
        purgeBacklog.add(order("/a"), 0);
        purgeBacklog.add(order("/b"), 0);
        assertThat(send(0)).hasSize(2);
        purgeBacklog.add(order("/c"), 0);
        purgeBacklog.add(order("/a"), 0);

        purgeBacklog.requeueSent();

        assertThat(purgeBacklog.confirmedUpTo()).isZero();
        assertThat(send(0)).containsExactly("/a", "/b", "/c");
    }

    @Test
    void add_moreThanFit_becomesOnePurgeOfEverything() {
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            purgeBacklog.add(order(path), 0);
        }

        assertThat(purgeBacklog.next(0)).map(QueuedPurge::order).hasValue(PurgeRequest.EVERYTHING);
        assertThat(purgeBacklog.confirmedUpTo()).isZero();
        assertThat(purgeBacklog.confirmOldest(0).isFirst()).isTrue();
        assertThat(purgeBacklog.confirmedUpTo()).isEqualTo(4);
    }

    @Test
    void confirmOldest_moreThanCanBeRepeated_everythingIsRepeated() {
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            purgeBacklog.add(order(path), 0);
            assertThat(send(0)).containsExactly(path);
            assertThat(purgeBacklog.confirmOldest(0).order().path()).isEqualTo(path);
        }

        purgeBacklog.repeatDue(REPETITION_DELAY);

        assertThat(purgeBacklog.next(REPETITION_DELAY)).map(QueuedPurge::order).hasValue(PurgeRequest.EVERYTHING);
        assertThat(purgeBacklog.hasWaiting()).isFalse();
    }

    @Test
    void next_olderThanAnyCopy_isDropped() {
        purgeBacklog.add(order("/a"), 0);
        purgeBacklog.add(order("/b"), 0);
        purgeBacklog.add(order("/b"), 1);

        assertThat(send(MAX_COPY_AGE + 1)).containsExactly("/b");
        assertThat(purgeBacklog.takeOutlivedCount()).isEqualTo(1);
        assertThat(purgeBacklog.takeOutlivedCount()).isZero();
    }

    @Test
    void ageNanos_severalOutstanding_isThatOfTheEldest() {
        assertThat(purgeBacklog.ageNanos(7)).isZero();
        purgeBacklog.add(order("/a"), 0);
        purgeBacklog.add(order("/b"), 5);
        assertThat(purgeBacklog.ageNanos(7)).isEqualTo(7);
        assertThat(send(7)).hasSize(2);

        assertThat(purgeBacklog.confirmOldest(7).order()).isEqualTo(order("/a"));

        assertThat(purgeBacklog.ageNanos(7)).isEqualTo(2);
    }

    @Test
    void abandonOldest_sent_isNeitherOutstandingNorRepeated() {
        purgeBacklog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);

        purgeBacklog.abandonOldest();

        assertThat(purgeBacklog.confirmedUpTo()).isEqualTo(purgeBacklog.last());
        assertThat(purgeBacklog.nextRepetition()).isEmpty();
    }

    @Test
    void oldestReplacedAt_nothingToDo_isNow() {
        assertThat(purgeBacklog.oldestReplacedAt(7)).isEqualTo(7);
    }

    @Test
    void oldestReplacedAt_untilTheRepetitionIsConfirmed_isWhenItWasAdded() {
        purgeBacklog.add(order("/a"), 5);
        assertThat(purgeBacklog.oldestReplacedAt(7)).isEqualTo(5);
        assertThat(send(7)).hasSize(1);
        assertThat(purgeBacklog.oldestReplacedAt(8)).isEqualTo(5);
        assertThat(purgeBacklog.confirmOldest(9).oldestReplacedAt()).isEqualTo(5);
        assertThat(purgeBacklog.oldestReplacedAt(10)).isEqualTo(5);
        purgeBacklog.repeatDue(9 + REPETITION_DELAY);
        assertThat(send(9 + REPETITION_DELAY)).hasSize(1);
        assertThat(purgeBacklog.oldestReplacedAt(9 + REPETITION_DELAY)).isEqualTo(5);

        assertThat(purgeBacklog.confirmOldest(10 + REPETITION_DELAY).isFirst()).isFalse();

        assertThat(purgeBacklog.oldestReplacedAt(11 + REPETITION_DELAY)).isEqualTo(11 + REPETITION_DELAY);
    }

    @Test
    void oldestReplacedAt_orderThatStandsForEarlierOnes_isWhenTheseBegan() {
        purgeBacklog.add(order("/a"), 5, -3);

        assertThat(purgeBacklog.oldestReplacedAt(7)).isEqualTo(-3);
    }

    /**
     * A purge is complete after two confirmations: of an order sent after it, and of one sent the
     * repetition delay after the first confirmation.
     */
    @Test
    void oldestReplacedAt_whateverHappens_isNotAfterWhatWasNotConfirmedTwice() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            BacklogModel tested = new BacklogModel(random);
            for (int step = 0; step < 300; step++) {
                tested.step(random);
                assertThat(tested.purgeBacklog.oldestReplacedAt(tested.now))
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(tested.eldest());
            }
            tested.finish();
            assertThat(tested.purgeBacklog.oldestReplacedAt(tested.now))
                    .as("seed %d", seed)
                    .isEqualTo(tested.now);
            assertThat(tested.eldest()).as("seed %d", seed).isEqualTo(tested.now);
        }
    }

    /**
     * A backlog with the requested purges that are not complete; the time passes with each step.
     */
    private static final class BacklogModel {
        private final PurgeBacklog purgeBacklog;
        private final List<RequestedPurge> asked = new ArrayList<>();
        private final ArrayDeque<Long> sentAt = new ArrayDeque<>();
        private long now;

        private BacklogModel(Random random) {
            purgeBacklog = new PurgeBacklog(1 + random.nextInt(4), Long.MAX_VALUE, REPETITION_DELAY);
        }

        private record RequestedPurge(PurgeRequest order, long at, OptionalLong confirmedAt) {

            private boolean isMeant(PurgeRequest done) {
                return done.equals(order) || done.equals(PurgeRequest.EVERYTHING);
            }
        }

        private long eldest() {
            return asked.stream().mapToLong(RequestedPurge::at).min().orElse(now);
        }

        private void step(Random random) {
            now += 1 + random.nextInt(20);
            switch (random.nextInt(5)) {
                case 0 -> ask(order("/" + random.nextInt(6)));
                case 1 -> sendOne();
                case 2 -> confirmOne();
                case 3 -> purgeBacklog.repeatDue(now);
                default -> loseConnection(random);
            }
        }

        private void ask(PurgeRequest order) {
            asked.add(new RequestedPurge(order, now, OptionalLong.empty()));
            purgeBacklog.add(order, now);
        }

        private void sendOne() {
            if (purgeBacklog.hasWaiting()) {
                assertThat(purgeBacklog.next(now)).isPresent();
                sentAt.add(now);
            }
        }

        private void confirmOne() {
            if (purgeBacklog.sentCount() > 0) {
                long sent = sentAt.remove();
                PurgeRequest done = purgeBacklog.confirmOldest(now).order();
                asked.replaceAll(each -> each.isMeant(done) ? confirmed(each, sent) : each);
                asked.removeIf(each -> each.confirmedAt.orElse(0) == Long.MAX_VALUE);
            }
        }

        private RequestedPurge confirmed(RequestedPurge each, long sent) {
            if (each.confirmedAt.isEmpty()) {
                return sent >= each.at ? new RequestedPurge(each.order, each.at, OptionalLong.of(now)) : each;
            }
            boolean isOver = sent >= each.confirmedAt.getAsLong() + REPETITION_DELAY;
            return isOver ? new RequestedPurge(each.order, each.at, OptionalLong.of(Long.MAX_VALUE)) : each;
        }

        private void loseConnection(Random random) {
            if (random.nextInt(10) == 0) {
                purgeBacklog.requeueSent();
                sentAt.clear();
            }
        }

        private void finish() {
            for (int round = 0; round < 3; round++) {
                now += REPETITION_DELAY;
                purgeBacklog.repeatDue(now);
                while (purgeBacklog.hasWaiting()) {
                    sendOne();
                }
                while (purgeBacklog.sentCount() > 0) {
                    confirmOne();
                }
            }
        }
    }

    @Test
    void everyOrder_whateverHappens_isConfirmedAfterItWasAddedOrEverythingIs() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            PurgeBacklog tested = new PurgeBacklog(1 + random.nextInt(4), Long.MAX_VALUE, REPETITION_DELAY);
            Set<String> stale = new TreeSet<>();
            for (int step = 0; step < 300; step++) {
                step(tested, stale, random);
            }
            tested.requeueSent();
            while (tested.hasWaiting()) {
                assertThat(tested.next(0)).isPresent();
                forget(stale, tested.confirmOldest(0).order());
            }
            assertThat(stale).as("seed %d", seed).isEmpty();
            assertThat(tested.confirmedUpTo()).isEqualTo(tested.last());
        }
    }

    private static void step(PurgeBacklog purgeBacklog, Set<String> stale, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                String path = "/" + random.nextInt(6);
                stale.add(path);
                purgeBacklog.add(order(path), 0);
            }
            case 1 -> {
                if (purgeBacklog.hasWaiting()) {
                    assertThat(purgeBacklog.next(0)).isPresent();
                }
            }
            case 2 -> {
                if (purgeBacklog.sentCount() > 0 && random.nextInt(3) == 0) {
                    purgeBacklog.requeueSent();
                }
            }
            default -> {
                if (purgeBacklog.sentCount() > 0) {
                    forget(stale, purgeBacklog.confirmOldest(0).order());
                }
            }
        }
    }

    /**
     * Removes purged paths. A path that was written after the purge was sent is added again and
     * appears later.
     */
    private static void forget(Set<String> stale, PurgeRequest done) {
        if (done.isPrefix()) {
            stale.clear();
        } else {
            stale.remove(done.path());
        }
    }
}

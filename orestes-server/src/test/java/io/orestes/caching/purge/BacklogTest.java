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

final class BacklogTest {

    private static final long KEPT = 1000;
    private static final long AGAIN = 100;

    private final Backlog backlog = new Backlog(3, KEPT, AGAIN);

    private static Order order(String path) {
        return new Order(path, false);
    }

    private List<String> send(long now) {
        List<String> paths = new ArrayList<>();
        while (backlog.hasWaiting()) {
            backlog.next(now).ifPresent(purge -> paths.add(purge.order().path()));
        }
        return paths;
    }

    @Test
    void add_severalTimesBeforeItIsSent_isSentOnce() {
        backlog.add(order("/a"), 0);
        backlog.add(order("/b"), 0);
        backlog.add(order("/a"), 0);

        assertThat(send(0)).containsExactly("/a", "/b");
    }

    @Test
    void add_afterItWasSent_isSentAgain() {
        backlog.add(order("/a"), 0);
        assertThat(send(0)).containsExactly("/a");

        backlog.add(order("/a"), 0);

        assertThat(send(0)).containsExactly("/a");
        assertThat(backlog.size()).isEqualTo(2);
    }

    @Test
    void confirmedUpTo_twoOutstanding_isBeforeTheElder() {
        backlog.add(order("/a"), 0);
        backlog.add(order("/b"), 0);
        assertThat(backlog.confirmedUpTo()).isZero();
        assertThat(send(0)).hasSize(2);

        assertThat(backlog.confirm(0).order()).isEqualTo(order("/a"));
        assertThat(backlog.confirmedUpTo()).isEqualTo(1);
        assertThat(backlog.confirm(0).order()).isEqualTo(order("/b"));
        assertThat(backlog.confirmedUpTo()).isEqualTo(2);
    }

    @Test
    void confirm_first_isRepeatedOnceAndLater() {
        backlog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);
        assertThat(backlog.confirm(50).isFirst()).isTrue();
        assertThat(backlog.nextRepetition()).hasValue(150);

        backlog.repeatDue(149);
        assertThat(backlog.hasWaiting()).isFalse();
        backlog.repeatDue(150);

        assertThat(send(150)).containsExactly("/a");
        assertThat(backlog.confirm(150).isFirst()).isFalse();
        assertThat(backlog.nextRepetition()).isEmpty();
    }

    @Test
    void add_whileItsRepetitionWaits_isRepeatedOnceMore() {
        backlog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);
        assertThat(backlog.confirm(0).isFirst()).isTrue();
        backlog.repeatDue(AGAIN);

        backlog.add(order("/a"), AGAIN);

        assertThat(send(AGAIN)).containsExactly("/a");
        assertThat(backlog.confirm(AGAIN).isFirst()).isTrue();
    }

    @Test
    void giveBack_sentAndWaiting_keepsTheOrder() {
        backlog.add(order("/a"), 0);
        backlog.add(order("/b"), 0);
        assertThat(send(0)).hasSize(2);
        backlog.add(order("/c"), 0);
        backlog.add(order("/a"), 0);

        backlog.giveBack();

        assertThat(backlog.confirmedUpTo()).isZero();
        assertThat(send(0)).containsExactly("/a", "/b", "/c");
    }

    @Test
    void add_moreThanFit_becomesOneOrderToForgetEverything() {
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            backlog.add(order(path), 0);
        }

        assertThat(backlog.next(0)).map(Purge::order).hasValue(Order.EVERYTHING);
        assertThat(backlog.confirmedUpTo()).isZero();
        assertThat(backlog.confirm(0).isFirst()).isTrue();
        assertThat(backlog.confirmedUpTo()).isEqualTo(4);
    }

    @Test
    void confirm_moreThanCanBeRepeated_everythingIsRepeated() {
        for (String path : List.of("/a", "/b", "/c", "/d")) {
            backlog.add(order(path), 0);
            assertThat(send(0)).containsExactly(path);
            assertThat(backlog.confirm(0).order().path()).isEqualTo(path);
        }

        backlog.repeatDue(AGAIN);

        assertThat(backlog.next(AGAIN)).map(Purge::order).hasValue(Order.EVERYTHING);
        assertThat(backlog.hasWaiting()).isFalse();
    }

    @Test
    void next_olderThanAnyCopy_isDropped() {
        backlog.add(order("/a"), 0);
        backlog.add(order("/b"), 0);
        backlog.add(order("/b"), 1);

        assertThat(send(KEPT + 1)).containsExactly("/b");
        assertThat(backlog.takeOutlivedCount()).isEqualTo(1);
        assertThat(backlog.takeOutlivedCount()).isZero();
    }

    @Test
    void ageNanos_severalOutstanding_isThatOfTheEldest() {
        assertThat(backlog.ageNanos(7)).isZero();
        backlog.add(order("/a"), 0);
        backlog.add(order("/b"), 5);
        assertThat(backlog.ageNanos(7)).isEqualTo(7);
        assertThat(send(7)).hasSize(2);

        assertThat(backlog.confirm(7).order()).isEqualTo(order("/a"));

        assertThat(backlog.ageNanos(7)).isEqualTo(2);
    }

    @Test
    void giveUp_sent_isNeitherOutstandingNorRepeated() {
        backlog.add(order("/a"), 0);
        assertThat(send(0)).hasSize(1);

        backlog.giveUp();

        assertThat(backlog.confirmedUpTo()).isEqualTo(backlog.last());
        assertThat(backlog.nextRepetition()).isEmpty();
    }

    @Test
    void from_nothingToDo_isNow() {
        assertThat(backlog.from(7)).isEqualTo(7);
    }

    @Test
    void from_untilTheRepetitionIsConfirmed_isWhenItWasAdded() {
        backlog.add(order("/a"), 5);
        assertThat(backlog.from(7)).isEqualTo(5);
        assertThat(send(7)).hasSize(1);
        assertThat(backlog.from(8)).isEqualTo(5);
        assertThat(backlog.confirm(9).from()).isEqualTo(5);
        assertThat(backlog.from(10)).isEqualTo(5);
        backlog.repeatDue(9 + AGAIN);
        assertThat(send(9 + AGAIN)).hasSize(1);
        assertThat(backlog.from(9 + AGAIN)).isEqualTo(5);

        assertThat(backlog.confirm(10 + AGAIN).isFirst()).isFalse();

        assertThat(backlog.from(11 + AGAIN)).isEqualTo(11 + AGAIN);
    }

    @Test
    void from_orderThatStandsForEarlierOnes_isWhenTheseBegan() {
        backlog.add(order("/a"), 5, -3);

        assertThat(backlog.from(7)).isEqualTo(-3);
    }

    /** Something is over when it was confirmed by an order sent after it, and by another one sent so much later. */
    @Test
    void from_whateverHappens_isNotAfterWhatWasNotConfirmedTwice() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            TwiceConfirmed tested = new TwiceConfirmed(random);
            for (int step = 0; step < 300; step++) {
                tested.step(random);
                assertThat(tested.backlog.from(tested.now)).as("seed %d", seed).isLessThanOrEqualTo(tested.eldest());
            }
            tested.finish();
            assertThat(tested.backlog.from(tested.now)).as("seed %d", seed).isEqualTo(tested.now);
            assertThat(tested.eldest()).as("seed %d", seed).isEqualTo(tested.now);
        }
    }

    /** A backlog, and what was asked for and is not over; one unit of time passes with each step. */
    private static final class TwiceConfirmed {
        private final Backlog backlog;
        private final List<Asked> asked = new ArrayList<>();
        private final ArrayDeque<Long> sentAt = new ArrayDeque<>();
        private long now;

        private TwiceConfirmed(Random random) {
            backlog = new Backlog(1 + random.nextInt(4), Long.MAX_VALUE, AGAIN);
        }

        private record Asked(Order order, long at, OptionalLong confirmedAt) {

            private boolean isMeant(Order done) {
                return done.equals(order) || done.equals(Order.EVERYTHING);
            }
        }

        private long eldest() {
            return asked.stream().mapToLong(Asked::at).min().orElse(now);
        }

        private void step(Random random) {
            now += 1 + random.nextInt(20);
            switch (random.nextInt(5)) {
                case 0 -> ask(order("/" + random.nextInt(6)));
                case 1 -> sendOne();
                case 2 -> confirmOne();
                case 3 -> backlog.repeatDue(now);
                default -> loseConnection(random);
            }
        }

        private void ask(Order order) {
            asked.add(new Asked(order, now, OptionalLong.empty()));
            backlog.add(order, now);
        }

        private void sendOne() {
            if (backlog.hasWaiting()) {
                assertThat(backlog.next(now)).isPresent();
                sentAt.add(now);
            }
        }

        private void confirmOne() {
            if (backlog.sentCount() > 0) {
                long sent = sentAt.remove();
                Order done = backlog.confirm(now).order();
                asked.replaceAll(each -> each.isMeant(done) ? confirmed(each, sent) : each);
                asked.removeIf(each -> each.confirmedAt.orElse(0) == Long.MAX_VALUE);
            }
        }

        private Asked confirmed(Asked each, long sent) {
            if (each.confirmedAt.isEmpty()) {
                return sent >= each.at ? new Asked(each.order, each.at, OptionalLong.of(now)) : each;
            }
            boolean isOver = sent >= each.confirmedAt.getAsLong() + AGAIN;
            return isOver ? new Asked(each.order, each.at, OptionalLong.of(Long.MAX_VALUE)) : each;
        }

        private void loseConnection(Random random) {
            if (random.nextInt(10) == 0) {
                backlog.giveBack();
                sentAt.clear();
            }
        }

        private void finish() {
            for (int round = 0; round < 3; round++) {
                now += AGAIN;
                backlog.repeatDue(now);
                while (backlog.hasWaiting()) {
                    sendOne();
                }
                while (backlog.sentCount() > 0) {
                    confirmOne();
                }
            }
        }
    }

    @Test
    void everyOrder_whateverHappens_isConfirmedAfterItWasAddedOrEverythingIs() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Backlog tested = new Backlog(1 + random.nextInt(4), Long.MAX_VALUE, AGAIN);
            Set<String> stale = new TreeSet<>();
            for (int step = 0; step < 300; step++) {
                step(tested, stale, random);
            }
            tested.giveBack();
            while (tested.hasWaiting()) {
                assertThat(tested.next(0)).isPresent();
                forget(stale, tested.confirm(0).order());
            }
            assertThat(stale).as("seed %d", seed).isEmpty();
            assertThat(tested.confirmedUpTo()).isEqualTo(tested.last());
        }
    }

    private static void step(Backlog backlog, Set<String> stale, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                String path = "/" + random.nextInt(6);
                stale.add(path);
                backlog.add(order(path), 0);
            }
            case 1 -> {
                if (backlog.hasWaiting()) {
                    assertThat(backlog.next(0)).isPresent();
                }
            }
            case 2 -> {
                if (backlog.sentCount() > 0 && random.nextInt(3) == 0) {
                    backlog.giveBack();
                }
            }
            default -> {
                if (backlog.sentCount() > 0) {
                    forget(stale, backlog.confirm(0).order());
                }
            }
        }
    }

    /** What was written after the purge was sent is added again and so comes up later. */
    private static void forget(Set<String> stale, Order done) {
        if (done.isBelow()) {
            stale.clear();
        } else {
            stale.remove(done.path());
        }
    }
}

package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

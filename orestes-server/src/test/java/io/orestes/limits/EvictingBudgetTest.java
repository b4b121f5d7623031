package io.orestes.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.limits.EvictingBudget.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class EvictingBudgetTest {

    private final List<String> evicted = new ArrayList<>();

    /** A budget of 100 bytes that evicts the largest share. */
    private final EvictingBudget largestFirst = new EvictingBudget(100, EvictionPolicy.largest());

    /** A budget of 100 bytes that evicts the oldest share at any age. */
    private final EvictingBudget oldestFirst = new EvictingBudget(100, EvictionPolicy.oldest(Duration.ofNanos(-1)));

    private Share share(EvictingBudget budget, String name, long bytes) {
        assertThat(budget.tryReserve(bytes)).isTrue();
        return budget.share(bytes, () -> evicted.add(name));
    }

    @Test
    void tryReserve_withinTheBudget_evictsNothing() {
        var unused = share(largestFirst, "a", 60);

        assertThat(largestFirst.tryReserve(40)).isTrue();
        assertThat(evicted).isEmpty();
        assertThat(largestFirst.usedBytes()).isEqualTo(100);
    }

    @Test
    void tryReserve_largestFirst_evictsLargerSharesOnly() {
        var small = share(largestFirst, "small", 20);
        var large = share(largestFirst, "large", 50);
        var middle = share(largestFirst, "middle", 30);

        assertThat(largestFirst.tryReserve(40)).isTrue();
        assertThat(evicted).containsExactly("large");
        assertThat(largestFirst.usedBytes()).isEqualTo(90);
        assertThat(List.of(small.end(), large.end(), middle.end())).containsExactly(true, false, true);
    }

    @Test
    void tryReserve_largestFirst_isRefusedIfNoShareIsLarger() {
        var unused = share(largestFirst, "a", 60);

        assertThat(largestFirst.tryReserve(60)).isFalse();
        assertThat(evicted).isEmpty();
        assertThat(largestFirst.usedBytes()).isEqualTo(60);
    }

    @Test
    void tryReserve_oldestFirst_evictsInTheOrderOfCreation() {
        var small = share(oldestFirst, "first", 10);
        var large = share(oldestFirst, "second", 50);
        var last = share(oldestFirst, "third", 40);

        assertThat(oldestFirst.tryReserve(30)).isTrue();
        assertThat(evicted).containsExactly("first", "second");
        assertThat(oldestFirst.usedBytes()).isEqualTo(70);
        assertThat(List.of(small.end(), large.end(), last.end())).containsExactly(false, false, true);
    }

    @Test
    void tryReserve_oldestFirst_isRefusedDuringTheGrace() {
        EvictingBudget budget = new EvictingBudget(100, EvictionPolicy.oldest(Duration.ofDays(1)));
        var unused = share(budget, "a", 60);

        assertThat(budget.tryReserve(60)).isFalse();
        assertThat(evicted).isEmpty();
    }

    @Test
    void tryReserve_alone_mayExceedTheBudget() {
        assertThat(largestFirst.tryReserve(1_000)).isTrue();
        assertThat(largestFirst.usedBytes()).isEqualTo(1_000);
    }

    @Test
    void tryReserve_bytesWithoutAShare_areNotEvicted() {
        assertThat(oldestFirst.tryReserve(100)).isTrue();

        assertThat(oldestFirst.tryReserve(1)).isFalse();
    }

    @Test
    void reserve_beyondTheBudget_evictsFirstAndAlwaysCounts() {
        var unused = share(oldestFirst, "a", 60);
        assertThat(oldestFirst.tryReserve(40)).isTrue();

        oldestFirst.reserve(80);

        assertThat(evicted).containsExactly("a");
        assertThat(oldestFirst.usedBytes()).isEqualTo(120);
    }

    @Test
    void tryResize_asTheLargest_isRefusedAndCountsAsBefore() {
        var other = share(largestFirst, "other", 60);
        Share growing = share(largestFirst, "growing", 30);

        assertThat(growing.tryResize(70)).isFalse();
        assertThat(largestFirst.usedBytes()).isEqualTo(90);
        assertThat(growing.tryResize(40)).isTrue();
        assertThat(other.tryResize(10)).isTrue();
        assertThat(growing.tryResize(90)).isTrue();
        assertThat(evicted).isEmpty();
    }

    @Test
    void tryResize_besideALargerShare_evictsThat() {
        var larger = share(largestFirst, "larger", 80);
        Share growing = share(largestFirst, "growing", 20);

        assertThat(growing.tryResize(40)).isTrue();
        assertThat(evicted).containsExactly("larger");
        assertThat(larger.end()).isFalse();
        assertThat(largestFirst.usedBytes()).isEqualTo(40);
    }

    @Test
    void tryResize_asTheOldest_evictsOthersOnly() {
        Share growing = share(oldestFirst, "growing", 40);
        var other = share(oldestFirst, "other", 50);

        assertThat(growing.tryResize(60)).isTrue();
        assertThat(evicted).containsExactly("other");
        assertThat(other.end()).isFalse();
        assertThat(oldestFirst.usedBytes()).isEqualTo(60);
    }

    @Test
    void tryResize_toLess_fitsAlsoBeyondTheBudget() {
        Share share = share(largestFirst, "share", 50);
        largestFirst.reserve(100);

        assertThat(share.tryResize(40)).isTrue();
        assertThat(evicted).isEmpty();
        assertThat(largestFirst.usedBytes()).isEqualTo(140);
    }

    @Test
    void tryResize_ofAShareThatIsAlone_mayExceedTheBudget() {
        Share alone = share(largestFirst, "alone", 10);

        assertThat(alone.tryResize(1_000)).isTrue();
        assertThat(largestFirst.usedBytes()).isEqualTo(1_000);
    }

    @Test
    void tryResize_afterTheEnd_countsNothing() {
        Share share = share(largestFirst, "a", 10);

        assertThat(share.end()).isTrue();
        assertThat(share.tryResize(50)).isTrue();
        assertThat(share.end()).isFalse();
        assertThat(largestFirst.usedBytes()).isZero();
    }

    @Test
    void evict_byItsOwner_happensOnce() {
        Share share = share(largestFirst, "a", 10);

        share.evict();
        share.evict();

        assertThat(evicted).containsExactly("a");
        assertThat(largestFirst.usedBytes()).isZero();
    }

    @Test
    void shares_ofManyThreads_leaveNothingBehind() throws Exception {
        EvictingBudget budget = new EvictingBudget(10_000, EvictionPolicy.oldest(Duration.ofNanos(-1)));
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Void>> work = Collections.nCopies(4, () -> {
                for (int i = 0; i < 50_000; i++) {
                    useShare(budget, i % 100 + 1);
                }
                return null;
            });
            for (Future<Void> done : pool.invokeAll(work)) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(budget.usedBytes()).isZero();
    }

    private static void useShare(EvictingBudget budget, long bytes) {
        budget.reserve(bytes);
        Share share = budget.share(bytes, () -> {});
        var unused = share.tryResize(bytes / 2);
        share.end();
    }
}

package io.orestes.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RecentLogEntriesTest {

    private static final long ROOMY = 64 << 20;

    @Test
    void page_withoutAPosition_isTheNewest() {
        RecentLogEntries recent = filled(100, "a", "b", "c");

        LogPage page = recent.page(newest(2));

        assertThat(messages(page)).containsExactly("b", "c");
        assertThat(page.next().sequence()).isEqualTo(3);
        assertThat(page.hasMore()).isFalse();
        assertThat(page.lost()).isZero();
    }

    @Test
    void page_behindAPosition_goesOnThere() {
        RecentLogEntries recent = filled(100, "a", "b", "c", "d");
        LogPosition begin = recent.page(newest(1)).next();

        LogPage first = recent.page(behind(new LogPosition(begin.log(), 1), 2));
        LogPage second = recent.page(behind(first.next(), 2));
        add(recent, "e");
        LogPage third = recent.page(behind(second.next(), 2));

        assertThat(messages(first)).containsExactly("b", "c");
        assertThat(first.hasMore()).isTrue();
        assertThat(messages(second)).containsExactly("d");
        assertThat(second.hasMore()).isFalse();
        assertThat(messages(third)).containsExactly("e");
    }

    @Test
    void page_ofAnotherLog_isTheNewestOfThisOne() {
        RecentLogEntries recent = filled(100, "a", "b");
        LogPosition foreign = filled(100, "x", "y", "z").page(newest(1)).next();

        LogPage page = recent.page(behind(foreign, 10));

        assertThat(messages(page)).containsExactly("a", "b");
        assertThat(page.next().log()).isNotEqualTo(foreign.log());
    }

    @Test
    void page_afterEntriesWereDropped_saysHowMany() {
        RecentLogEntries recent = filled(3, "a", "b", "c", "d", "e", "f");
        String log = recent.page(newest(1)).next().log();

        LogPage page = recent.page(behind(new LogPosition(log, 1), 10));

        assertThat(messages(page)).containsExactly("d", "e", "f");
        assertThat(page.lost()).isEqualTo(2);
        assertThat(page.dropped()).isEqualTo(3);
        assertThat(recent.page(behind(page.next(), 10)).lost()).isZero();
        assertThat(recent.page(newest(10)).lost()).isZero();
    }

    @Test
    void entries_ofMoreThanAllBytes_areDroppedOldestFirst() {
        RecentLogEntries recent = new RecentLogEntries(1_000_000, 1 << 20);

        IntStream.range(0, 1_000).forEach(i -> add(recent, i + "x".repeat(4_000)));

        LogPage page = recent.page(newest(1_000_000));
        long characters = page.entries().stream().mapToLong(LogEntry::length).sum();
        assertThat(2 * characters).isBetween(900_000L, 1L << 20);
        assertThat(page.next().sequence()).isEqualTo(1_000);
        assertThat(page.dropped() + page.entries().size()).isEqualTo(1_000);
    }

    @Test
    void page_ofLongEntries_isBounded() {
        RecentLogEntries recent = new RecentLogEntries(1_000, ROOMY);
        IntStream.range(0, 200).forEach(i -> add(recent, i + "x".repeat(10_000)));
        String log = recent.page(newest(1)).next().log();

        LogPage last = recent.page(newest(1_000));
        List<LogEntry> all = new ArrayList<>();
        LogPage page = recent.page(behind(new LogPosition(log, 0), 1_000));
        all.addAll(page.entries());
        while (page.hasMore()) {
            assertThat(characters(page)).isLessThanOrEqualTo(RecentLogEntries.MAX_PAGE_CHARACTERS);
            page = recent.page(behind(page.next(), 1_000));
            all.addAll(page.entries());
        }

        assertThat(characters(last)).isLessThanOrEqualTo(RecentLogEntries.MAX_PAGE_CHARACTERS);
        assertThat(last.entries().get(last.entries().size() - 1).sequence()).isEqualTo(200);
        assertThat(all.stream().mapToLong(LogEntry::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 200).boxed().toList());
    }

    @Test
    void page_withAFilter_hasWhatMeetsIt() {
        RecentLogEntries recent = new RecentLogEntries(100, ROOMY);
        recent.add(entry(LogLevel.ERROR, "The DISK is full", null));
        recent.add(entry(LogLevel.WARN, "The disk is nearly full", null));
        recent.add(entry(LogLevel.INFO, "A disk was added", null));
        recent.add(entry(LogLevel.ERROR, "Not written", "java.io.IOException: no disk (.*)"));

        assertThat(messages(recent.page(new LogQuery(null, LogLevel.WARN, "disk", 10))))
                .containsExactly("The DISK is full", "The disk is nearly full", "Not written");
        assertThat(messages(recent.page(new LogQuery(null, LogLevel.TRACE, "(.*)", 10))))
                .containsExactly("Not written");
        assertThat(messages(recent.page(new LogQuery(null, LogLevel.TRACE, "d.sk", 10))))
                .isEmpty();
    }

    @Test
    void page_whereNothingMeetsTheFilter_goesOnBehindAllOfIt() {
        RecentLogEntries recent = filled(100, "a", "b", "c");

        LogPage page = recent.page(new LogQuery(null, LogLevel.ERROR, "", 10));

        assertThat(page.entries()).isEmpty();
        assertThat(page.next().sequence()).isEqualTo(3);
    }

    @Test
    void entries_ofManyThreads_areNumberedWithoutAGap() throws InterruptedException {
        RecentLogEntries recent = new RecentLogEntries(100_000, ROOMY);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> writers = IntStream.range(0, 8)
                .mapToObj(writer -> new Thread(() -> {
                    await(go);
                    IntStream.range(0, 1_000).forEach(i -> add(recent, writer + "." + i));
                }))
                .toList();
        writers.forEach(Thread::start);
        go.countDown();

        List<LogEntry> seen = new ArrayList<>();
        LogPage page =
                recent.page(behind(new LogPosition(recent.page(newest(1)).next().log(), 0), 100));
        seen.addAll(page.entries());
        while (seen.size() < 8_000) {
            page = recent.page(behind(page.next(), 100));
            seen.addAll(page.entries());
        }
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(seen.stream().mapToLong(LogEntry::sequence))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 8_000).boxed().toList());
        assertThat(seen.stream().map(LogEntry::message).distinct()).hasSize(8_000);
    }

    @Test
    void position_written_isRead() {
        LogPosition position = new LogPosition("0123456789abcdef", 42);

        assertThat(LogPosition.parse(position.toString())).contains(position);
        assertThat(LogPosition.parse("42")).isEmpty();
        assertThat(LogPosition.parse("0123456789abcdef.9999999999999999999")).isEmpty();
        assertThat(LogPosition.parse("0123456789abcdef.-1")).isEmpty();
    }

    private static RecentLogEntries filled(int most, String... messages) {
        RecentLogEntries recent = new RecentLogEntries(most, ROOMY);
        for (String message : messages) {
            add(recent, message);
        }
        return recent;
    }

    private static void add(RecentLogEntries recent, String message) {
        recent.add(entry(LogLevel.INFO, message, null));
    }

    private static LogEntry entry(LogLevel level, String message, @Nullable String stackTrace) {
        return new LogEntry(0, 0, level, "io.orestes.Some", "main", message, stackTrace);
    }

    private static LogQuery newest(int limit) {
        return new LogQuery(null, LogLevel.TRACE, "", limit);
    }

    private static LogQuery behind(LogPosition after, int limit) {
        return new LogQuery(after, LogLevel.TRACE, "", limit);
    }

    private static List<String> messages(LogPage page) {
        return page.entries().stream().map(LogEntry::message).toList();
    }

    private static int characters(LogPage page) {
        return page.entries().stream().mapToInt(LogEntry::length).sum();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package io.orestes.logging;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A bounded buffer of the newest log entries, which evicts the oldest by number and size. A thread
 * that logs waits only while others add an entry or copy references, never while they create or
 * search texts. Thread-safe.
 */
public final class RecentLogEntries {

    /**
     * Maximum length of the texts in one page, in characters; a single entry is always returned.
     */
    static final int MAX_PAGE_CHARACTERS = 1 << 20;

    /** Size of an entry beside its texts, in bytes. */
    private static final int OVERHEAD_BYTES = 200;

    private final String log = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private final int maxEntries;
    private final long maxBytes;
    private final Deque<LogEntry> retained = new ArrayDeque<>();
    private long bytes;
    private long newest;

    RecentLogEntries(int mostEntries, long mostBytes) {
        this.maxEntries = mostEntries;
        this.maxBytes = mostBytes;
    }

    synchronized void add(LogEntry entry) {
        newest++;
        retained.addLast(entry.numbered(newest));
        bytes += bytes(entry);
        while (retained.size() > maxEntries || bytes > maxBytes) {
            bytes -= bytes(retained.removeFirst());
        }
    }

    /** Returns the matching entries; takes as long as reading all entries may. */
    public LogPage page(LogQuery query) {
        LogPosition after = query.after();
        return after != null && after.log().equals(log) ? following(query, after.sequence()) : latest(query);
    }

    private LogPage following(LogQuery query, long after) {
        Snapshot snapshot = snapshot(after);
        Selection selection = new Selection(query);
        for (LogEntry entry : snapshot.entries()) {
            if (!selection.hasRoomFor(entry)) {
                return snapshot.page(selection.entries, selection.last, true, after);
            }
            selection.look(entry);
        }
        return snapshot.page(selection.entries, snapshot.newest(), false, after);
    }

    private LogPage latest(LogQuery query) {
        Snapshot snapshot = snapshot(0);
        Selection selection = new Selection(query);
        List<LogEntry> newestFirst = new ArrayList<>(snapshot.entries());
        Collections.reverse(newestFirst);
        newestFirst.stream().takeWhile(selection::hasRoomFor).forEach(selection::look);
        Collections.reverse(selection.entries);
        return snapshot.page(selection.entries, snapshot.newest(), false, snapshot.dropped());
    }

    /** Returns the entries behind a position; takes time for these only. */
    private synchronized Snapshot snapshot(long after) {
        List<LogEntry> entries = new ArrayList<>();
        Iterator<LogEntry> newestFirst = retained.descendingIterator();
        while (newestFirst.hasNext()) {
            LogEntry entry = newestFirst.next();
            if (entry.sequence() <= after) {
                break;
            }
            entries.add(entry);
        }
        Collections.reverse(entries);
        return new Snapshot(log, entries, newest, newest - retained.size());
    }

    /** Returns an upper bound of the size: texts of the Latin alphabet take half of that. */
    private static long bytes(LogEntry entry) {
        return OVERHEAD_BYTES + 2L * entry.length();
    }

    private record Snapshot(String log, List<LogEntry> entries, long newest, long dropped) {

        LogPage page(List<LogEntry> selected, long last, boolean hasMore, long after) {
            long lost = Math.max(0, dropped - after);
            return new LogPage(selected, new LogPosition(log, last), hasMore, lost, dropped);
        }
    }

    /** The matching entries so far, in order of the scan. */
    private static final class Selection {

        private final List<LogEntry> entries = new ArrayList<>();
        private final Predicate<LogEntry> matches;
        private final int limit;
        private long last;
        private int characters;

        Selection(LogQuery query) {
            this.matches = query.matches();
            this.limit = query.limit();
        }

        boolean hasRoomFor(LogEntry entry) {
            return entries.isEmpty() || (entries.size() < limit && characters + entry.length() <= MAX_PAGE_CHARACTERS);
        }

        void look(LogEntry entry) {
            last = entry.sequence();
            if (matches.test(entry)) {
                entries.add(entry);
                characters += entry.length();
            }
        }
    }
}

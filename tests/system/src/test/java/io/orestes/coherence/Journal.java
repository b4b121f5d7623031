package io.orestes.coherence;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The recent events of each resource, and of all of them together, for traces. Thread-safe. */
final class Journal {

    private static final int KEPT = 40;
    private static final String ALL = "*";

    private final long start = System.nanoTime();
    private final Map<String, ArrayDeque<Event>> events = new ConcurrentHashMap<>();

    private record Event(long at, String what) {}

    /** Records an event of one resource. */
    void note(Resource about, String what) {
        note(about.key(), what);
    }

    /** Records an event that concerns all. */
    void note(String what) {
        note(ALL, what);
    }

    private void note(String key, String what) {
        ArrayDeque<Event> kept = events.computeIfAbsent(key, unknown -> new ArrayDeque<>());
        synchronized (kept) {
            kept.add(new Event(System.nanoTime(), what));
            if (kept.size() > KEPT) {
                kept.remove();
            }
        }
    }

    /** Returns the events of a resource in their order, a line each. */
    String trace(Resource about) {
        return Stream.of(about.key(), ALL)
                .flatMap(key -> of(key).stream())
                .sorted((one, other) -> Long.compare(one.at, other.at))
                .map(event -> "  " + at(event.at) + "  " + event.what)
                .collect(Collectors.joining("\n"));
    }

    /** Returns a time as in traces: seconds since the start. */
    String at(long nanos) {
        return nanos == Long.MIN_VALUE ? "never" : "%9.4f".formatted((nanos - start) / 1e9);
    }

    private List<Event> of(String key) {
        ArrayDeque<Event> kept = events.getOrDefault(key, new ArrayDeque<>());
        synchronized (kept) {
            return List.copyOf(kept);
        }
    }
}

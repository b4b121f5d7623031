package io.orestes.schema.change;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The reporter of the progress of a long run over objects, which logs every few seconds. Safe for
 * all threads.
 */
final class ProgressReporter {

    static final Duration INTERVAL = Duration.ofSeconds(5);

    private final InstantSource clock;
    private final Consumer<String> log;
    private final long startedMillis;
    private final AtomicLong nextMillis;
    private final AtomicLong objects = new AtomicLong();
    private final AtomicLong earlier = new AtomicLong();

    ProgressReporter(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
        this.startedMillis = clock.millis();
        this.nextMillis = new AtomicLong(startedMillis + INTERVAL.toMillis());
    }

    /** Counts {@code more} completed objects. */
    void add(int more) {
        long done = objects.addAndGet(more);
        long due = nextMillis.get();
        long now = clock.millis();
        if (now >= due && nextMillis.compareAndSet(due, now + INTERVAL.toMillis())) {
            log.accept("In progress: " + done + " objects done in " + secondsUntil(now) + " s");
        }
    }

    /** Counts an object that was completed before the run began. */
    void addEarlier() {
        earlier.incrementAndGet();
    }

    /** Reports the end of the run. */
    void end() {
        log.accept("The change of the schema is finished: " + objects + " objects in " + secondsUntil(clock.millis())
                + " s, of which the last process had changed " + earlier);
    }

    private long secondsUntil(long millis) {
        return Duration.ofMillis(millis - startedMillis).toSeconds();
    }
}

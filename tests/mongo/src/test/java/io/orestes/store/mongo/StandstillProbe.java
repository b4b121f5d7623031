package io.orestes.store.mongo;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A probe for standstills of this process, of MongoDB or of the machine: it sends a ping to MongoDB
 * again and again. The longest time between two answers includes them all, except pauses of MongoDB
 * that the test itself makes.
 */
final class StandstillProbe implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Mongod mongod;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private Moment last;
    private Duration longest = Duration.ZERO;

    /**
     * The time of an answer.
     *
     * @param pauses number of pauses by then
     */
    private record Moment(long nanos, int pauses) {

        static Moment now(Mongod mongod) {
            return new Moment(System.nanoTime(), mongod.pauses());
        }

        Duration until(Moment other) {
            return pauses == other.pauses ? Duration.ofNanos(other.nanos - nanos) : Duration.ZERO;
        }
    }

    private StandstillProbe(Mongod mongod) {
        this.mongod = mongod;
        this.last = Moment.now(mongod);
    }

    static StandstillProbe start(Mongod mongod) {
        StandstillProbe probe = new StandstillProbe(mongod);
        Thread thread = new Thread(probe::run, "standstill-probe");
        thread.setDaemon(true);
        thread.start();
        return probe;
    }

    private void run() {
        while (!isClosed.get()) {
            if (mongod.tryCommand("admin", "{ping: 1}").isPresent()) {
                recordAnswer();
            }
            Waiting.pause(INTERVAL);
        }
    }

    private synchronized void recordAnswer() {
        longest = longest();
        last = Moment.now(mongod);
    }

    /** Returns the longest time without an answer, which may last. */
    synchronized Duration longest() {
        Duration open = last.until(Moment.now(mongod));
        return open.compareTo(longest) > 0 ? open : longest;
    }

    @Override
    public void close() {
        isClosed.set(true);
    }
}

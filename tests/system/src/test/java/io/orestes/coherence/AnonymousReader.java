package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/**
 * Reads from Varnish without filter or cache of its own. While nothing is wrong it sees what was
 * written before the last purge can have been repeated.
 */
final class AnonymousReader implements Runnable {

    /** Staleness bound: the second purge comes a second after the first, and machines are busy. */
    static final Duration BOUND = Duration.ofSeconds(3);

    private static final Duration BETWEEN = Duration.ofMillis(2);
    private static final double QUERIES = 0.3;

    private final RunContext world;
    private final HttpConnection wire;
    private final Random dice;

    AnonymousReader(RunContext world, long seed) {
        this.world = world;
        this.wire = new HttpConnection(world.place().readerPort());
        this.dice = new Random(seed);
    }

    @Override
    public void run() {
        while (!world.isOver()) {
            Waiting.pause(BETWEEN);
            read(dice.nextDouble() < QUERIES ? world.anyQuery(dice) : world.anyObject(dice));
        }
    }

    void read(Resource resource) {
        read(resource, resource.targets().get(dice.nextInt(resource.targets().size())));
    }

    /** Reads a resource by one of its URLs. */
    void read(Resource resource, String target) {
        long began = System.nanoTime();
        try {
            Message answer = wire.send(Message.get(target));
            if (answer.status() == 200 || answer.status() == 404) {
                check(resource, answer, began);
            } else {
                world.failed();
            }
        } catch (IOException unreachable) {
            world.failed();
        }
    }

    private void check(Resource resource, Message answer, long began) {
        long bound = began - BOUND.toNanos();
        boolean isCalm = world.isCalmSince(bound);
        Checker.Read read = new Checker.Read("a passer-by", began, isCalm ? bound : Long.MIN_VALUE, "purges", 0, true);
        world.journal().note(resource, "passer-by loaded " + resource.print(answer.status(), answer.body()));
        int unused = world.checker().check(resource, read, answer.status(), answer.body());
    }
}

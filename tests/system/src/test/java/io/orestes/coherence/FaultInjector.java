package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Causes one fault after the other, by a seed, and repairs each. */
final class FaultInjector implements Runnable {

    /**
     * Time in which copies expire that a fault left behind, and the server completes its purges of
     * Varnish.
     */
    private static final Duration CLEARING = Duration.ofSeconds(8);

    private final RunContext world;
    private final Testbed stage;
    private final TrafficRule traffic;
    private final Random dice;
    private final List<Fault> faults = List.of(
            this::varnishPaused,
            this::purgesCut,
            this::serverKilled,
            this::purgesLost,
            this::varnishKilled,
            this::serverStopped,
            this::purgesHeld);

    private interface Fault {
        void happen() throws IOException, InterruptedException;
    }

    FaultInjector(RunContext world, Testbed stage, TrafficRule traffic, long seed) {
        this.world = world;
        this.stage = stage;
        this.traffic = traffic;
        this.dice = new Random(seed);
    }

    @Override
    public void run() {
        for (int i = 0; !world.isOver(); i++) {
            rest(i % 2 == 0 ? Duration.ofSeconds(2) : CLEARING.plusSeconds(4));
            happen(faults.get(i % faults.size()));
        }
    }

    private void rest(Duration time) {
        for (long left = time.toMillis(); left > 0 && !world.isOver(); left -= 100) {
            Waiting.pause(Duration.ofMillis(100));
        }
    }

    private void happen(Fault fault) {
        try {
            fault.happen();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the stage is broken", e);
        }
        world.faultEnds(CLEARING);
    }

    private Duration anyTime() {
        return Duration.ofMillis(200 + dice.nextInt(1500));
    }

    private void varnishPaused() throws InterruptedException {
        world.faultBegins("Varnish is paused");
        stage.pauseVarnish();
        Waiting.pause(anyTime());
        stage.resumeVarnish();
    }

    private void varnishKilled() throws InterruptedException {
        world.faultBegins("Varnish is killed");
        stage.killVarnish();
        Waiting.pause(anyTime());
        stage.startVarnish();
    }

    private void serverKilled() throws InterruptedException {
        world.faultBegins("the server is killed");
        stage.killServer();
        stage.startServer();
        world.journal().note("the server is ready");
    }

    private void serverStopped() throws InterruptedException {
        world.faultBegins("the server is stopped");
        stage.stopServer();
        stage.startServer();
        world.journal().note("the server is ready");
    }

    private void purgesCut() {
        world.faultBegins("no purge gets through");
        stage.purges().rule((request, upstream) -> {
            throw new IOException("cut");
        });
        stage.purges().cut();
        restorePurges();
    }

    private void purgesLost() {
        world.lieBegins("purges are lost, although they are confirmed");
        stage.purges().rule((request, upstream) -> Message.empty(204));
        restorePurges();
    }

    private void purgesHeld() {
        world.faultBegins("purges are late");
        stage.purges().rule((request, upstream) -> {
            Waiting.pause(Duration.ofMillis(300));
            return upstream.send(request);
        });
        restorePurges();
    }

    private void restorePurges() {
        Waiting.pause(anyTime());
        stage.purges().rule(traffic::purge);
    }
}

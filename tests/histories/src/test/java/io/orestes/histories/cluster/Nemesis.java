package io.orestes.histories.cluster;

import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Causes one fault after the other, in an order from a seed, and repairs each. */
public final class Nemesis implements Runnable {

    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration CUT = Duration.ofSeconds(8);

    private final Cluster cluster;
    private final List<Fault> faults;
    private final BooleanSupplier isOver;
    private final Consumer<String> log;
    private final Random dice;
    private final AtomicInteger rounds = new AtomicInteger();

    /** The kinds of faults. */
    public enum Fault {
        SERVER_KILLED,
        SERVER_PAUSED,
        SERVER_CUT_FROM_SERVERS,
        SERVER_CUT_FROM_ZOOKEEPER,
        SERVER_CUT_FROM_MONGODB,
        SERVER_UNPLUGGED,
        ZOOKEEPER_KILLED,
        ZOOKEEPER_PAUSED,
        PRIMARY_STEPS_DOWN,
        PRIMARY_KILLED,
        PRIMARY_CUT_FROM_SECONDARIES,
        PRIMARY_PAUSED
    }

    /**
     * Returns a nemesis that has not started.
     *
     * @param log receives what happens, for people
     */
    public Nemesis(Cluster cluster, List<Fault> faults, BooleanSupplier isOver, Consumer<String> log, long seed) {
        this.cluster = cluster;
        this.faults = List.copyOf(faults);
        this.isOver = isOver;
        this.log = log;
        this.dice = new Random(seed);
    }

    /** Returns how often each fault has happened. */
    public int rounds() {
        return rounds.get();
    }

    @Override
    public void run() {
        while (!isOver.getAsBoolean()) {
            List<Fault> order = new ArrayList<>(faults);
            Collections.shuffle(order, dice);
            for (Fault fault : order) {
                if (!isOver.getAsBoolean()) {
                    Waiting.pause(Duration.ofMillis(4_000 + dice.nextInt(4_000)));
                    happen(fault, victim(fault));
                }
            }
            rounds.incrementAndGet();
        }
    }

    private Node victim(Fault fault) {
        return switch (fault) {
            case SERVER_KILLED,
                    SERVER_PAUSED,
                    SERVER_CUT_FROM_SERVERS,
                    SERVER_CUT_FROM_ZOOKEEPER,
                    SERVER_CUT_FROM_MONGODB,
                    SERVER_UNPLUGGED -> any(cluster.servers());
            case ZOOKEEPER_KILLED, ZOOKEEPER_PAUSED -> any(cluster.zooKeeper().members());
            case PRIMARY_STEPS_DOWN, PRIMARY_KILLED, PRIMARY_CUT_FROM_SECONDARIES, PRIMARY_PAUSED ->
                cluster.mongo().primary();
        };
    }

    private void happen(Fault fault, Node victim) {
        log.accept(fault + ": " + victim.name());
        switch (fault) {
            case SERVER_KILLED, ZOOKEEPER_KILLED, PRIMARY_KILLED -> kill(victim);
            case SERVER_PAUSED, ZOOKEEPER_PAUSED, PRIMARY_PAUSED -> pause(victim);
            case SERVER_CUT_FROM_SERVERS -> cut(victim, cluster.servers());
            case SERVER_CUT_FROM_ZOOKEEPER -> cut(victim, cluster.zooKeeper().members());
            case SERVER_CUT_FROM_MONGODB, PRIMARY_CUT_FROM_SECONDARIES ->
                cut(victim, cluster.mongo().members());
            case SERVER_UNPLUGGED -> unplug(victim);
            case PRIMARY_STEPS_DOWN -> cluster.mongo().stepDown(victim);
        }
        Node unused = cluster.mongo().primary();
        cluster.awaitServers();
        log.accept("all is well");
    }

    private Node any(List<Node> nodes) {
        return nodes.get(dice.nextInt(nodes.size()));
    }

    private void kill(Node node) {
        node.kill();
        Waiting.pause(Duration.ofMillis(dice.nextInt(6_000)));
        node.start();
    }

    private static void pause(Node node) {
        node.pause();
        Waiting.pause(PAUSE);
        node.resume();
    }

    private void cut(Node node, List<Node> all) {
        List<Node> others = all.stream().filter(other -> !other.equals(node)).toList();
        cluster.cut(node, others);
        Waiting.pause(CUT);
        cluster.heal(node, others);
    }

    private void unplug(Node node) {
        cluster.unplug(node);
        Waiting.pause(CUT);
        cluster.plug(node);
    }
}

package io.orestes.coherence;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Writes its groups' objects all the time, past Varnish. */
final class Writer implements Runnable {

    private static final double DELETES = 0.1;

    private final World world;
    private final List<Group> groups;
    private final Duration pause;
    private final Author author;
    private final Random dice;

    /** @param pause between two writes */
    Writer(World world, List<Group> groups, Duration pause, long seed) {
        this.world = world;
        this.groups = groups;
        this.pause = pause;
        this.author = new Author(world, new Wire(world.stage().serverPort()));
        this.dice = new Random(seed);
    }

    @Override
    public void run() {
        groups.forEach(this::create);
        while (!world.isOver()) {
            Group group = groups.get((int) (groups.size() * Math.pow(dice.nextDouble(), 2)));
            Resource object = group.objects().get(dice.nextInt(group.objects().size()));
            author.write(group, object, group.has(object) && dice.nextDouble() < DELETES);
            Threads.pause(pause);
        }
    }

    private void create(Group group) {
        group.objects().stream()
                .takeWhile(object -> !world.isOver())
                .forEach(object -> author.write(group, object, false));
    }
}

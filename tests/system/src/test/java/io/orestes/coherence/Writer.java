package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Continuously writes its groups' objects, bypassing Varnish. */
final class Writer implements Runnable {

    private static final double DELETES = 0.1;
    private static final int MOST_AT_ONCE = 3;
    private static final List<WriteMode> WAYS = List.of(WriteMode.values());

    private final RunContext world;
    private final List<Group> groups;
    private final Duration pause;
    private final ObjectWriter author;
    private final Random dice;

    /** @param pause between two writes */
    Writer(RunContext world, List<Group> groups, Duration pause, long seed) {
        this.world = world;
        this.groups = groups;
        this.pause = pause;
        this.author = new ObjectWriter(world, new HttpConnection(world.place().serverPort()));
        this.dice = new Random(seed);
    }

    @Override
    public void run() {
        groups.forEach(this::create);
        while (!world.isOver()) {
            WriteMode way = WAYS.get(dice.nextInt(WAYS.size()));
            author.write(way, writes(way));
            Waiting.pause(pause);
        }
    }

    private void create(Group group) {
        group.objects().stream()
                .takeWhile(object -> !world.isOver())
                .forEach(object -> author.write(WriteMode.REPLACE, group, object, false));
    }

    private List<Group.Write> writes(WriteMode way) {
        return someGroups(way == WriteMode.BULK || way == WriteMode.TRANSACTION ? MOST_AT_ONCE : 1)
                .map(group -> group.begin(changes(group, way == WriteMode.TRANSACTION ? MOST_AT_ONCE : 1)))
                .toList();
    }

    private Stream<Group> someGroups(int most) {
        return Stream.generate(() -> groups.get((int) (groups.size() * Math.pow(dice.nextDouble(), 2))))
                .limit(1 + dice.nextInt(most))
                .distinct();
    }

    private List<Group.Change> changes(Group group, int most) {
        return Stream.generate(
                        () -> group.objects().get(dice.nextInt(group.objects().size())))
                .limit(1 + dice.nextInt(most))
                .distinct()
                .map(object -> new Group.Change(object, group.has(object) && dice.nextDouble() < DELETES))
                .toList();
    }
}

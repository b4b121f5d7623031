package io.orestes.coherence;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * What all who take part in one run share: the objects and queries, what happened, and when it is
 * over. Thread-safe.
 */
final class World {

    private final Journal journal = new Journal();
    private final Checker checker = new Checker(journal);
    private final Place place;
    private final String bucket;
    private final List<Group> groups;
    private final List<Resource> objects;
    private final Map<String, Resource> byTarget = new HashMap<>();
    private final Set<Way> waysDone = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;
    private volatile long calmFrom = Long.MIN_VALUE;
    private volatile long honestFrom = Long.MIN_VALUE;

    World(Place place, int groupCount, int groupSize) throws IOException, InterruptedException {
        this.place = place;
        bucket = place.newClass();
        groups = IntStream.range(0, groupCount)
                .mapToObj(i -> new Group(bucket, i, groupSize))
                .toList();
        objects = groups.stream().flatMap(group -> group.objects().stream()).toList();
        groups.stream().flatMap(Group::resources).forEach(resource -> resource.targets()
                .forEach(target -> byTarget.put(target, resource)));
    }

    Place place() {
        return place;
    }

    Journal journal() {
        return journal;
    }

    Checker checker() {
        return checker;
    }

    /** Every n-th of the groups, from a first one on: those of one writer. */
    List<Group> groups(int first, int step) {
        List<Group> some = new ArrayList<>();
        for (int i = first; i < groups.size(); i += step) {
            some.add(groups.get(i));
        }
        return some;
    }

    /** What the URLs of all objects and queries begin with. */
    String path() {
        return "/v1/db/" + bucket + "/";
    }

    Group group(int number) {
        return groups.get(number);
    }

    /** Any query. */
    Resource anyQuery(Random dice) {
        return groups.get(dice.nextInt(groups.size())).query();
    }

    /** Any object, some much more often than others. */
    Resource anyObject(Random dice) {
        return objects.get((int) (objects.size() * Math.pow(dice.nextDouble(), 3)));
    }

    /** Takes note of a read without an answer, whose reader had better not try again at once. */
    void failed() {
        checker.failed();
        Waiting.pause(Duration.ofMillis(10));
    }

    /** A write was answered as done. */
    void done(Way way) {
        boolean unused = waysDone.add(way);
    }

    /** The ways in which any write was. */
    Set<Way> waysDone() {
        return Set.copyOf(waysDone);
    }

    /** The resource with this URL. */
    Optional<Resource> at(String target) {
        return Optional.ofNullable(byTarget.get(target));
    }

    /** A fault begins; what purges promise may not hold until it is over. */
    void faultBegins(String what) {
        calmFrom = Long.MAX_VALUE;
        journal.note("fault: " + what);
    }

    /** The same for a fault of which the server cannot know. */
    void lieBegins(String what) {
        honestFrom = Long.MAX_VALUE;
        faultBegins(what);
    }

    /** Whether what the server says of purges is true. */
    boolean isHonest() {
        return honestFrom <= System.nanoTime();
    }

    /** It is over, and what it left behind will have been cleared up after a while. */
    void faultEnds(Duration clearing) {
        calmFrom = System.nanoTime() + clearing.toNanos();
        honestFrom = honestFrom == Long.MAX_VALUE ? calmFrom : honestFrom;
        journal.note("end of the fault");
    }

    /** Whether no fault has mattered since. */
    boolean isCalmSince(long time) {
        return calmFrom <= time;
    }

    void end() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }
}

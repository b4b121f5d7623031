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
 * The shared state of a run: the objects and queries, events, and the end of the run. Thread-safe.
 */
final class RunContext {

    private final Journal journal = new Journal();
    private final Checker checker = new Checker(journal);
    private final ServiceEndpoints place;
    private final String bucket;
    private final List<Group> groups;
    private final List<Resource> objects;
    private final Map<String, Resource> byTarget = new HashMap<>();
    private final Set<WriteMode> waysDone = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;
    private volatile long calmFrom = Long.MIN_VALUE;
    private volatile long honestFrom = Long.MIN_VALUE;

    RunContext(ServiceEndpoints place, int groupCount, int groupSize) throws IOException, InterruptedException {
        this.place = place;
        bucket = place.newClass();
        groups = IntStream.range(0, groupCount)
                .mapToObj(i -> new Group(bucket, i, groupSize))
                .toList();
        objects = groups.stream().flatMap(group -> group.objects().stream()).toList();
        groups.stream().flatMap(Group::resources).forEach(resource -> resource.targets()
                .forEach(target -> byTarget.put(target, resource)));
    }

    ServiceEndpoints place() {
        return place;
    }

    Journal journal() {
        return journal;
    }

    Checker checker() {
        return checker;
    }

    /** Returns every n-th of the groups, from a first one on: those of one writer. */
    List<Group> groups(int first, int step) {
        List<Group> some = new ArrayList<>();
        for (int i = first; i < groups.size(); i += step) {
            some.add(groups.get(i));
        }
        return some;
    }

    /** Returns the prefix of the URLs of all objects and queries. */
    String path() {
        return "/v1/db/" + bucket + "/";
    }

    Group group(int number) {
        return groups.get(number);
    }

    /** Returns any query. */
    Resource anyQuery(Random dice) {
        return groups.get(dice.nextInt(groups.size())).query();
    }

    /** Returns any object, some much more often than others. */
    Resource anyObject(Random dice) {
        return objects.get((int) (objects.size() * Math.pow(dice.nextDouble(), 3)));
    }

    /** Records a read without an answer, whose reader should pause before the next. */
    void failed() {
        checker.failed();
        Waiting.pause(Duration.ofMillis(10));
    }

    /** Records a write that was acknowledged. */
    void done(WriteMode way) {
        boolean unused = waysDone.add(way);
    }

    /** Returns the ways in which any write was done. */
    Set<WriteMode> waysDone() {
        return Set.copyOf(waysDone);
    }

    /** Returns the resource with this URL. */
    Optional<Resource> at(String target) {
        return Optional.ofNullable(byTarget.get(target));
    }

    /** Records the begin of a fault; guarantees of purges may not hold until it has ended. */
    void faultBegins(String what) {
        calmFrom = Long.MAX_VALUE;
        journal.note("fault: " + what);
    }

    /** Records the begin of a fault that the server cannot detect. */
    void lieBegins(String what) {
        honestFrom = Long.MAX_VALUE;
        faultBegins(what);
    }

    /** Returns whether the server's statements about purges are true. */
    boolean isHonest() {
        return honestFrom <= System.nanoTime();
    }

    /** Records the end of a fault, whose consequences last for another while. */
    void faultEnds(Duration clearing) {
        calmFrom = System.nanoTime() + clearing.toNanos();
        honestFrom = honestFrom == Long.MAX_VALUE ? calmFrom : honestFrom;
        journal.note("end of the fault");
    }

    /** Returns whether no fault has had consequences since. */
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

package io.orestes.group;

import io.orestes.group.RacingGroup.Sending;
import io.orestes.group.RacingGroup.WriteBatch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/** Objects that all servers increment, and the acknowledged increments. */
final class Counters {

    private static final int OBJECTS = 20;

    private final RacingGroup group;
    private final String bucket;
    private final List<String> ids;
    private final Map<String, Long> firstVersions = new HashMap<>();
    private final Map<String, Set<Long>> acknowledged = new HashMap<>();
    private final Map<String, Integer> acknowledgements = new HashMap<>();
    private final Verdicts verdicts = new Verdicts();

    Counters(RacingGroup group) {
        this.group = group;
        this.bucket = group.newClass();
        this.ids = group.newObjects(bucket, OBJECTS);
        Map<String, BsonDocument> stored = group.stored(bucket);
        ids.forEach(id -> {
            firstVersions.put(id, RacingGroup.version(stored, id));
            acknowledged.put(id, new HashSet<>());
        });
    }

    /**
     * Increments each counter once by each of several clients of every server. One case is all
     * increments of one counter.
     */
    void increment(Sending sending, int clientsOfEach) {
        List<ObjectWrite> writes = ids.stream()
                .map(id -> ObjectWrite.update(id, "{\"$inc\":{\"n\":1}}"))
                .toList();
        List<List<Reply>> replies = group.race(
                sending,
                IntStream.range(0, group.count() * clientsOfEach)
                        .mapToObj(client -> new WriteBatch(group.anonymous(client % group.count()), writes))
                        .toList());
        for (int i = 0; i < ids.size(); i++) {
            int number = i;
            judge(ids.get(i), replies.stream().map(each -> each.get(number)).toList());
        }
    }

    private void judge(String id, List<Reply> all) {
        Set<Long> versions =
                all.stream().filter(Reply::isDone).map(Reply::version).collect(Collectors.toSet());
        acknowledgements.merge(id, (int) all.stream().filter(Reply::isDone).count(), Integer::sum);
        boolean areNew =
                versions.size() == all.size() && Set.copyOf(versions).stream().noneMatch(seen(id)::contains);
        seen(id).addAll(versions);
        verdicts.judge(areNew, () -> id + " " + all);
    }

    private Set<Long> seen(String id) {
        return Objects.requireNonNull(acknowledged.get(id));
    }

    /**
     * Each increment has to have a version of its own, and each counter and its version the number
     * of increments.
     */
    void requireExact() {
        Map<String, BsonDocument> stored = group.stored(bucket);
        ids.forEach(id -> {
            long count = acknowledgements.getOrDefault(id, 0);
            long n = Objects.requireNonNull(stored.get(id)).getNumber("n").longValue();
            long versions = RacingGroup.version(stored, id) - firstVersions.getOrDefault(id, 0L);
            verdicts.judge(n == count && versions == count, () -> "%s is %d after %d increments and %d versions"
                    .formatted(id, n, count, versions));
        });
        verdicts.requireAllRight();
    }
}

package io.orestes.coherence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Objects that one query finds, all with one writer, so that the states of the query have an order
 * as well. To be changed by one thread.
 */
final class Group {

    private final int number;
    private final List<Resource> objects;
    private final Resource query;
    private final TreeMap<String, Integer> present = new TreeMap<>();
    private int writes;

    Group(String bucket, int number, int size) {
        this.number = number;
        this.objects = IntStream.range(0, size)
                .mapToObj(i -> Resource.object("/db/%s/%d-%d".formatted(bucket, number, i)))
                .toList();
        this.query = Resource.query(bucket, number);
    }

    /** Kinds of changes of an object. */
    enum Kind {
        INSERT,
        UPDATE,
        DELETE
    }

    /** A deletion of an object or a transition to its next state. */
    record Change(Resource object, boolean isDelete) {

        String key() {
            return object.key();
        }
    }

    /**
     * A write under way, of one or several objects at once, and the states that it begins.
     *
     * @param n distinguishes the new state of its objects from earlier ones
     */
    record Write(Group group, int n, List<Change> changes, List<BegunState> begun) {

        record BegunState(Resource resource, History.State state) {}

        Kind kind(Change change) {
            return change.isDelete ? Kind.DELETE : group.has(change.object) ? Kind.UPDATE : Kind.INSERT;
        }

        /** Returns the form of an object afterwards; see {@link Resource#print}. */
        String print(Change change) {
            return change.isDelete ? Resource.ABSENT : String.valueOf(n);
        }

        /** Returns a whole object. */
        BsonDocument body() {
            return new BsonDocument("g", new BsonInt32(group.number))
                    .append("n", new BsonInt32(n))
                    .append("text", new BsonString("lorem ".repeat(20)));
        }

        /** Returns the partial update with that result. */
        BsonDocument operations() {
            return new BsonDocument("$set", new BsonDocument("n", new BsonInt32(n)));
        }

        Stream<Resource> resources() {
            return begun.stream().map(BegunState::resource);
        }
    }

    List<Resource> objects() {
        return objects;
    }

    Resource query() {
        return query;
    }

    Stream<Resource> resources() {
        return Stream.concat(objects.stream(), Stream.of(query));
    }

    boolean has(Resource object) {
        return present.containsKey(object.key());
    }

    Write begin(List<Change> changes) {
        int n = ++writes;
        long now = System.nanoTime();
        TreeMap<String, Integer> after = new TreeMap<>(present);
        changes.forEach(change -> apply(after, change, n));
        List<Write.BegunState> begun = new ArrayList<>();
        changes.forEach(
                change -> begun.add(begun(change.object, change.isDelete ? Resource.ABSENT : String.valueOf(n), now)));
        begun.add(begun(query, print(after), now));
        return new Write(this, n, changes, begun);
    }

    void committed(Write write) {
        long now = System.nanoTime();
        write.changes().forEach(change -> apply(present, change, write.n()));
        write.begun().forEach(begun -> begun.resource().history().ended(begun.state(), now));
    }

    void lost(Write write) {
        write.begun().forEach(begun -> begun.resource().history().lost(begun.state()));
    }

    private static Write.BegunState begun(Resource resource, String print, long now) {
        return new Write.BegunState(resource, resource.history().begin(print, now));
    }

    private static void apply(Map<String, Integer> to, Change change, int n) {
        if (change.isDelete) {
            to.remove(change.key());
        } else {
            to.put(change.key(), n);
        }
    }

    /** Sorts members like {@link Resource#print}. */
    private static String print(Map<String, Integer> members) {
        return members.entrySet().stream()
                .map(member -> member.getKey() + "=" + member.getValue())
                .sorted()
                .collect(Collectors.joining(" "));
    }
}

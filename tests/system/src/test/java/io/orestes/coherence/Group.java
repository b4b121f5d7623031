package io.orestes.coherence;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Objects that one query finds, all with the same writer, so that the states of the query have an order as well. To be changed
 * by one thread.
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

    /** A write under way: the states that it begins. */
    record Write(Resource object, Integer n, boolean isDelete, List<Begun> begun) {

        record Begun(Resource resource, History.State state) {}
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

    /** The body of the object after its next write. */
    String body(int n) {
        return "{\"g\":" + number + ",\"n\":" + n + ",\"text\":\"" + "lorem ".repeat(20) + "\"}";
    }

    Write begin(Resource object, boolean isDelete) {
        int n = ++writes;
        long now = System.nanoTime();
        TreeMap<String, Integer> after = new TreeMap<>(present);
        apply(after, object, n, isDelete);
        return new Write(
                object,
                n,
                isDelete,
                List.of(
                        begun(object, isDelete ? Resource.GONE : String.valueOf(n), now),
                        begun(query, print(after), now)));
    }

    void committed(Write write) {
        long now = System.nanoTime();
        apply(present, write.object(), write.n(), write.isDelete());
        write.begun().forEach(begun -> begun.resource().history().ended(begun.state(), now));
    }

    void lost(Write write) {
        write.begun().forEach(begun -> begun.resource().history().lost(begun.state()));
    }

    private static Write.Begun begun(Resource resource, String print, long now) {
        return new Write.Begun(resource, resource.history().begin(print, now));
    }

    private static void apply(Map<String, Integer> to, Resource object, int n, boolean isDelete) {
        if (isDelete) {
            to.remove(object.key());
        } else {
            to.put(object.key(), n);
        }
    }

    /** Sorted as in {@link Resource#print}. */
    private static String print(Map<String, Integer> members) {
        return members.entrySet().stream()
                .map(member -> member.getKey() + "=" + member.getValue())
                .sorted()
                .collect(Collectors.joining(" "));
    }
}

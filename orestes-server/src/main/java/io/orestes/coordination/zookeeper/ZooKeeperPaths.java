package io.orestes.coordination.zookeeper;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The paths of a group's nodes below its root: members, tasks and shards of locks. */
final class ZooKeeperPaths {

    static final String MEMBERS = "/members";

    private static final String TASKS = "/tasks";
    private static final String LOCKS = "/locks";
    private static final int HASH_DIGITS = 32;

    /** Parents of all lock nodes, in order. */
    private static final List<String> SHARDS =
            IntStream.range(0, 64).mapToObj((LOCKS + "/%02d")::formatted).toList();

    private ZooKeeperPaths() {}

    /** Returns the nodes that every group has, each after its parent, and the last shard last. */
    static List<String> ofGroup() {
        return Stream.concat(Stream.of(MEMBERS, TASKS, LOCKS), SHARDS.stream()).toList();
    }

    static String member(String id) {
        return MEMBERS + "/" + id;
    }

    static String task(String name) {
        return TASKS + "/" + name;
    }

    static List<String> shards() {
        return SHARDS;
    }

    /** Returns the parent of the lock nodes of a key. */
    static String shardOf(String hash) {
        return SHARDS.get(Integer.parseInt(hash.substring(0, 2), 16) % SHARDS.size());
    }

    /**
     * Returns 128 bits of SHA-256. Clients choose keys, and must not be able to block others by
     * collisions.
     */
    static String hash(String key) {
        return Hashing.sha256()
                .hashString(key, StandardCharsets.UTF_8)
                .toString()
                .substring(0, HASH_DIGITS);
    }
}

package io.orestes.coordination.zookeeper;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The paths of a group's nodes in ZooKeeper: members, tasks and shards of locks. */
record ZooKeeperPaths(String root) {

    private static final int SHARDS = 64;
    private static final int HASH_DIGITS = 32;

    String members() {
        return root + "/members";
    }

    String member(String id) {
        return members() + "/" + id;
    }

    String tasks() {
        return root + "/tasks";
    }

    String task(String name) {
        return tasks() + "/" + name;
    }

    /** Returns the parents of all lock nodes, in order. */
    List<String> shards() {
        return IntStream.range(0, SHARDS).mapToObj(this::shard).toList();
    }

    /** Returns the parent of the lock nodes of a key. */
    String shardOf(String hash) {
        return shard(Integer.parseInt(hash.substring(0, 2), 16) % SHARDS);
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

    private String shard(int number) {
        return "%s/locks/%02d".formatted(root, number);
    }
}

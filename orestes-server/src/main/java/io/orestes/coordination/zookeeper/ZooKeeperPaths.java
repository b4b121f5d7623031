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

    /** The nodes that hold the locks, in order. */
    List<String> shards() {
        return IntStream.range(0, SHARDS).mapToObj(this::shard).toList();
    }

    /** The node below which the locks of a key are. */
    String shardOf(String hash) {
        return shard(Integer.parseInt(hash.substring(0, 2), 16) % SHARDS);
    }

    /**
     * 128 bits of SHA-256: clients choose keys, and must not be able to have others wait for them.
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

package io.orestes.coordination.zookeeper;

import java.nio.charset.StandardCharsets;

/**
 * The data and version of one ZooKeeper node.
 *
 * @param version number of changes
 */
record ZNode(String text, int version) {

    static ZNode of(byte[] data, int version) {
        return new ZNode(new String(data, StandardCharsets.UTF_8), version);
    }

    /** Returns the data of a node with this text. */
    static byte[] data(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

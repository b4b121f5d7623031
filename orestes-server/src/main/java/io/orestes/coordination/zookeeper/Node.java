package io.orestes.coordination.zookeeper;

import java.nio.charset.StandardCharsets;

/**
 * What a node holds.
 *
 * @param version how often it was changed
 */
record Node(String text, int version) {

    static Node of(byte[] data, int version) {
        return new Node(new String(data, StandardCharsets.UTF_8), version);
    }
}

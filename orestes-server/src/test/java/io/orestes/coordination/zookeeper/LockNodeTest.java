package io.orestes.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.GroupLocks.Mode;
import org.junit.jupiter.api.Test;

final class LockNodeTest {

    private static final String HASH = ZooKeeperPaths.hash("a");
    private static final LockNode.LockRequestId CLAIM = new LockNode.LockRequestId("0123456789abcdef", "0000002a");

    @Test
    void parse_aName_isWhatItWasMadeOf() {
        LockNode node = node(Mode.READ, HASH, "0000000007");

        assertThat(node.claim()).isEqualTo(CLAIM);
        assertThat(node.mode()).isEqualTo(Mode.READ);
        assertThat(node.hash()).isEqualTo(HASH).hasSize(32);
        assertThat(node.sequence()).isEqualTo(7);
        assertThat(node.path()).startsWith("/shard/r-" + HASH);
    }

    @Test
    void parse_whatIsNotOurs_isEmpty() {
        assertThat(LockNode.parse("/shard", "lock-0000000001")).isEmpty();
        assertThat(LockNode.parse("/shard", CLAIM.nodeName(Mode.READ, HASH))).isEmpty();
    }

    @Test
    void isBefore_thoseThatExcludeEachOther_isTheFirst() {
        LockNode reader = node(Mode.READ, HASH, "0000000001");
        LockNode writer = node(Mode.WRITE, HASH, "0000000002");

        assertThat(reader.isBefore(writer)).isTrue();
        assertThat(writer.isBefore(reader)).isFalse();
        assertThat(writer.isBefore(node(Mode.READ, HASH, "0000000003"))).isTrue();
        assertThat(writer.isBefore(writer)).isFalse();
        assertThat(reader.isBefore(node(Mode.READ, HASH, "0000000002"))).isFalse();
        assertThat(reader.isBefore(node(Mode.WRITE, ZooKeeperPaths.hash("b"), "0000000002")))
                .isFalse();
    }

    /** ZooKeeper counts in 32 bits with a sign. */
    @Test
    void isBefore_whenNumbersBeginAgain_keepsTheOrder() {
        LockNode last = node(Mode.WRITE, HASH, "2147483647");
        LockNode next = node(Mode.WRITE, HASH, "-2147483648");

        assertThat(last.isBefore(next)).isTrue();
        assertThat(next.isBefore(last)).isFalse();
    }

    private static LockNode node(Mode mode, String hash, String sequence) {
        return LockNode.parse("/shard", CLAIM.nodeName(mode, hash) + sequence).orElseThrow();
    }
}

package io.orestes.coordination.zookeeper;

import io.orestes.coordination.GroupLocks.Mode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a node for an acquired or requested lock:
 * {@code <r|w>-<hash of the key>-<member>-<claim>-<sequence>}.
 *
 * @param shard path of the parent
 * @param name full name
 * @param claim identifies the owner and the claim to which this node belongs
 * @param sequence grows with the order of creation below one parent. After the largest number
 *     it continues with the smallest, so it is only ever compared by difference
 */
record LockNode(String shard, String name, Mode mode, String hash, LockRequestId claim, int sequence) {

    private static final Pattern NAME =
            Pattern.compile("([rw])-(\\p{XDigit}{32})-(\\p{XDigit}{16})-(\\p{XDigit}{8})-(-?\\d+)");

    /**
     * The identifier of one lock request: the member that made it and a sequence number.
     *
     * @param owner identity of the member
     * @param number counts the owner's requests, in hexadecimal digits
     */
    record LockRequestId(String owner, String number) {

        /** Returns the name of a new node without the number that ZooKeeper appends. */
        String nodeName(Mode mode, String hash) {
            return (mode == Mode.READ ? "r-" : "w-") + hash + "-" + owner + "-" + number + "-";
        }
    }

    /** Parses a name; empty for a node of another kind. */
    static Optional<LockNode> parse(String shard, String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches() ? Optional.of(parse(shard, parts)) : Optional.empty();
    }

    String path() {
        return shard + "/" + name;
    }

    /** Returns whether {@code later} has to wait until this one is deleted. */
    boolean isBefore(LockNode later) {
        return hash.equals(later.hash)
                && (mode == Mode.WRITE || later.mode == Mode.WRITE)
                && sequence - later.sequence < 0;
    }

    private static LockNode parse(String shard, Matcher parts) {
        return new LockNode(
                shard,
                parts.group(),
                parts.group(1).equals("r") ? Mode.READ : Mode.WRITE,
                parts.group(2),
                new LockRequestId(parts.group(3), parts.group(4)),
                Integer.parseInt(parts.group(5)));
    }
}

package io.orestes.coordination.zookeeper;

import io.orestes.coordination.CoordinationTimeouts;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The ZooKeeper configuration of a group: ensemble, root path and durations of coordination.
 *
 * @param servers host and port of each server of the ensemble, separated by commas
 * @param root path of the node that contains all nodes of the group, and no others; default
 *     {@code /orestes}
 * @param times durations of coordination
 */
public record ZooKeeperConfig(String servers, String root, CoordinationTimeouts times) {

    public static final String DEFAULT_ROOT = "/orestes";

    private static final Pattern SERVER =
            Pattern.compile("([A-Za-z0-9]([A-Za-z0-9._-]{0,253}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]{2,45}])(:([0-9]{1,5}))?");

    private static final int LARGEST_PORT = 65_535;

    public ZooKeeperConfig {
        if (!root.matches("(/[A-Za-z0-9_-]+)+")) {
            throw new IllegalArgumentException("The path of a group consists of letters, digits, _ and -: " + root);
        }
    }

    /**
     * Returns whether the text is a list of hosts, each with a port or without, separated by
     * commas; the default port is 2181.
     */
    public static boolean areServers(String servers) {
        return Stream.of(servers.split(",", -1)).allMatch(ZooKeeperConfig::isServer);
    }

    private static boolean isServer(String server) {
        Matcher parts = SERVER.matcher(server);
        return parts.matches() && (parts.group(4) == null || isPort(Integer.parseInt(parts.group(4))));
    }

    private static boolean isPort(int number) {
        return number >= 1 && number <= LARGEST_PORT;
    }

    int sessionMillis() {
        return Math.toIntExact(times.session().toMillis());
    }
}

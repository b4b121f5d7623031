package io.orestes.app.config;

import com.google.common.collect.Comparators;
import io.orestes.config.Settings;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.zookeeper.ZooKeeperConfig;
import io.orestes.replication.PeerGroupConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration of a server group: its coordinator, and the address and timeout of this member.
 *
 * @param zookeeper the coordinator; {@code zookeeper}, {@code group.name}, {@code group.lease}
 * @param host the address where this server listens to the others; {@code group.host}
 * @param port the port where this server listens to the others; {@code group.port}
 * @param silenceTimeout maximum time for which another server may be silent; {@code group.patience}
 */
public record ServerGroupConfig(ZooKeeperConfig zookeeper, String host, int port, Duration silenceTimeout) {

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration MIN_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

    /**
     * Syntax of a host name or an address at which others can reach this server; {@code 0.0.0.0} is
     * none.
     */
    private static final Pattern HOST = Pattern.compile("(?![0:.]*$)([A-Za-z0-9]([A-Za-z0-9._-]{0,253}[A-Za-z0-9])?"
            + "|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]{0,45})");

    /**
     * Maximum unacknowledged bytes for one other server. It is a part of the heap, as there may be
     * several, and exceeds the largest object.
     */
    private static final long MAX_QUEUED_BYTES =
            Math.max(32L << 20, Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 8));

    /** Reads the configuration; empty without ZooKeeper. */
    static Optional<ServerGroupConfig> read(Settings in) {
        CoordinationTimeouts times = times(time(in, "group.lease", CoordinationTimeouts.DEFAULTS.lease()));
        String name = text(in, "group.name", "orestes", NAME, "is made of letters, digits, _ and -");
        String host = text(
                in, "group.host", "127.0.0.1", HOST, "is no name or address at which others can reach this server");
        int port = in.count("group.port", 0, 0, 65_535);
        Duration silenceTimeout = time(in, "group.patience", Duration.ofSeconds(2));
        return ensemble(in)
                .map(servers -> new ZooKeeperConfig(servers, "/" + name, times))
                .map(meeting -> new ServerGroupConfig(meeting, host, port, silenceTimeout));
    }

    private static Optional<String> ensemble(Settings in) {
        Optional<String> servers = in.text("zookeeper");
        Optional<String> valid = servers.filter(ZooKeeperConfig::areServers);
        if (servers.isPresent() && valid.isEmpty()) {
            in.reject("zookeeper", "is no list of hosts and ports such as 10.0.0.1:2181,10.0.0.2:2181");
        }
        return valid;
    }

    private static String text(Settings in, String key, String fallback, Pattern form, String mistake) {
        String text = in.text(key, fallback);
        if (form.matcher(text).matches()) {
            return text;
        }
        in.reject(key, mistake + ": " + text);
        return fallback;
    }

    private static Duration time(Settings in, String key, Duration fallback) {
        Duration time = in.duration(key, fallback, MIN_TIMEOUT);
        if (time.compareTo(MAX_TIMEOUT) <= 0) {
            return time;
        }
        in.reject(key, "is longer than " + MAX_TIMEOUT.toSeconds() + "s");
        return fallback;
    }

    /** Returns the configuration of the links to the other members. */
    public PeerGroupConfig links(Duration longestTtl) {
        return new PeerGroupConfig(
                host, port, silenceTimeout, DEADLINE, zookeeper.times().lease(), longestTtl, MAX_QUEUED_BYTES);
    }

    /** Returns the address where this server listens to the others. */
    public String address() {
        return host + ":" + port;
    }

    private static CoordinationTimeouts times(Duration lease) {
        CoordinationTimeouts standard = CoordinationTimeouts.DEFAULTS;
        Duration minSession = lease.plus(standard.margin()).plus(standard.margin());
        return new CoordinationTimeouts(
                lease, standard.margin(), Comparators.max(minSession, standard.session()), standard.lockWait());
    }
}

package io.orestes.histories.cluster;

import io.orestes.support.process.ExecutionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Network namespaces on a bridge of this machine that leads nowhere else. Their names begin with
 * {@code ORESTES_TEST_NETWORK}, or with {@code oh} and the id of this process, so that they can be
 * found and removed. Needs root, and iproute2. Used by one thread at a time.
 */
final class Network implements AutoCloseable {

    /** Address of no host, so that packets to it are lost silently. */
    private static final String NOBODY = "02:00:00:00:00:01";

    /** Reserved for benchmarks of networks (RFC 2544), so not in use. */
    private static final String RANGE = "198.18.";

    private static final String IP =
            Optional.ofNullable(System.getenv("ORESTES_TEST_IP")).orElse("ip");

    private final String prefix = Optional.ofNullable(System.getenv("ORESTES_TEST_NETWORK"))
            .orElse("oh" + ProcessHandle.current().pid());
    private final String bridge = prefix + "b";
    private final String subnet;
    private final List<Host> hosts = new ArrayList<>();

    Network() {
        subnet = freeSubnet();
        ip(
                "link add " + bridge + " type bridge",
                "addr add " + subnet + "1/24 dev " + bridge,
                "link set " + bridge + " up");
    }

    private static String freeSubnet() {
        int first = (int) (ProcessHandle.current().pid() % 250);
        for (int i = 0; i < 250; i++) {
            String candidate = RANGE + (1 + (first + i) % 250) + ".";
            if (Commands.run(IP, "-4", "route", "show", candidate + "0/24").isBlank()) {
                return candidate;
            }
        }
        throw new AssertionError("no free network in " + RANGE + "0.0");
    }

    /** Adds a host. */
    Host add(String name) {
        int number = hosts.size();
        Host host = new Host(name, prefix + "-" + name, subnet + (10 + number), prefix + "p" + number);
        hosts.add(host);
        ip(
                "netns add " + host.namespace(),
                "link add %s type veth peer name eth0 netns %s".formatted(host.port(), host.namespace()),
                "link set %s master %s up".formatted(host.port(), bridge));
        inside(host, "addr add " + host.address() + "/24 dev eth0", "link set lo up", "link set eth0 up");
        return host;
    }

    /** Returns the context that starts programs on the host. */
    static ExecutionContext context(Host host) {
        return ExecutionContext.prefixed(List.of(IP, "netns", "exec", host.namespace()));
    }

    /** Drops all packets between two hosts. */
    void cut(Host one, Host other) {
        inside(one, "neigh replace %s lladdr %s dev eth0 nud permanent".formatted(other.address(), NOBODY));
        inside(other, "neigh replace %s lladdr %s dev eth0 nud permanent".formatted(one.address(), NOBODY));
    }

    void heal(Host one, Host other) {
        inside(one, "neigh del %s dev eth0".formatted(other.address()));
        inside(other, "neigh del %s dev eth0".formatted(one.address()));
    }

    /** Drops all packets of a host. */
    void unplug(Host host) {
        ip("link set %s down".formatted(host.port()));
    }

    void plug(Host host) {
        ip("link set %s up".formatted(host.port()));
    }

    private static void inside(Host host, String... commands) {
        batch(List.of(IP, "-n", host.namespace(), "-batch", "-"), commands);
    }

    private static void ip(String... commands) {
        batch(List.of(IP, "-batch", "-"), commands);
    }

    private static void batch(List<String> command, String... lines) {
        String unused = Commands.run(command, List.of(lines).stream().collect(Collectors.joining("\n", "", "\n")));
    }

    /** Removes the network; all programs on its hosts have to have ended. */
    @Override
    public void close() {
        // a namespace without a name lives on until its connections have ended, and its plug with
        // it
        hosts.forEach(host -> ip("link del " + host.port(), "netns del " + host.namespace()));
        ip("link del " + bridge);
    }
}

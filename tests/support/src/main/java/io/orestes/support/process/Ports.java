package io.orestes.support.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback, for processes that need to know theirs before they start or return to
 * it later. They are outside of the kernel's range for connections, of which tests open thousands
 * at a time.
 */
public final class Ports {

    private static final int FIRST = 10_000;
    private static final int END = 32_000;

    private Ports() {}

    /** Returns a free port. */
    public static int free() {
        int port = any();
        while (isTaken(port)) {
            port = any();
        }
        return port;
    }

    /** Returns several free ports, all different. */
    public static List<Integer> free(int count) {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            ports.add(free());
        }
        return List.copyOf(ports);
    }

    private static int any() {
        return ThreadLocalRandom.current().nextInt(FIRST, END);
    }

    private static boolean isTaken(int port) {
        try (ServerSocket own = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return !own.isBound();
        } catch (IOException taken) {
            return true;
        }
    }
}

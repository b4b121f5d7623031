package io.orestes.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback that nobody uses, for a process that has to be told its own or comes back to it. It is none of those that the kernel gives to
 * connections, of which other tests open thousands at a time.
 */
public final class FreePort {

    private static final int FIRST = 10_000;
    private static final int END = 32_000;

    private FreePort() {}

    public static int any() {
        int port = random();
        while (isTaken(port)) {
            port = random();
        }
        return port;
    }

    private static int random() {
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

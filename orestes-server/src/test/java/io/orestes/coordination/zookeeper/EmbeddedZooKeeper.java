package io.orestes.coordination.zookeeper;

import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A ZooKeeper in this process for all tests of a class, on a free loopback port. */
final class EmbeddedZooKeeper implements BeforeAllCallback, AfterAllCallback {

    /** Longest session that it grants. */
    static final int MAX_SESSION_MILLIS = 30_000;

    private static final int TICK_MILLIS = 500;
    private static final Map<String, Object> SETTINGS = Map.of("maxSessionTimeout", String.valueOf(MAX_SESSION_MILLIS));

    private final TestingServer server;

    EmbeddedZooKeeper() {
        try {
            server = new TestingServer(
                    new InstanceSpec(null, -1, -1, -1, true, 1, TICK_MILLIS, 1_000, SETTINGS, "127.0.0.1"), false);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    String address() {
        return server.getConnectString();
    }

    /** Returns the number of changes of its data so far, plus what else it counts in its zxid. */
    long changes() {
        try {
            String answer = FourLetterWordMain.send4LetterWord("127.0.0.1", server.getPort(), "srvr");
            return answer.lines()
                    .filter(line -> line.startsWith("Zxid: 0x"))
                    .mapToLong(line -> Long.parseLong(line.substring("Zxid: 0x".length()), 16))
                    .findFirst()
                    .orElseThrow();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** Stops the server without loss of its data. */
    void stop() {
        attempt(server::stop);
    }

    void restart() {
        attempt(server::restart);
    }

    @Override
    public void beforeAll(ExtensionContext tests) {
        attempt(server::start);
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        attempt(server::close);
    }

    private static void attempt(Action action) {
        try {
            action.run();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private interface Action {
        void run() throws Exception;
    }
}

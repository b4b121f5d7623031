package io.orestes.coordination.zookeeper;

import io.orestes.support.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Three ZooKeeper processes on free loopback ports with empty folders, for all tests of a class. Numbered from 0. Sessions last
 * 1 to 10 s there.
 */
final class Ensemble implements BeforeAllCallback, AfterAllCallback {

    private static final String JAR = "ORESTES_TEST_ZOOKEEPER";
    private static final int SIZE = 3;
    private static final int TICK_MILLIS = 500;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final List<Integer> ports =
            IntStream.generate(Ports::free).distinct().limit(3 * SIZE).boxed().toList();
    private final List<Process> servers = new ArrayList<>();
    private final Path folder;

    Ensemble() {
        try {
            folder = Files.createTempDirectory("zookeeper");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients find all of them. */
    String address() {
        return all().mapToObj(this::address).collect(Collectors.joining(","));
    }

    /** Where clients find one of them. */
    String address(int number) {
        return "127.0.0.1:" + ports.get(number);
    }

    /** Which one leads. */
    int leader() {
        await(() -> all().anyMatch(number -> mode(number).equals("leader")));
        return all().filter(number -> mode(number).equals("leader")).findFirst().orElseThrow();
    }

    /** Ends one at once, as the kernel would. */
    void kill(int number) {
        Process server = servers.get(number);
        server.destroyForcibly();
        server.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Starts those that were killed, and waits until all serve. */
    void restart(int... numbers) {
        IntStream.of(numbers).forEach(number -> servers.set(number, launch(number)));
        awaitAll();
    }

    void signal(int number, String name) {
        Witness.signal(servers.get(number), name);
    }

    @Override
    public void beforeAll(ExtensionContext tests) {
        all().forEach(number -> servers.add(launch(number)));
        awaitAll();
    }

    @Override
    public void afterAll(ExtensionContext tests) throws IOException {
        all().forEach(this::kill);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Process launch(int number) {
        Path home = folder.resolve("server" + number);
        try {
            Files.createDirectories(home);
            Files.writeString(home.resolve("myid"), String.valueOf(number + 1));
            Files.writeString(home.resolve("zoo.cfg"), configuration(number, home));
            return new ProcessBuilder(
                            Witness.java(),
                            "-Xmx128m",
                            "-cp",
                            System.getenv(JAR),
                            "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                            home.resolve("zoo.cfg").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String configuration(int number, Path home) {
        String peers = all().mapToObj(peer -> "server.%d=127.0.0.1:%d:%d%n"
                        .formatted(peer + 1, ports.get(SIZE + peer), ports.get(2 * SIZE + peer)))
                .collect(Collectors.joining());
        return "tickTime=%d%ninitLimit=20%nsyncLimit=6%nforceSync=no%nadmin.enableServer=false%ndataDir=%s%n"
                        .formatted(TICK_MILLIS, home)
                + "clientPortAddress=127.0.0.1%nclientPort=%d%n%s".formatted(ports.get(number), peers);
    }

    private void awaitAll() {
        await(() -> all().allMatch(number -> List.of("leader", "follower").contains(mode(number))));
    }

    /** What a server takes itself for; nothing if it does not serve. */
    private String mode(int number) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(number)), 1_000);
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("");
        } catch (IOException notServing) {
            return "";
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("ZooKeeper does not serve");
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private static IntStream all() {
        return IntStream.range(0, SIZE);
    }
}

package io.orestes.group;

import io.orestes.support.process.Ports;
import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of three processes. */
final class ZooKeepers implements AutoCloseable {

    private static final int SIZE = 3;

    private final List<Integer> ports = Ports.free(3 * SIZE);
    private final List<Process> processes = new ArrayList<>();

    /** @param folder an empty one */
    ZooKeepers(Path folder) throws IOException {
        for (int number = 0; number < SIZE; number++) {
            processes.add(start(number, Files.createDirectories(folder.resolve("zookeeper" + number))));
        }
        Waiting.until("ZooKeeper serves", () -> IntStream.range(0, SIZE).allMatch(this::serves));
    }

    String address() {
        return IntStream.range(0, SIZE)
                .mapToObj(number -> "127.0.0.1:" + ports.get(number))
                .collect(Collectors.joining(","));
    }

    /** Waits until no member is left of those whose servers were killed. */
    void awaitNoMembers() {
        Waiting.until("the sessions of all servers have expired", () -> IntStream.range(0, SIZE)
                .allMatch(number -> ask(number, "dump").contains("Sessions with Ephemerals (0)")));
    }

    private Process start(int number, Path home) throws IOException {
        Files.writeString(home.resolve("myid"), Integer.toString(number + 1));
        Files.writeString(home.resolve("zoo.cfg"), settings(number, home));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-cp",
                        Objects.requireNonNull(System.getenv("ORESTES_TEST_ZOOKEEPER")),
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        home.resolve("zoo.cfg").toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
    }

    private String settings(int number, Path home) {
        String own =
                """
                tickTime=500
                initLimit=40
                syncLimit=20
                forceSync=no
                admin.enableServer=false
                4lw.commands.whitelist=srvr,dump
                dataDir=%s
                clientPortAddress=127.0.0.1
                clientPort=%d
                """
                        .formatted(home, ports.get(number));
        return IntStream.range(0, SIZE)
                .mapToObj(peer -> "server.%d=127.0.0.1:%d:%d\n"
                        .formatted(peer + 1, ports.get(SIZE + peer), ports.get(2 * SIZE + peer)))
                .collect(Collectors.joining("", own, ""));
    }

    private boolean serves(int number) {
        String answer = ask(number, "srvr");
        return answer.contains("Mode: leader") || answer.contains("Mode: follower");
    }

    /** The answer to a command of four letters; empty if there is none. */
    private String ask(int number, String command) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ports.get(number))) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException notYet) {
            return "";
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(
                process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }
}

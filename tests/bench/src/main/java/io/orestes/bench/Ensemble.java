package io.orestes.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of three processes on this machine, each with an empty folder. */
final class Ensemble implements AutoCloseable {

    private static final int SIZE = 3;
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Of each for clients, for followers and for elections. */
    private final List<Integer> ports = freePorts(3 * SIZE);

    private final List<Process> processes = new ArrayList<>();

    private Ensemble() throws IOException {}

    /** Returns when all serve. */
    static Ensemble start(Lab lab) throws IOException, InterruptedException {
        String jar = lab.tool("zookeeper");
        Ensemble ensemble = new Ensemble();
        Runtime.getRuntime().addShutdownHook(new Thread(ensemble::destroy));
        for (int number = 0; number < SIZE; number++) {
            ensemble.launch(number, jar, Files.createDirectories(lab.folder("zookeeper")));
        }
        ensemble.awaitAll();
        return ensemble;
    }

    /** As {@code --zookeeper} takes it. */
    String address() {
        return ports.subList(0, SIZE).stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private void launch(int number, String jar, Path home) throws IOException {
        Files.writeString(home.resolve("myid"), Integer.toString(number + 1));
        Path settings = Files.writeString(home.resolve("zoo.cfg"), settings(number, home));
        processes.add(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        jar,
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start());
    }

    private String settings(int number, Path home) {
        String own =
                """
                tickTime=500
                initLimit=40
                syncLimit=20
                admin.enableServer=false
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

    private void awaitAll() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!ports.subList(0, SIZE).stream().allMatch(Ensemble::serves)) {
            if (System.nanoTime() - begin > START_NANOS) {
                throw new IOException("ZooKeeper does not serve");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static boolean serves(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.contains("Mode: leader") || answer.contains("Mode: follower");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** All held at once, so that none is given twice. */
    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private void destroy() {
        processes.forEach(Process::destroyForcibly);
    }

    @Override
    public void close() {
        destroy();
        processes.forEach(
                process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }
}

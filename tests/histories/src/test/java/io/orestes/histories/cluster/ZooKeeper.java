package io.orestes.histories.cluster;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An ensemble of three. */
public final class ZooKeeper implements AutoCloseable {

    private static final int SIZE = 3;
    private static final int PORT = 2_181;

    private final List<Node> members = new ArrayList<>();

    /** Prepares all, in an empty folder. */
    ZooKeeper(Network network, Path folder) throws IOException {
        List<Host> hosts = IntStream.range(0, SIZE)
                .mapToObj(number -> network.add("zookeeper" + number))
                .toList();
        for (int number = 0; number < SIZE; number++) {
            Path home = Files.createDirectories(folder.resolve(hosts.get(number).name()));
            Files.writeString(home.resolve("myid"), Integer.toString(number + 1));
            Files.writeString(home.resolve("zoo.cfg"), settings(hosts, number, home));
            members.add(new Node(hosts.get(number), home, command(home)));
        }
    }

    void start() {
        members.forEach(Node::start);
        Waiting.until("ZooKeeper serves", () -> members.stream().allMatch(ZooKeeper::serves));
    }

    private static List<String> command(Path home) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-cp",
                Objects.requireNonNull(System.getenv("ORESTES_TEST_ZOOKEEPER")),
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                home.resolve("zoo.cfg").toString());
    }

    private static String settings(List<Host> hosts, int number, Path home) {
        String own =
                """
                tickTime=500
                initLimit=40
                syncLimit=10
                forceSync=no
                admin.enableServer=false
                dataDir=%s
                clientPortAddress=%s
                clientPort=%d
                """
                        .formatted(home, hosts.get(number).address(), PORT);
        return IntStream.range(0, SIZE)
                .mapToObj(peer -> "server.%d=%s:2888:3888\n"
                        .formatted(peer + 1, hosts.get(peer).address()))
                .collect(Collectors.joining("", own, ""));
    }

    /** Where clients find it. */
    String address() {
        return members.stream().map(member -> member.address() + ":" + PORT).collect(Collectors.joining(","));
    }

    public List<Node> members() {
        return List.copyOf(members);
    }

    private static boolean serves(Node member) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.address(), PORT), 1_000);
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.contains("Mode: leader") || answer.contains("Mode: follower");
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        members.forEach(Node::close);
    }
}

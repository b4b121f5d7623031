package io.orestes.histories.cluster;

import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * All processes, with operations on them. {@code orestes.patch} names a folder of classes that
 * replace the product's, to check that a bug is found. Used by one thread at a time.
 */
public final class Cluster implements AutoCloseable {

    /** Time limit of the recovery from a fault, or of the work of a healthy cluster. */
    public static final Duration PATIENCE = Duration.ofSeconds(90);

    static final String ROOT_PASSWORD = "correct horse";

    private static final int SIZE = 3;
    private static final int PORT = 8_080;
    private static final Path ROOT = Path.of(System.getProperty("orestes.root", "../.."))
            .toAbsolutePath()
            .normalize();
    private static final Path PRODUCT = ROOT.resolve(".build/product");
    private static final Path JAR = PRODUCT.resolve("orestes-server.jar");

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Network network;
    private final Path folder;
    private final Duration longestTtl;
    private final Clocks clocks;
    private final boolean isPatched;
    private final String classPath;
    private final List<Node> servers = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final MongoDb mongo;
    private final ZooKeeper zooKeeper;

    /**
     * Starts all processes, and waits until they are ready.
     *
     * @param folder an empty one
     * @param longestTtl for how long caches may keep anything
     */
    public Cluster(Path folder, Duration longestTtl) {
        this(folder, longestTtl, Clocks.TOGETHER, System.getProperty("orestes.patch", ""));
    }

    private Cluster(Path folder, Duration longestTtl, Clocks clocks, String patch) {
        this.folder = folder;
        this.longestTtl = longestTtl;
        this.clocks = clocks;
        this.isPatched = !patch.isEmpty();
        this.classPath = patch.isEmpty() ? JAR.toString() : patch + ":" + JAR;
        network = closedLater(new Network());
        try {
            mongo = closedLater(MongoDb.start(network, folder));
            zooKeeper = closedLater(ZooKeeper.start(network, folder.resolve("zookeeper")));
            start();
        } catch (RuntimeException | AssertionError failure) {
            close();
            throw failure;
        }
    }

    /** Returns a cluster whose servers have the bug; in all else equal to the constructor's. */
    public static Cluster with(PlantedBug bug, Path folder, Duration longestTtl) throws IOException {
        return new Cluster(folder, longestTtl, Clocks.TOGETHER, patch(bug, folder));
    }

    /** Returns a cluster with servers whose clocks differ. */
    public static Cluster withClocksApart(Path folder, Duration longestTtl) {
        return new Cluster(folder, longestTtl, Clocks.APART, System.getProperty("orestes.patch", ""));
    }

    /** Returns a cluster whose servers have the bug and different clocks. */
    public static Cluster withClocksApart(PlantedBug bug, Path folder, Duration longestTtl) throws IOException {
        return new Cluster(folder, longestTtl, Clocks.APART, patch(bug, folder));
    }

    private static String patch(PlantedBug bug, Path folder) throws IOException {
        return bug.compile(ROOT, JAR, Files.createDirectories(folder.resolve("patch")))
                .toString();
    }

    private <T extends AutoCloseable> T closedLater(T part) {
        parts.add(part);
        return part;
    }

    private void start() {
        for (int number = 0; number < SIZE; number++) {
            servers.add(closedLater(server(number)));
        }
        startServers();
        for (int number = 0; number < SIZE; number++) {
            awaitClock(number);
        }
    }

    /**
     * Starts the servers and waits until all are ready. Servers with a planted bug may overwrite
     * the secret of the group if they create it at once. The first of them therefore starts alone.
     */
    private void startServers() {
        if (isPatched) {
            servers.get(0).start();
            awaitServer(servers.get(0));
            servers.subList(1, SIZE).forEach(Node::start);
        } else {
            servers.forEach(Node::start);
        }
        awaitServers();
    }

    private void awaitClock(int number) {
        Waiting.until("the clock of server " + number + " is as it was set", () -> bloomFilter(servers.get(number))
                .flatMap(answer -> answer.headers().firstValue("Date"))
                .filter(date -> clocks.isOf(number, Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date))))
                .isPresent());
    }

    private Node server(int number) {
        Host host = network.add("server" + number);
        Path home = Folders.created(folder.resolve(host.name()));
        return new Node(
                host,
                new ExternalProgram(
                        Network.context(host),
                        home,
                        clocks.command(
                                number,
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx320m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.library.path=" + PRODUCT.resolve("native"),
                                "-Djna.boot.library.path=" + PRODUCT.resolve("native"),
                                "-cp",
                                classPath,
                                "io.orestes.app.Main",
                                "--host=" + host.address(),
                                "--port=" + PORT,
                                "--group.host=" + host.address(),
                                "--data=" + home.resolve("data"),
                                "--mongo=" + mongo.uri("shop"),
                                "--mongo.deadline=8s",
                                "--zookeeper=" + zooKeeper.address(),
                                "--root-password=" + ROOT_PASSWORD,
                                "--rate-limit=off",
                                "--caching.browser-max-ttl=" + longestTtl.toSeconds() + "s",
                                "--caching.shared-max-ttl=" + longestTtl.toSeconds() + "s")));
    }

    public List<Node> servers() {
        return List.copyOf(servers);
    }

    public MongoDb mongo() {
        return mongo;
    }

    public ZooKeeper zooKeeper() {
        return zooKeeper;
    }

    /** Returns scheme, host and port of a server. */
    public static URI address(Node server) {
        return URI.create("http://" + server.address() + ":" + PORT);
    }

    /** Returns scheme, host and port of a server with the base path. */
    public static String base(Node server) {
        return address(server) + "/v1";
    }

    /** Drops all packets between one node and each of several others. */
    public void cut(Node one, List<Node> others) {
        others.forEach(other -> network.cut(one.host(), other.host()));
    }

    public void heal(Node one, List<Node> others) {
        others.forEach(other -> network.heal(one.host(), other.host()));
    }

    /** Drops all packets between a node and all others, clients too. */
    void unplug(Node node) {
        network.unplug(node.host());
    }

    void plug(Node node) {
        network.plug(node.host());
    }

    /** Waits until all servers are members of the group and answer. */
    public void awaitServers() {
        servers.forEach(this::awaitServer);
    }

    private void awaitServer(Node server) {
        Waiting.until("a server is ready\n" + server.name(), PATIENCE, () -> isReady(server));
    }

    private boolean isReady(Node server) {
        if (!server.isRunning()) {
            throw new AssertionError(server.name() + " has ended\n" + lastWords());
        }
        return bloomFilter(server).isPresent();
    }

    /** Returns the answer of a server; empty if it is not healthy. */
    private Optional<HttpResponse<Void>> bloomFilter(Node server) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base(server) + "/bloomfilter"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return Optional.of(http.send(request, BodyHandlers.discarding()))
                    .filter(answer -> answer.statusCode() == 200);
        } catch (IOException notYet) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Returns the ends of all logs of servers. */
    public String lastWords() {
        return String.join("\n", servers.stream().map(Node::lastWords).toList());
    }

    /** Ends the processes in reverse order of their start. */
    @Override
    public void close() {
        for (AutoCloseable part = parts.pollLast(); part != null; part = parts.pollLast()) {
            close(part);
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new AssertionError("could not be cleared away", e);
        }
    }
}

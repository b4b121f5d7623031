package io.orestes.bench.harness;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * The product, started by its launcher with default flags, an empty data folder and a free port.
 */
public final class Orestes implements AutoCloseable {

    private static final String TOKEN = "baqend-authorization-token";

    private final ServerProcess server;
    private final URI base;
    private final double secondsToReady;
    private String rootToken = "";
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Orestes(ServerProcess server, double secondsToReady) {
        this.server = server;
        this.base = server.base();
        this.secondsToReady = secondsToReady;
    }

    /** Returns when the server has reported that it is ready. */
    public static Orestes start(BenchmarkEnvironment lab) throws IOException {
        return start(lab, List.of());
    }

    /**
     * Starts a server that purges Varnish on these ports of this machine; returns when it is ready.
     */
    public static Orestes start(BenchmarkEnvironment lab, List<Integer> purged, String... flags) throws IOException {
        Map<String, String> environment = purged.isEmpty()
                ? Map.of()
                : Map.of(
                        "ORESTES_CACHING_PURGE_SECRET",
                        BenchmarkEnvironment.PURGE_SECRET,
                        "ORESTES_CACHING_PURGE_TARGETS",
                        purged.stream().map(port -> "http://127.0.0.1:" + port).collect(Collectors.joining(",")));
        return start(lab, environment, flags);
    }

    /** Starts a server with this maximum heap; returns when it is ready. */
    public static Orestes startWithHeap(BenchmarkEnvironment lab, int megabytes) throws IOException {
        return start(lab, Map.of("JAVA_OPTS", "-Xmx" + megabytes + "m"));
    }

    private static Orestes start(BenchmarkEnvironment lab, Map<String, String> environment, String... flags)
            throws IOException {
        Launcher launcher = new Launcher(Launcher.here().script(), Launcher.ROOT, environment);
        List<String> all = new ArrayList<>(List.of("--root-password", "bench"));
        all.addAll(List.of(flags));
        long begin = System.nanoTime();
        try {
            ServerProcess server = launcher.start(lab.folder("orestes"), all.toArray(String[]::new));
            return new Orestes(server, (System.nanoTime() - begin) / 1e9);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    public double secondsToReady() {
        return secondsToReady;
    }

    public int port() {
        return base.getPort();
    }

    public String url(String path) {
        return base + path;
    }

    /** Returns the memory in use according to the kernel. */
    public double residentMegabytes() throws IOException {
        for (String line :
                Files.readAllLines(Path.of("/proc/" + server.command().pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Integer.parseInt(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        throw new IOException("The kernel does not report the memory of the server");
    }

    /**
     * Returns the command line of its JVM up to the program; without what only its own classes use.
     */
    public List<String> javaAndFlags() {
        ProcessHandle.Info info =
                ProcessHandle.of(server.command().pid()).orElseThrow().info();
        List<String> command = new ArrayList<>(List.of(info.command().orElseThrow()));
        Predicate<String> own = flag -> flag.contains("ArchiveFile") || flag.contains("FlightRecorder");
        for (String flag : info.arguments().orElseThrow()) {
            if (flag.equals("-jar")) {
                break;
            }
            command.add(flag);
        }
        command.removeIf(own);
        return command;
    }

    /** Creates a class whose objects have these fields; everybody may read and write them. */
    public void createClass(String name, Field... fields) throws IOException, InterruptedException {
        createClass(name, "", fields);
    }

    /**
     * Creates a class whose objects have these fields.
     *
     * @param permissions members of the class's {@code acl}; omitted ones do not matter
     */
    public void createClass(String name, String permissions, Field... fields) throws IOException, InterruptedException {
        String members =
                String.join(",", List.of(fields).stream().map(Field::json).toList());
        asRoot(
                200,
                "POST",
                "/v1/schema/" + name,
                "{\"class\":\"/db/" + name + "\",\"acl\":{" + permissions + "},\"fields\":{" + members + "}}");
    }

    /** Registers a user, who is logged in. */
    public User register(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer = expect(
                200,
                post(
                        "/v1/db/User/register",
                        "{\"user\":{\"username\":\"" + name + "\"},\"password\":\"bench\",\"login\":true}"));
        return new User(
                BsonDocument.parse(answer.body()).getString("id").getValue(),
                "BAT " + answer.headers().firstValue(TOKEN).orElseThrow());
    }

    /** Creates a role of the user; returns its id. */
    public String createRole(String name, User user) throws IOException, InterruptedException {
        String role =
                asRoot(201, "POST", "/v1/db/Role", "{\"name\":\"" + name + "\",\"users\":[\"" + user.id() + "\"]}");
        return BsonDocument.parse(role).getString("id").getValue();
    }

    /** Declares an index, in ascending order. */
    public void createIndex(String name, String field) throws IOException, InterruptedException {
        asRoot(202, "POST", "/v1/index/" + name, "{\"keys\":[{\"" + field + "\":\"asc\"}],\"unique\":false}");
    }

    /** Stores objects, JSON texts with ids, all at once. */
    public void importAll(String name, List<String> objects) throws IOException, InterruptedException {
        importAll(name, BodyPublishers.ofString("[" + String.join(",", objects) + "]"));
    }

    /** Imports a file with an array of objects. */
    public void importAll(String name, Path objects) throws IOException, InterruptedException {
        importAll(name, BodyPublishers.ofFile(objects));
    }

    private void importAll(String name, BodyPublisher objects) throws IOException, InterruptedException {
        String refused = asRoot(200, "PUT", "/v1/db/" + name, objects);
        if (!refused.replace("\n", "").equals("[]")) {
            throw new IOException("Objects were refused: " + refused);
        }
    }

    /** Returns the number of objects of a class. */
    public long count(String name) throws IOException, InterruptedException {
        return BsonDocument.parse(asRoot(200, "GET", "/v1/db/" + name + "/count", ""))
                .getNumber("count")
                .longValue();
    }

    /** Writes all objects of a class to a file and returns their number of bytes. */
    public long export(String name, Path file) throws IOException, InterruptedException {
        HttpRequest request =
                json("/v1/db/" + name).header("Authorization", "BAT " + token()).build();
        HttpResponse<Path> response = http.send(request, BodyHandlers.ofFile(file));
        if (response.statusCode() != 200) {
            throw new IOException("The export was answered with " + response.statusCode());
        }
        return Files.size(file);
    }

    @CanIgnoreReturnValue
    private String asRoot(int status, String method, String path, String body)
            throws IOException, InterruptedException {
        return asRoot(status, method, path, BodyPublishers.ofString(body));
    }

    private String asRoot(int status, String method, String path, BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest request = json(path)
                .header("Authorization", "BAT " + token())
                .method(method, body)
                .build();
        return expect(status, http.send(request, BodyHandlers.ofString())).body();
    }

    /** Returns the token of root, for which one log-in is enough. */
    public String token() throws IOException, InterruptedException {
        if (rootToken.isEmpty()) {
            rootToken = logIn();
        }
        return rootToken;
    }

    private String logIn() throws IOException, InterruptedException {
        return expect(200, post("/v1/db/User/login", "{\"username\":\"root\",\"password\":\"bench\"}"))
                .headers()
                .firstValue(TOKEN)
                .orElseThrow();
    }

    @CanIgnoreReturnValue
    public HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = json(path).PUT(BodyPublishers.ofString(body)).build();
        return expect(200, http.send(request, BodyHandlers.ofString()));
    }

    @CanIgnoreReturnValue
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return expect(200, http.send(HttpRequest.newBuilder(base.resolve(path)).build(), BodyHandlers.ofString()));
    }

    /** Returns the answer in its wire form. */
    public HttpResponse<byte[]> getZipped(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .header("Accept-Encoding", "gzip")
                .build();
        return http.send(request, BodyHandlers.ofByteArray());
    }

    /** Repeats a request until the answer comes from the cache, and returns it. */
    public HttpResponse<String> getCached(String path) throws IOException, InterruptedException {
        return getCached(HttpRequest.newBuilder(base.resolve(path)).build());
    }

    /** Repeats a user's request until the answer comes from the cache, and returns it. */
    public HttpResponse<String> getCached(String path, User user) throws IOException, InterruptedException {
        return getCached(HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", user.header())
                .build());
    }

    private HttpResponse<String> getCached(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < 10; attempt++) {
            HttpResponse<String> response = expect(200, http.send(request, BodyHandlers.ofString()));
            if (response.headers()
                    .firstValue("Orestes-Cache")
                    .filter("hit"::equals)
                    .isPresent()) {
                return response;
            }
        }
        throw new IOException("No answer came from the cache: " + request.uri());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return http.send(json(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder json(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).header("Content-Type", "application/json");
    }

    private static HttpResponse<String> expect(int status, HttpResponse<String> response) throws IOException {
        if (response.statusCode() != status) {
            throw new IOException(response.uri() + " answered " + response.statusCode() + ": " + response.body());
        }
        return response;
    }

    @Override
    public void close() {
        server.close();
    }

    /**
     * A user who is logged in.
     *
     * @param header value of {@code Authorization} in the user's requests
     */
    public record User(String id, String header) {}

    /**
     * A declared field.
     *
     * @param type a basic type, e.g. {@code String}
     */
    public record Field(String name, String type) {

        private String json() {
            return "\"" + name + "\":{\"name\":\"" + name + "\",\"type\":\"/db/" + type + "\"}";
        }
    }
}

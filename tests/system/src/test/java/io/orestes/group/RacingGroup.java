package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.system.Backend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/**
 * Servers on one replica set, or one on the embedded store, concurrent requests to them, and the
 * state afterwards. Server numbers are modulo the number of servers.
 */
final class RacingGroup implements AutoCloseable {

    private static final AtomicInteger CLASSES = new AtomicInteger();

    /** Raises the limit of objects that one query finds. */
    private static final String MAX_RESULTS = "--query.max-results=5000";

    /** Ways in which several writes are sent through one server. */
    enum Sending {
        /** In one request. */
        BULK,
        /** Each in a request of its own. */
        ALONE
    }

    /** Writes of several objects by one client. */
    record WriteBatch(Client client, List<ObjectWrite> writes) {}

    private final Optional<ServerGroup> group;
    private final List<ServerProcess> servers;
    private final List<Client> roots;
    private final ExecutorService runners = Executors.newCachedThreadPool();

    private RacingGroup(Optional<ServerGroup> group, List<ServerProcess> servers) {
        this.group = group;
        this.servers = servers;
        this.roots = servers.stream()
                .map(server -> Client.anonymous(server).login("root", Backend.ROOT_PASSWORD))
                .toList();
    }

    /** Starts some servers on a replica set in an empty folder. */
    static RacingGroup onReplicaSet(Path folder, int count) throws IOException, InterruptedException {
        ServerGroup group = new ServerGroup(folder, count, MAX_RESULTS);
        return new RacingGroup(
                Optional.of(group),
                IntStream.range(0, count).mapToObj(group::server).toList());
    }

    /** Starts one server on the embedded store in an empty folder. */
    static RacingGroup onEmbeddedStore(Path folder) throws InterruptedException {
        ServerProcess server = ServerProcess.whenReady(Launcher.here()
                .run(
                        "start",
                        "--port=0",
                        "--data=" + folder.resolve("data"),
                        "--root-password=" + Backend.ROOT_PASSWORD,
                        "--rate-limit=off",
                        MAX_RESULTS));
        return new RacingGroup(Optional.empty(), List.of(server));
    }

    /** Changes a document in MongoDB as another program would; see {@link Mongod#update}. */
    void updateInStore(String bucket, String id, String update) {
        group.orElseThrow().updateInStore(bucket, id, update);
    }

    Client root(int server) {
        return roots.get(server % count());
    }

    Client anonymous(int server) {
        return Client.anonymous(servers.get(server % count()));
    }

    /** Creates a class that everybody may write, with a text and a number. */
    String newClass() {
        for (int server = 0; server < count(); server++) {
            Client client = anonymous(server);
            Waiting.until(
                    "server " + server + " is a member",
                    () -> client.get("/bloomfilter").status() == 200);
        }
        String name = "Raced" + CLASSES.incrementAndGet();
        Answer created = root(0).post(
                        "/schema",
                        """
                        {"class":"/db/%s","fields":{"text":{"type":"/db/String"},"n":{"type":"/db/Integer"}}}
                        """
                                .formatted(name));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return name;
    }

    /** Returns ids of objects of a class that are in no other round. */
    static List<String> ids(String bucket, int round, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "/db/%s/r%dn%d".formatted(bucket, round, number))
                .toList();
    }

    /**
     * Inserts objects with a number of 0, and returns their ids. On MongoDB the last state of every
     * other one is later than now by all clocks, as after a clock was set back. Its next state is
     * one millisecond younger on every server, so concurrent writes of servers have one time.
     */
    List<String> newObjects(String bucket, int count) {
        List<String> ids = ids(bucket, 0, count);
        write(
                anonymous(0),
                ids.stream().map(id -> ObjectWrite.insertion(id, "{\"n\":0}")).toList());
        List<String> ahead = IntStream.range(0, count)
                .filter(number -> group.isPresent() && number % 2 == 1)
                .mapToObj(ids::get)
                .toList();
        ahead.forEach(id -> updateInStore(bucket, id, "{$set: {updatedAt: {$date: '2100-01-01T00:00:00Z'}}}"));
        Waiting.until(
                "all servers have read it", () -> IntStream.range(0, count()).allMatch(server -> {
                    Map<String, BsonDocument> found = stored(server, bucket);
                    return ahead.stream().allMatch(id -> version(found, id) > 1);
                }));
        return ids;
    }

    /** Returns the version of an object among those that are stored. */
    static long version(Map<String, BsonDocument> stored, String id) {
        return Objects.requireNonNull(stored.get(id)).getNumber("version").longValue();
    }

    /** Returns the number of servers. */
    int count() {
        return servers.size();
    }

    /** Writes through one server; all writes have to succeed. */
    void write(Client client, List<ObjectWrite> writes) {
        assertThat(bulk(client, writes)).allMatch(Reply::isDone, "is done");
    }

    List<Reply> send(Sending sending, Client client, List<ObjectWrite> writes) {
        return race(sending, List.of(new WriteBatch(client, writes))).get(0);
    }

    /**
     * Sends several volleys so that all of their requests begin at one moment; the replies are in
     * the order of the writes.
     */
    List<List<Reply>> race(Sending sending, List<WriteBatch> volleys) {
        List<Supplier<List<Reply>>> requests = new ArrayList<>();
        for (WriteBatch volley : volleys) {
            if (sending == Sending.BULK) {
                requests.add(() -> bulk(volley.client(), volley.writes()));
            } else {
                volley.writes().forEach(write -> requests.add(() -> List.of(write.sendBy(volley.client()))));
            }
        }
        List<Reply> replies = together(requests).stream().flatMap(List::stream).toList();
        List<List<Reply>> parts = new ArrayList<>();
        int begin = 0;
        for (WriteBatch volley : volleys) {
            int end = begin + volley.writes().size();
            parts.add(replies.subList(begin, end));
            begin = end;
        }
        return parts;
    }

    private static List<Reply> bulk(Client client, List<ObjectWrite> writes) {
        String id = writes.get(0).id();
        return Reply.toEach(
                client.post(
                        id.substring(0, id.lastIndexOf('/')) + "/bulk",
                        writes.stream()
                                .map(ObjectWrite::operation)
                                .toList()
                                .toString()
                                .transform("{\"operations\":%s}"::formatted)),
                writes.size());
    }

    private <T> List<T> together(List<Supplier<T>> actions) {
        CyclicBarrier start = new CyclicBarrier(actions.size());
        return actions.stream()
                .map(action -> CompletableFuture.supplyAsync(
                        () -> {
                            await(start);
                            return action.get();
                        },
                        runners))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static void await(CyclicBarrier start) {
        try {
            int unused = start.await();
        } catch (BrokenBarrierException | InterruptedException e) {
            throw new AssertionError("not started", e);
        }
    }

    /** Returns the entity tags of objects by one server, in their order. */
    List<Optional<String>> tags(int server, List<String> ids) {
        Client client = anonymous(server);
        return together(ids.stream()
                .<Supplier<Optional<String>>>map(id -> () -> Optional.of(client.get(id, "Cache-Control", "no-cache")
                        .header("etag")
                        .orElseThrow()))
                .toList());
    }

    /** Returns the committed objects of a class by one server, by id. */
    Map<String, BsonDocument> stored(int server, String bucket) {
        Map<String, BsonDocument> found = new TreeMap<>();
        Answer answer = anonymous(server).query(bucket, "{}", "Cache-Control", "no-cache");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        answer.array().stream()
                .map(object -> object.asDocument())
                .forEach(object -> found.put(object.getString("id").getValue(), object));
        return found;
    }

    /** Returns the committed objects of a class by id, on which all servers have to agree. */
    Map<String, BsonDocument> stored(String bucket) {
        Map<String, BsonDocument> found = stored(0, bucket);
        for (int server = 1; server < count(); server++) {
            assertThat(stored(server, bucket).equals(found))
                    .as("server %d has what server 0 has", server)
                    .isTrue();
        }
        requireCount(bucket, found.size());
        return found;
    }

    private void requireCount(String bucket, int objects) {
        group.ifPresent(all -> assertThat(all.countInStore(bucket, "{}")).isEqualTo(objects));
    }

    /** Returns the ids of the remaining objects, on which all servers have to agree. */
    Set<String> remaining(String bucket) {
        Set<String> ids = stored(0, bucket).keySet();
        for (int server = 1; server < count(); server++) {
            assertThat(stored(server, bucket).keySet().equals(ids))
                    .as("server %d has what server 0 has", server)
                    .isTrue();
        }
        requireCount(bucket, ids.size());
        return ids;
    }

    @Override
    public void close() {
        runners.shutdown();
        if (group.isPresent()) {
            group.get().close();
        } else {
            servers.forEach(ServerProcess::close);
        }
    }
}

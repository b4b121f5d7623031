package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.orestes.support.http.Answer;
import io.orestes.support.http.LiveStream;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.system.BloomFilterReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * MongoDB's log no longer has the changes since they were read last: all servers evict their
 * caches, not only the one that reads.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class LostFeedPositionTest {

    /** The error code of a server that is busy now and may not be later. */
    private static final int BUSY = 262;

    private static final int SERVERS = 3;
    private static final String ID = "/db/Note/1";

    /** Purges that shared caches receive, of which this is one. */
    private final Queue<String> purges = new ConcurrentLinkedQueue<>();

    private final HttpServer sharedCache;
    private final ServerGroup group;

    LostFeedPositionTest(@TempDir Path folder) throws Exception {
        sharedCache = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sharedCache.createContext("/", exchange -> {
            purges.add("%s %s"
                    .formatted(
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Orestes-Purge")));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        sharedCache.start();
        group = new ServerGroup(
                folder,
                Mongod.replicaSet(folder.resolve("mongo")),
                SERVERS,
                "--caching.purge.targets=http://127.0.0.1:"
                        + sharedCache.getAddress().getPort(),
                "--caching.purge.secret=vanish");
    }

    @AfterEach
    void close() {
        group.close();
        sharedCache.stop(0);
    }

    @BeforeEach
    void waitUntilNothingIsStale() {
        Answer created = group.root(0)
                .post(
                        "/schema",
                        "{\"class\":\"/db/Note\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        group.anonymous(0).insert("Note", "{\"id\":\"%s\",\"text\":\"old\"}".formatted(ID));
        Waiting.until("one reads", () -> any(this::reads));
        ServerGroup.awaitEmptyFilter(() -> all(server -> !isStale(server)));
    }

    @Test
    void position_isNotInTheLogAnyMore_allServersEvictTheirCaches() throws Exception {
        List<LiveStream> streams = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            streams.add(LiveStream.open(group.anonymous(server), "Note", "q=%7B%7D"));
            assertThat(streams.get(server).next().name()).isEqualTo("result");
        }
        group.mongo().failChangeStream(ServerGroup.DATABASE, BUSY);
        Waiting.until("no server reads the change feed", () -> all(server -> !reads(server)));
        group.mongo().rollOverOplog();
        assertThat(all(server -> text(server).contains("old"))).isTrue();
        group.updateInStore("Note", ID, "{$set: {text: 'new'}}");
        assertThat(all(server -> text(server).contains("old")))
                .as("all have it cached, and none was notified")
                .isTrue();
        purges.clear();

        group.mongo().failNoCommands();

        for (LiveStream stream : streams) {
            assertThat(stream.next().name()).isEqualTo("end");
            stream.close();
        }
        assertThat(all(server -> text(server).contains("new"))).isTrue();
        assertThat(all(this::isStale)).isTrue();
        Waiting.until("each server has purged shared caches", () -> purgesOfAll() >= SERVERS);
        Waiting.until("one reads again", () -> any(this::reads));
        assertThat(all(server -> !group.log(server).contains("has left the group")))
                .as("no member has left, which would be a reason, too")
                .isTrue();

        try (LiveStream stream = LiveStream.open(group.anonymous(0), "Note", "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            group.updateInStore("Note", ID, "{$set: {text: 'newer'}}");
            assertThat(stream.next().summary()).isEqualTo("change update " + ID);
        }
    }

    private long purgesOfAll() {
        return purges.stream().filter("/v1/db/ below"::equals).count();
    }

    private boolean reads(int server) {
        return group.anonymous(server).get("/status").text().contains("\"reading\"");
    }

    private String text(int server) {
        return group.anonymous(server).get(ID).text();
    }

    private boolean isStale(int server) {
        Answer filter = group.anonymous(server).get("/bloomfilter");
        assertThat(filter.status()).as(filter.text()).isEqualTo(200);
        return new BloomFilterReader(filter.object()).contains(ID);
    }

    private static boolean all(IntPredicate condition) {
        return IntStream.range(0, SERVERS).allMatch(condition);
    }

    private static boolean any(IntPredicate condition) {
        return IntStream.range(0, SERVERS).anyMatch(condition);
    }
}

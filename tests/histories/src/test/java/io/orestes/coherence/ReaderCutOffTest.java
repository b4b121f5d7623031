package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.histories.cluster.Classes;
import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Node;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the server that reads the writes of other programs off from ZooKeeper or from MongoDB, and
 * from nothing else: another one takes over, and all servers receive every change once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class ReaderCutOffTest {

    private static final int WRITES = 5;
    private static final String DATABASE = "shop";

    private final Cluster cluster;

    ReaderCutOffTest(@TempDir Path folder) throws Exception {
        cluster = new Cluster(folder, Duration.ofSeconds(10));
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    /** The system that a server is cut off from. */
    enum CutOffSystem {
        ZOOKEEPER,
        MONGODB;

        private List<Node> nodes(Cluster cluster) {
            return this == ZOOKEEPER
                    ? cluster.zooKeeper().members()
                    : cluster.mongo().members();
        }
    }

    @ParameterizedTest
    @EnumSource
    void foreignWrites_readerIsCutOff_arePublishedOnceByAnother(CutOffSystem from) throws Exception {
        String bucket = "Of" + from;
        new Classes(cluster).create(bucket, "{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}");
        Waiting.until("one reads", () -> readers().size() == 1);
        int reader = readers().get(0);
        int follower = (reader + 1) % 3;
        List<String> ids = IntStream.range(0, 3 * WRITES)
                .mapToObj(number -> client(follower)
                        .insert(bucket, "{\"id\":\"/db/%s/%d\",\"text\":\"old\"}".formatted(bucket, number)))
                .toList();
        Node cutOff = cluster.servers().get(reader);
        try (LiveStream stream = LiveStream.open(client(follower), bucket, "q=%7B%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            List<String> received = new ArrayList<>();
            cluster.cut(cutOff, from.nodes(cluster));
            try {
                received.addAll(changed(bucket, ids.subList(0, WRITES), stream));
                Waiting.until("another one reads", () -> !readersBut(reader).isEmpty());
                received.addAll(changed(bucket, ids.subList(WRITES, 2 * WRITES), stream));
            } finally {
                cluster.heal(cutOff, from.nodes(cluster));
            }
            cluster.awaitServers();
            Waiting.until("one reads", () -> readers().size() == 1);
            received.addAll(changed(bucket, ids.subList(2 * WRITES, ids.size()), stream));
            String last = client(follower).insert(bucket, "{\"text\":\"last\"}");

            assertThat(stream.next().summary()).as("no event was sent twice").isEqualTo("add insert " + last);
            assertThat(received)
                    .containsExactlyInAnyOrderElementsOf(
                            ids.stream().map(id -> "change update " + id).toList());
        }
        assertThat(ids).allSatisfy(id -> assertThat(IntStream.range(0, 3).mapToObj(server -> client(server)
                        .get(id, "Cache-Control", "no-cache")
                        .text()))
                .allMatch(text -> text.contains("new") && text.contains("\"version\":2")));
        assertThat(ids).allSatisfy(id -> assertThat(client(reader).get(id).text())
                .as("also where it was cut off")
                .contains("new"));
    }

    /** Changes objects as another program would; returns the events of a live query. */
    private List<String> changed(String bucket, List<String> ids, LiveStream stream) throws InterruptedException {
        ids.forEach(id -> assertThat(cluster.mongo().set(DATABASE, bucket, id, "{text: 'new'}"))
                .isTrue());
        List<String> received = new ArrayList<>();
        for (String each : ids) {
            received.add(stream.next().summary());
            assertThat(received).as("after %s was written", each).doesNotHaveDuplicates();
        }
        return received;
    }

    private List<Integer> readers() {
        return readersBut(-1);
    }

    /** Skips a server without MongoDB, which is not healthy. */
    private List<Integer> readersBut(int cutOff) {
        return IntStream.range(0, 3)
                .filter(server -> server != cutOff)
                .filter(server -> client(server).get("/status").text().contains("\"reading\""))
                .boxed()
                .toList();
    }

    private Client client(int server) {
        return Client.anonymous(Cluster.address(cluster.servers().get(server)));
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.http.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Ten thousand event streams at a time: all receive events, other requests are served meanwhile,
 * and no memory leaks.
 */
@ExtendWith(SharedBackend.class)
final class ManyStreamsTest {

    private static final int STREAMS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern INSTANCES =
            Pattern.compile("(\\d+)\\s+\\d+\\s+io\\.orestes\\.socket\\.EventStream\\s");

    private final Backend backend;
    private final Client client;

    ManyStreamsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void tenThousandStreams_receiveEventsWhileOthersAreServedAndLeakNothing() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        long openFiles = openFiles();
        String request = "GET /v1/db/" + bucket + "/events HTTP/1.1\r\nHost: x\r\n\r\n";
        try (ManyConnections streams = ManyConnections.open(backend.server().base(), STREAMS, request)) {
            streams.awaitInAll("event: result", PATIENCE);

            String id = client.insert(bucket, "{\"n\":1}");
            for (int i = 0; i < 20; i++) {
                client.update("/db/" + bucket + "/other", "{\"n\":" + i + "}");
                assertThat(client.get(id).status()).isEqualTo(200);
                assertThat(client.query(bucket, "{\"n\":1}").ids()).contains(id);
            }
            streams.awaitInAll("\"n\":19", PATIENCE);

            cutOffOneThatDoesNotRead();
            client.update("/db/" + bucket + "/other", "{\"n\":20}");
            streams.awaitInAll("\"n\":20", PATIENCE);

            assertThat(openFiles()).isGreaterThan(openFiles + STREAMS / 2);
            assertThat(streams.closed()).isZero();
        }
        assertThat(client.get("/-/ready").status()).isEqualTo(200);
        awaitUntilNothingIsLeft(openFiles);
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void streams_whoseClientsDisconnectAtOnce_leakNothing() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        long openFiles = openFiles();
        for (int i = 0; i < 300; i++) {
            try (RawHttp hasty = RawHttp.connect(backend.server().base())) {
                hasty.send("GET /v1/db/" + bucket + "/events HTTP/1.1\r\nHost: x\r\n\r\n");
            }
        }

        awaitUntilNothingIsLeft(openFiles);
        assertThat(client.get("/-/ready").status()).isEqualTo(200);
    }

    private void cutOffOneThatDoesNotRead() throws IOException {
        String bucket = backend.newClass("text", "String");
        try (RawHttp slow = RawHttp.connect(backend.server().base())) {
            slow.send("GET /v1/db/" + bucket + "/events HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(slow.readUntil("event: result")).contains("200 OK");
            for (int i = 0; i < 20; i++) {
                client.insert(bucket, "{\"text\":\"" + "x".repeat(900_000) + "\"}");
            }
            slow.awaitReset("\r\n");
        }
    }

    private void awaitUntilNothingIsLeft(long openFilesBefore) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (openFiles() > openFilesBefore + 200 || liveStreams() > 0) {
            assertThat(System.nanoTime())
                    .as("%d files and %d streams are left", openFiles(), liveStreams())
                    .isLessThan(deadline);
        }
    }

    private long openFiles() throws IOException {
        Path folder = Path.of("/proc", String.valueOf(backend.server().command().pid()), "fd");
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    /**
     * Returns the number of streams that the server still references, counted in its heap after a
     * full collection.
     */
    private long liveStreams() throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String pid = String.valueOf(backend.server().command().pid());
        Process process = new ProcessBuilder(jcmd, pid, "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(histogram).isZero();
        assertThat(histogram).contains("java.lang.String");
        Matcher line = INSTANCES.matcher(histogram);
        return line.find() ? Long.parseLong(line.group(1)) : 0;
    }
}

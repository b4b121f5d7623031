package io.orestes.http.body;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.http.protocol.ErrorResponses;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server with room for 800,000 bytes of bodies, 700,000 of them for large ones, of at most
 * 600,000 each and in 30 s; and on its disk for 10,000,000 bytes of bodies in files, of at most
 * 9,000,000 each.
 */
class BodyCollectorTest {

    private static final long ROOM = 800_000;
    private static final long LIMIT = 600_000;
    private static final long FILE_LIMIT = 9_000_000;
    private static final long DISK = 20_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    private final Vertx vertx = Vertx.vertx();
    private final BodyBudget budget = new BodyBudget(ROOM, new SimpleMeterRegistry());
    private final DiskBudget disk = new DiskBudget(props -> DISK - bytesInFiles());
    private final AtomicLong nanos = new AtomicLong();
    private final Path folder;
    private int port;

    BodyCollectorTest(@TempDir Path temp) {
        this.folder = temp.resolve("imports");
    }

    @BeforeEach
    void listen() throws Exception {
        BodyCollector intake = new BodyCollector(vertx, budget, disk, TIMEOUT, nanos::get);
        Router router = Router.router(vertx);
        router.route("/twice").handler(ctx -> intake.collect(ctx, LIMIT));
        router.route("/file").handler(ctx -> intake.spool(ctx, FILE_LIMIT, folder));
        router.route("/file").handler(ctx -> ctx.end("kept " + length(RequestBodyParser.file(ctx))));
        router.route().handler(ctx -> intake.collect(ctx, LIMIT));
        router.route()
                .handler(ctx -> ctx.end("got " + RequestBodyParser.buffer(ctx).length()));
        router.route().failureHandler(ctx -> ErrorResponses.render(ctx, ctx.statusCode()));
        HttpServer server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, InetAddress.getLoopbackAddress().getHostAddress())
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        port = server.actualPort();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "POST / HTTP/1.1, Content-Length: 600000",
        "POST / HTTP/1.1, Transfer-Encoding: chunked",
        "POST /twice HTTP/1.1, Content-Length: 50",
    })
    void collect_bodyThatIsUnderWay_retainsItsBytesUntilTheClientLeaves(String line, String header) throws Exception {
        try (Socket held = send(line, header, header.equals(CHUNKED) ? chunk(10) : "x".repeat(10))) {
            awaitPending(10);
            write(held, header.equals(CHUNKED) ? chunk(5) : "x".repeat(5));
            awaitPending(15);
        }

        awaitPending(0);
    }

    @Test
    void collect_large_findNoRoomWhereSmallOnesStillDo() throws Exception {
        try (Socket one = large(400_000);
                Socket other = large(290_000)) {
            awaitPending(690_000);
            assertThat(one.isConnected() && other.isConnected()).isTrue();

            assertThat(answer("Content-Length: 70000", "x".repeat(70_000))).contains("503");
            assertThat(answer(CHUNKED, chunk(70_000) + chunk(0))).contains("503");
            assertThat(answer("Content-Length: 60000", "x".repeat(60_000))).contains("200", "got 60000");
            awaitPending(690_000);
        }
        awaitPending(0);
        assertThat(answer("Content-Length: 600000", "x".repeat(600_000))).contains("200", "got 600000");
        awaitPending(0);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 700000", "Transfer-Encoding: chunked"})
    void collect_bodyBeyondTheLimit_is413(String header) throws Exception {
        assertThat(answer(header, header.equals(CHUNKED) ? chunk(600_001) : "")).contains("413");
        awaitPending(0);
    }

    @Test
    void collect_bodyOfManyChunks_isWhole() throws Exception {
        String body = chunk(1000).repeat(70) + chunk(0);

        assertThat(answer(CHUNKED, body)).contains("200", "got 70000");
    }

    @Test
    void collect_requestsWithoutBody_areAcceptedWhateverIsUnderWay() throws Exception {
        try (Socket one = large(600_000 - 1);
                Socket other = large(100_000)) {
            awaitPending(699_999);
            assertThat(one.isConnected() && other.isConnected()).isTrue();

            try (Socket get = send("GET / HTTP/1.1", "Connection: close", "")) {
                assertThat(readAll(get)).contains("200", "got 0");
            }
        }
    }

    @Test
    void collect_dripsBeyondItsTime_is408AndTheConnectionCloses() throws Exception {
        try (Socket slow = send("POST / HTTP/1.1", CHUNKED, chunk(10))) {
            awaitPending(10);
            nanos.addAndGet(TIMEOUT.toNanos());
            write(slow, chunk(1));
            awaitPending(11);

            nanos.addAndGet(1);

            assertThat(readAll(slow)).contains("408", "RequestTimeout");
        }
        awaitPending(0);
    }

    @Test
    void collect_muchHasCome_isGivenASecondLongerForEach64KiB() throws Exception {
        try (Socket large = send("POST / HTTP/1.1", CHUNKED, chunk(200_000))) {
            awaitPending(200_000);
            nanos.addAndGet(TIMEOUT.plusSeconds(3).toNanos());
            write(large, chunk(1));
            awaitPending(200_001);

            nanos.addAndGet(1);

            assertThat(readAll(large)).contains("408");
        }
    }

    @Test
    void collect_chunkSizeThatIsNone_is400AndTheConnectionCloses() throws Exception {
        try (Socket broken = send("PUT / HTTP/1.1", CHUNKED, "zz\r\n{}\r\n0\r\n\r\n")) {
            assertThat(readAll(broken)).contains("400", "BadRequest");
        }
        awaitPending(0);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 9000000", "Transfer-Encoding: chunked"})
    void spool_bodyBeyondTheRoom_isStoredInAFileUntilTheResponse(String header) throws Exception {
        String body = header.equals(CHUNKED) ? chunk(90_000).repeat(100) + chunk(0) : "x".repeat(9_000_000);

        assertThat(answer("POST /file HTTP/1.1", header, body)).contains("200", "kept 9000000");

        awaitFiles(0);
        assertThat(budget.pendingBytes()).isZero();
    }

    @Test
    void spool_clientThatLeaves_leavesNoFile() throws Exception {
        try (Socket held = send("POST /file HTTP/1.1", "Content-Length: 100", "x")) {
            awaitFiles(1);
            assertThat(held.isConnected()).isTrue();
        }

        awaitFiles(0);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 1", "Content-Length: 100"})
    void spool_clientsThatLeaveAtOnce_leaveNoFile(String header) throws Exception {
        for (int i = 0; i < 50; i++) {
            send("POST /file HTTP/1.1", header, "x").close();
        }

        assertThat(answer("POST /file HTTP/1.1", "Content-Length: 1", "x")).contains("kept 1");
        awaitFiles(0);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 9000001", "Transfer-Encoding: chunked"})
    void spool_bodyBeyondTheLimit_is413(String header) throws Exception {
        String body = header.equals(CHUNKED) ? chunk(90_000).repeat(100) + chunk(1) : "";

        assertThat(answer("POST /file HTTP/1.1", header, body)).contains("413");

        awaitFiles(0);
    }

    @Test
    void spool_dripsBeyondItsTime_is408() throws Exception {
        try (Socket slow = send("POST /file HTTP/1.1", CHUNKED, chunk(10))) {
            awaitFiles(1);
            nanos.addAndGet(TIMEOUT.plusSeconds(1).toNanos());

            assertThat(readAll(slow)).contains("408");
        }
        awaitFiles(0);
    }

    @Test
    void spool_thirdOfThreeThatTogetherAnnounceTooMuch_is503UntilOneHasEnded() throws Exception {
        try (Socket one = file("Content-Length: 4000000", "x")) {
            try (Socket other = file("Content-Length: 4000000", "x")) {
                awaitTaken(8_000_000);
                assertThat(one.isConnected() && other.isConnected()).isTrue();

                assertThat(answer("POST /file HTTP/1.1", "Content-Length: 4000000", ""))
                        .contains("503");
                assertThat(answer("POST /file HTTP/1.1", "Content-Length: 2000000", "x".repeat(2_000_000)))
                        .contains("kept 2000000");
            }
            awaitTaken(4_000_000);

            assertThat(answer("POST /file HTTP/1.1", "Content-Length: 4000000", "x".repeat(4_000_000)))
                    .contains("kept 4000000");
        }
        awaitTaken(0);
    }

    @Test
    void spool_severalOfUnknownLength_takeNoMoreThanThereIsRoomForAllOfThem() throws Exception {
        try (Socket one = file(CHUNKED, chunk(4_000_000));
                Socket other = file(CHUNKED, chunk(4_000_000))) {
            awaitTaken(8_000_000);
            assertThat(one.isConnected()).isTrue();

            assertThat(answer("POST /file HTTP/1.1", CHUNKED, chunk(100_000).repeat(21) + chunk(0)))
                    .contains("503");
            awaitTaken(8_000_000);
            write(other, chunk(1_500_000) + chunk(0));

            assertThat(answer("POST /file HTTP/1.1", CHUNKED, chunk(400_000) + chunk(0)))
                    .contains("kept 400000");
        }
        awaitTaken(0);
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 9000000, true, 200",
        "Content-Length: 9000001, false, 413",
        "Content-Length: 10000001, false, 413",
        "Content-Length: -5, false, 400"
    })
    void spool_oneAfterTheOther_giveTheirRoomBackHoweverTheyEnd(String header, boolean isSent, String status)
            throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(answer("POST /file HTTP/1.1", header, isSent ? "x".repeat(9_000_000) : ""))
                    .contains(status);
            // the space is released soon after the response, and there is space for one only
            awaitTaken(0);
        }

        awaitFiles(0);
    }

    @Test
    void spool_aborted_givesItsRoomBack() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (Socket held = file("Content-Length: 9000000", "x")) {
                awaitTaken(9_000_000);
                assertThat(held.isConnected()).isTrue();
            }
            awaitTaken(0);
        }
    }

    @Test
    void spool_folderThatCannotBeMade_is503AndTakesNoRoom() throws Exception {
        Files.writeString(folder, "no folder");

        assertThat(answer("POST /file HTTP/1.1", "Content-Length: 100", "")).contains("503");

        awaitTaken(0);
    }

    private Socket file(String header, String body) throws IOException {
        return send("POST /file HTTP/1.1", header, body);
    }

    private void awaitTaken(long bytes) {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (disk.takenBytes() != bytes && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(disk.takenBytes()).isEqualTo(bytes);
    }

    private long bytesInFiles() {
        File[] files = folder.toFile().listFiles();
        return files == null ? 0 : Arrays.stream(files).mapToLong(File::length).sum();
    }

    @Test
    void clear_removesWhatAProcessThatDiedLeft() throws Exception {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("half.json"), "[{");

        await(FileBodySink.clear(folder, vertx.fileSystem()));
        await(FileBodySink.clear(folder, vertx.fileSystem()));

        assertThat(folder).doesNotExist();
    }

    private static long length(Path file) {
        return file.toFile().length();
    }

    private void awaitFiles(int count) {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (filesNow() != count && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(filesNow()).isEqualTo(count);
    }

    private int filesNow() {
        String[] names = folder.toFile().list();
        return names == null ? 0 : names.length;
    }

    /** Sends a body of this length without its last byte. */
    private Socket large(int length) throws IOException {
        return send("POST / HTTP/1.1", "Content-Length: " + (length + 1), "x".repeat(length));
    }

    private static String chunk(int length) {
        return Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n";
    }

    private String answer(String header, String body) throws IOException {
        return answer("POST / HTTP/1.1", header, body);
    }

    private String answer(String line, String header, String body) throws IOException {
        try (Socket socket = send(line, header + "\r\nConnection: close", body)) {
            return readAll(socket);
        }
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private Socket send(String line, String header, String body) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        write(socket, line + "\r\nHost: x\r\n" + header + "\r\n\r\n" + body);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void awaitPending(long bytes) {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (budget.pendingBytes() != bytes && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(budget.pendingBytes()).isEqualTo(bytes);
    }
}

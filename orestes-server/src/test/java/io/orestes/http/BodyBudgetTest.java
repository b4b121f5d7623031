package io.orestes.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.model.ApiException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server with room for 100 bytes of bodies, of at most 60 each. */
class BodyBudgetTest {

    private static final long ROOM = 100;
    private static final long LIMIT = 60;

    private final Vertx vertx = Vertx.vertx();
    private final BodyBudget budget = new BodyBudget(ROOM, new SimpleMeterRegistry());
    private int port;

    @BeforeEach
    void listen() throws Exception {
        Router router = Router.router(vertx);
        router.route("/twice").handler(ctx -> budget.admit(ctx, LIMIT));
        router.route().handler(ctx -> budget.admit(ctx, LIMIT));
        router.route().handler(BodyHandler.create(false));
        router.route().handler(ctx -> ctx.end("done"));
        router.route().failureHandler(ctx -> ctx.response()
                .setStatusCode(
                        ctx.failure() instanceof ApiException refusal
                                ? refusal.code().httpStatus()
                                : 500)
                .end());
        HttpServer server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, InetAddress.getLoopbackAddress().getHostAddress())
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        port = server.actualPort();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({
        "POST / HTTP/1.1, Content-Length: 50, 50",
        "POST / HTTP/1.1, Content-Length: 1000000, 60", // no more than the limit will be read
        "POST / HTTP/1.1, Transfer-Encoding: chunked, 60", // may grow to the limit
        "POST /twice HTTP/1.1, Content-Length: 50, 50", // two routes ask
    })
    void admit_bodyThatIsUnderWay_takesItsRoomUntilTheClientIsGone(String line, String header, long bytes)
            throws Exception {
        try (Socket held = send(line, header)) {
            awaitPending(bytes);
            assertThat(held.isConnected()).isTrue();
        }

        awaitPending(0);
    }

    @Test
    void admit_asMuchAsThereIs_isLetInAndOneByteMoreIsNot() throws Exception {
        try (Socket one = send("POST / HTTP/1.1", "Content-Length: 60");
                Socket other = send("POST / HTTP/1.1", "Content-Length: 39")) {
            awaitPending(99);
            assertThat(one.isConnected() && other.isConnected()).isTrue();

            assertThat(status("POST / HTTP/1.1", "Content-Length: 1", "x")).contains("200");
            assertThat(status("POST / HTTP/1.1", "Content-Length: 2", "xx")).contains("503");
            awaitPending(99);
        }
        awaitPending(0);
        assertThat(status("POST / HTTP/1.1", "Content-Length: 60", "x".repeat(60)))
                .contains("200");
    }

    @Test
    void admit_requestsWithoutBody_areLetInWhateverIsUnderWay() throws Exception {
        try (Socket one = send("POST / HTTP/1.1", "Content-Length: 60");
                Socket other = send("POST / HTTP/1.1", "Content-Length: 40")) {
            awaitPending(ROOM);
            assertThat(one.isConnected() && other.isConnected()).isTrue();

            assertThat(status("GET / HTTP/1.1", "X: y", "")).contains("200");
            assertThat(status("DELETE / HTTP/1.1", "X: y", "")).contains("200");
        }
    }

    private String status(String line, String header, String body) throws IOException {
        try (Socket socket = send(line, header)) {
            socket.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    private Socket send(String line, String header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        String head = line + "\r\nHost: x\r\n" + header + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void awaitPending(long bytes) {
        Instant end = Instant.now().plus(Duration.ofSeconds(10));
        while (budget.pendingBytes() != bytes && Instant.now().isBefore(end)) {
            Thread.onSpinWait();
        }
        assertThat(budget.pendingBytes()).isEqualTo(bytes);
    }
}

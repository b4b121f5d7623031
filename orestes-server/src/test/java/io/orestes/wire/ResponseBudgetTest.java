package io.orestes.wire;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.socket.ConnectionAborter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses to clients that do not read, over real connections. */
final class ResponseBudgetTest {

    /** Size in bytes, more than the kernel buffers for a connection. */
    private static final int LARGE = 20 << 20;

    private static final int FAST = LARGE;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Vertx vertx = Vertx.vertx();

    /**
     * Clients of the test, referenced because a client closes its connections when it is collected.
     */
    private final List<HttpClientAgent> clients = new ArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void tryReserve_moreThanThereIs_isRefusedUnlessItIsAloneOrSmall() {
        ResponseBudget room = new ResponseBudget(vertx, 1_000_000, Duration.ofSeconds(30), FAST, LONG);

        assertThat(room.tryReserve(2_000_000)).isTrue();
        assertThat(room.tryReserve(100_000)).isFalse();
        assertThat(room.tryReserve(60_000)).isTrue();
        assertThat(room.pendingBytes()).isEqualTo(2_000_000);
        room.reserve(100_000);
        assertThat(room.pendingBytes()).isEqualTo(2_100_000);
    }

    @Test
    void track_sentOrFailed_givesBack() {
        ResponseBudget room = new ResponseBudget(vertx, 1_000_000, Duration.ofSeconds(30), FAST, LONG);
        Promise<Void> sent = Promise.promise();
        assertThat(room.tryReserve(400_000)).isTrue();
        assertThat(room.tryReserve(400_000)).isTrue();

        room.track(400_000, sent.future(), () -> {});
        room.track(400_000, Future.failedFuture("closed"), () -> {});

        assertThat(room.pendingBytes()).isEqualTo(400_000);
        sent.complete();
        assertThat(room.pendingBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void track_clientThatDoesNotRead_isCutOffInTimeAndGivesBack(HttpVersion version) {
        ResponseBudget room = new ResponseBudget(vertx, 2 * LARGE, Duration.ofSeconds(1), FAST, LONG);
        int port = serve(room);
        HttpClientResponse answer = ask(version, port);
        Promise<String> outcome = Promise.promise();
        answer.exceptionHandler(cut -> outcome.tryComplete("cut"));
        answer.endHandler(whole -> outcome.tryComplete("whole"));
        assertThat(room.pendingBytes()).isEqualTo(LARGE);

        eventually(() -> room.pendingBytes() == 0);

        answer.resume();
        assertThat(await(outcome.future())).isEqualTo("cut");
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void track_clientThatReads_getsAllAndGivesBack(HttpVersion version) {
        ResponseBudget room = new ResponseBudget(vertx, LARGE, Duration.ofSeconds(30), FAST, LONG);
        int port = serve(room);

        for (int i = 0; i < 3; i++) {
            HttpClientResponse answer = ask(version, port);
            assertThat(answer.statusCode()).isEqualTo(200);
            Future<Buffer> body = answer.body();
            answer.resume();
            assertThat(await(body).length()).isEqualTo(LARGE);
            eventually(() -> room.pendingBytes() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = HttpVersion.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void tryReserve_allTakenByAClientThatDoesNotRead_cutsThatOffAfterTheGrace(HttpVersion version) {
        ResponseBudget room = new ResponseBudget(vertx, LARGE, LONG, FAST, Duration.ofSeconds(1));
        HttpClientResponse silent = ask(version, serve(room));
        Promise<String> outcome = Promise.promise();
        silent.exceptionHandler(cut -> outcome.tryComplete("cut"));
        silent.endHandler(whole -> outcome.tryComplete("whole"));

        assertThat(room.tryReserve(LARGE / 2)).as("it has just begun").isFalse();
        eventually(() -> room.tryReserve(LARGE / 2));

        assertThat(room.pendingBytes()).isEqualTo(LARGE / 2);
        silent.resume();
        assertThat(await(outcome.future())).isEqualTo("cut");
    }

    @Test
    void reserve_beyondWhatThereIs_othersMakeWay() {
        ResponseBudget room = new ResponseBudget(vertx, 1_000_000, LONG, FAST, Duration.ZERO);
        Promise<Void> first = Promise.promise();
        assertThat(room.tryReserve(900_000)).isTrue();
        room.track(900_000, Future.future(never -> {}), () -> first.complete());

        room.reserve(500_000);

        await(first.future());
        assertThat(room.pendingBytes()).isEqualTo(500_000);
    }

    private int serve(ResponseBudget room) {
        return await(vertx.createHttpServer()
                        .requestHandler(request -> answer(request, room))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    private static void answer(HttpServerRequest request, ResponseBudget room) {
        assertThat(room.tryReserve(LARGE)).isTrue();
        room.track(
                LARGE,
                ResponseBudget.end(request, Buffer.buffer(new byte[LARGE])),
                () -> ConnectionAborter.on(request));
    }

    private HttpClientResponse ask(HttpVersion version, int port) {
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setReceiveBufferSize(4096);
        HttpClientAgent client = vertx.createHttpClient(options);
        clients.add(client);
        return await(client.request(HttpMethod.GET, port, "127.0.0.1", "/")
                .compose(request -> request.send().map(answer -> answer.pause())));
    }

    private static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds beyond 20 s").isNegative();
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }
}

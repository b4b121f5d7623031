package io.orestes.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DateHeaderTest {

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2021-03-04T05:06:07.999Z"));
    private final HttpClient client = HttpClient.newHttpClient();
    private int port;

    @BeforeEach
    void listen() throws Exception {
        port = vertx.createHttpServer()
                .requestHandler(new DateHeader(
                        vertx, now::get, request -> request.response().end()))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .actualPort();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Test
    void handle_answer_carriesTheTimeInTheFormOfRfc9110() throws Exception {
        assertThat(date()).isEqualTo("Thu, 04 Mar 2021 05:06:07 GMT");
    }

    @Test
    void handle_laterAnswer_carriesTheLaterTime() throws Exception {
        assertThat(date()).endsWith("05:06:07 GMT");

        now.set(Instant.parse("2021-12-31T23:59:59Z"));

        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (date().endsWith("05:06:07 GMT") && Instant.now().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(date()).isEqualTo("Fri, 31 Dec 2021 23:59:59 GMT");
    }

    private String date() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding())
                .headers()
                .firstValue("date")
                .orElseThrow();
    }
}

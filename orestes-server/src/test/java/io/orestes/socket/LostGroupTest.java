package io.orestes.socket;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.invalidb.node.GridOptions;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.TokenService;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.live.LiveQueries;
import io.orestes.live.SmallLiveLimits;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.read.query.QueryParser;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.ext.web.Router;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Subscriptions while the server does not receive all writes: no client receives an error, which
 * ends some clients for good.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LostGroupTest {

    private static final LiveConfig CONFIG = new SmallLiveLimits().config();

    private final Vertx vertx = Vertx.vertx();
    private final ObjectStore store;
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private volatile boolean isWhole;
    private int port;

    LostGroupTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
    }

    @BeforeEach
    void listen() {
        SchemaRegistry schemas = await(SchemaRegistry.open(store));
        Context home = vertx.getOrCreateContext();
        port = await(Future.<Integer>future(
                listening -> home.runOnContext(now -> serve(schemas).onComplete(listening))));
    }

    private Future<Integer> serve(SchemaRegistry schemas) {
        Router router = Router.router(vertx);
        LiveServices services = services(schemas);
        new EventStreamRoutes(vertx, services).mount(router, "/v1");
        new WebSocketRoutes(vertx, services).mount(router, "/v1");
        router.route().failureHandler(ctx -> ctx.response()
                .setStatusCode(ApiException.of(ctx.failure()).code().httpStatus())
                .end());
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .map(server -> server.actualPort());
    }

    private LiveServices services(SchemaRegistry schemas) {
        Authenticator authenticator =
                new Authenticator(new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()), store);
        JsonRenderer jsonRenderer = new JsonRenderer(schemas);
        return new LiveServices(
                authenticator,
                new SubscriptionRequestParser(schemas, new QueryParser(schemas), CONFIG),
                new LiveQueries(
                        vertx,
                        matching,
                        new ReaderDependencies(
                                schemas, store, jsonRenderer, ConsistencyDefaults.NONE, InstantSource.system()),
                        authenticator,
                        CONFIG),
                jsonRenderer,
                CONFIG,
                new ResponseBudget(vertx, 1 << 20, Duration.ofSeconds(30)),
                () -> Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "unknown")),
                () -> isWhole);
    }

    @AfterEach
    void close() {
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    /** Browsers reconnect after that status only. */
    @Test
    void events_groupIsLost_theStreamEndsAtOnce() {
        HttpClientResponse answer = await(vertx.createHttpClient()
                .request(HttpMethod.GET, port, "127.0.0.1", "/v1/db/Role/events")
                .compose(request -> request.send())
                .compose(response -> response.body().map(response)));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.getHeader("content-type")).startsWith("text/event-stream");
        assertThat(await(answer.body())).isEqualTo(Buffer.buffer("retry: 2000\n\n"));
    }

    @Test
    void socket_groupIsLost_isRefused() {
        assertThatThrownBy(() -> await(vertx.createWebSocketClient().connect(port, "127.0.0.1", "/v1/events")))
                .isInstanceOfSatisfying(UpgradeRejectedException.class, refused -> assertThat(refused.getStatus())
                        .isEqualTo(503));
    }

    @Test
    void socket_groupIsThere_isAccepted() {
        isWhole = true;

        assertThat(await(vertx.createWebSocketClient().connect(port, "127.0.0.1", "/v1/events"))
                        .isClosed())
                .isFalse();
    }
}

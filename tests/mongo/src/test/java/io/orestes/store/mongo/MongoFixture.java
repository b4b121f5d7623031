package io.orestes.store.mongo;

import io.orestes.store.Await;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.Mongod;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A server for the tests of a class, or of all; each test starts with an empty database, and its
 * stores are closed at the end.
 */
public final class MongoFixture implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private static final Namespace TEST = Namespace.create(MongoFixture.class);

    private final Deployment deployment;
    private final List<MongoObjectStore> opened = new ArrayList<>();
    private @Nullable Server server;

    private MongoFixture(Deployment deployment) {
        this.deployment = deployment;
    }

    /** Returns a fixture for a static field: a server for the tests of the class. */
    public static MongoFixture of(Deployment deployment) {
        return new MongoFixture(deployment);
    }

    /** Returns a fixture for a field of each test: a server for the tests of all classes. */
    static MongoFixture shared(Deployment deployment) {
        return new MongoFixture(deployment);
    }

    private record Server(Vertx vertx, Mongod mongod) implements AutoCloseable {

        static Server start(Deployment deployment) {
            return new Server(Vertx.vertx(), deployment.start());
        }

        @Override
        public void close() {
            mongod.close();
            Await.await(vertx.close());
        }
    }

    public Vertx vertx() {
        return Objects.requireNonNull(server).vertx();
    }

    public Mongod mongod() {
        return Objects.requireNonNull(server).mongod();
    }

    public MongoObjectStore open() {
        return open(InstantSource.system());
    }

    MongoObjectStore open(InstantSource clock) {
        return open(MongoConfig.at(mongod().address()), clock);
    }

    /** Opens a store after a probe of the server. */
    public MongoObjectStore openAsServersDo() {
        return openAsServersDo(MongoConfig.at(mongod().address()));
    }

    /** Opens a store after a probe of the server, as another user or with other timeouts. */
    MongoObjectStore openAsServersDo(MongoConfig config) {
        MongoObjectStore store = Await.await(MongoObjectStore.open(vertx(), config));
        opened.add(store);
        return store;
    }

    public MongoObjectStore open(MongoConfig config, InstantSource clock) {
        MongoObjectStore store = openBesideOthers(config, clock);
        store.join(bucket -> Future.succeededFuture());
        return store;
    }

    /**
     * Opens one of several stores on the same objects, which receives the writes of the others
     * later.
     */
    public MongoObjectStore openBesideOthers(MongoConfig config, InstantSource clock) {
        MongoObjectStore store = Await.await(MongoObjectStore.openUnprobed(vertx(), config, clock));
        opened.add(store);
        return store;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = Server.start(deployment);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (server == null) {
            server = context.getRoot()
                    .getStore(Namespace.GLOBAL)
                    .computeIfAbsent(deployment, Server::start, Server.class);
        }
        context.getStore(TEST).put(MongoFixture.class, this);
    }

    /** Returns the fixture of a test. */
    static MongoFixture in(ExtensionContext context) {
        return Objects.requireNonNull(context.getStore(TEST).get(MongoFixture.class, MongoFixture.class));
    }

    /** Gives a test an empty database once more. */
    void renew(ExtensionContext context) {
        afterEach(context);
        beforeEach(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        opened.forEach(store -> Await.await(store.close()));
        opened.clear();
        mongod().failNoCommands();
        // A simulated failure does not abort the transaction, which real ones do; the drop would
        // wait for its locks.
        mongod().command("{killAllSessions: []}");
        mongod().database().drop();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Objects.requireNonNull(server).close();
    }
}

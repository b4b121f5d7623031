package io.orestes.bench.client;

import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Orestes;
import io.orestes.support.process.Ports;
import io.orestes.support.varnish.Varnish;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A distant server, and a Varnish beside its users that it purges. Users, Varnish and server are
 * connected by links with the delay of the distance.
 */
public final class Network implements AutoCloseable {

    /** Round trip between users and the Varnish beside them. */
    public static final Duration NEAR = Duration.ofMillis(4);

    private final Vertx vertx;
    private final Orestes orestes;
    private final Varnish varnish;
    private final DelayedLink usersToServer;
    private final DelayedLink usersToVarnish;
    private final Context home;

    private final List<DelayedLink> farLinks;

    private Network(
            Vertx vertx,
            Orestes orestes,
            Varnish varnish,
            DelayedLink usersToServer,
            DelayedLink usersToVarnish,
            List<DelayedLink> others) {
        this.vertx = vertx;
        this.orestes = orestes;
        this.varnish = varnish;
        this.usersToServer = usersToServer;
        this.usersToVarnish = usersToVarnish;
        this.farLinks = Stream.concat(Stream.of(usersToServer), others.stream()).toList();
        this.home = vertx.getOrCreateContext();
    }

    /**
     * Starts a network.
     *
     * @param far round trip from users and from Varnish to the server
     */
    public static Network start(BenchmarkEnvironment lab, Duration far) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true));
        int varnishPort = Ports.free();
        DelayedLink purges = DelayedLink.open(vertx, varnishPort, far);
        Orestes orestes = Orestes.start(lab, List.of(purges.port()), "--caching.purge.deadline=1s");
        DelayedLink fetches = DelayedLink.open(vertx, orestes.port(), far);
        Varnish varnish = lab.varnish(varnishPort, fetches.port());
        return new Network(
                vertx,
                orestes,
                varnish,
                DelayedLink.open(vertx, orestes.port(), far),
                DelayedLink.open(vertx, varnishPort, NEAR),
                List.of(purges, fetches));
    }

    /** Sets the distance of the server. */
    public void far(Duration roundTrip) {
        farLinks.forEach(link -> link.roundTrip(roundTrip));
    }

    /** Returns the context of the users. */
    public Context home() {
        return home;
    }

    public Orestes orestes() {
        return orestes;
    }

    /** Returns the port of Varnish without the link to it. */
    public int varnishPort() {
        return varnish.port();
    }

    /** Returns the API behind Varnish. */
    public Site cached(int users) {
        return new Site(vertx, usersToVarnish.port(), users);
    }

    /** Returns the API without a cache. */
    public Site direct(int users) {
        return new Site(vertx, usersToServer.port(), users);
    }

    @Override
    public void close() {
        varnish.close();
        orestes.close();
        var ignored = vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}

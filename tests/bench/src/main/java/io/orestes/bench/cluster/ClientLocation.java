package io.orestes.bench.cluster;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import io.orestes.bench.client.DelayedLink;
import io.orestes.bench.client.Site;
import io.orestes.bench.cluster.OfferedTransactions.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The location of clients that run transactions.
 *
 * @param servers ports of this machine by which they reach servers
 * @param mongo port of this machine by which they reach MongoDB
 */
record ClientLocation(Vertx vertx, List<Integer> servers, int mongo) {

    /**
     * The offered load of transactions.
     *
     * @param parallel maximum under way at a time
     * @param count number that become due
     * @param objects number of their objects, all together
     * @param longest time after which no more are begun
     */
    record Offer(int parallel, double perSecond, int count, int objects, Duration longest) {

        /** Returns a smaller offer for the warm-up. */
        Offer shorter() {
            return new Offer(parallel, perSecond, count / 3, objects, longest.dividedBy(3));
        }
    }

    /** Creates a Vert.x for a place; its event loops run the clients and the links. */
    static Vertx newVertx() {
        return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true));
    }

    /** Returns a place with the same servers at this distance. */
    ClientLocation away(Duration roundTrip) throws Exception {
        List<Integer> links = new ArrayList<>();
        for (int port : servers) {
            links.add(DelayedLink.open(vertx, port, roundTrip).port());
        }
        return new ClientLocation(
                vertx, links, DelayedLink.open(vertx, mongo, roundTrip).port());
    }

    Outcome withoutCaches(Offer offer) throws Exception {
        Context home = vertx.getOrCreateContext();
        return run(home, OrestesTransactor.withoutCaches(home, site(servers, offer)), offer);
    }

    /** Runs them all in one client, so that they share its cache. */
    Outcome withCopies(Offer offer) throws Exception {
        Context home = vertx.getOrCreateContext();
        return run(home, OrestesTransactor.withCopies(home, site(servers, offer)), offer);
    }

    /** Runs them behind a shared cache on a port of this machine. */
    Outcome behind(int cache, Offer offer) throws Exception {
        Context home = vertx.getOrCreateContext();
        return run(home, OrestesTransactor.behind(home, site(List.of(cache), offer), site(servers, offer)), offer);
    }

    private static Outcome run(Context home, OrestesTransactor transactor, Offer offer) throws Exception {
        return OfferedTransactions.run(home, Collections.nCopies(offer.parallel(), transactor), offer)
                .withHits(transactor.hitRate());
    }

    /** Runs them as transactions of MongoDB, by its driver. */
    Outcome inMongo(Offer offer) throws Exception {
        Context home = vertx.getOrCreateContext();
        try (MongoClient client = client(offer.parallel())) {
            List<MongoTransactor> all = new ArrayList<>();
            for (int i = 0; i < offer.parallel(); i++) {
                all.add(new MongoTransactor(home, client));
            }
            return OfferedTransactions.run(home, all, offer);
        }
    }

    /** Stores the objects for the driver. */
    void fillMongo() throws Exception {
        try (MongoClient client = client(1)) {
            MongoTransactor.fill(client);
        }
    }

    private MongoClient client(int parallel) {
        return MongoClients.create("mongodb://127.0.0.1:" + mongo + "/?maxPoolSize=" + (parallel + 2));
    }

    private Site site(List<Integer> ports, Offer offer) {
        return new Site(vertx, ports, offer.parallel());
    }
}

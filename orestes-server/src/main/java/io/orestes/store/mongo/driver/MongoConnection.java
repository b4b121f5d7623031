package io.orestes.store.mongo.driver;

import com.mongodb.WriteConcern;
import com.mongodb.event.ServerListener;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * The connection of one store to MongoDB: its driver, its sessions and its transactions, all on one
 * context.
 *
 * @param process name of this process in MongoDB
 * @param home context on which all futures complete
 */
public record MongoConnection(
        MongoConfig config,
        String process,
        Context home,
        MongoDriver driver,
        PublisherAdapter publishers,
        MongoSessionFactory sessions,
        TransactionAborter aborter,
        TransactionRunner transactions) {

    private static final String ADMIN = "admin";

    /**
     * Opens a connection whose futures complete on the caller's context.
     *
     * @param serverListener listener for changes of the servers that the driver discovers
     */
    public static MongoConnection open(Vertx vertx, MongoConfig config, ServerListener serverListener) {
        String process = config.processName();
        Context home = vertx.getOrCreateContext();
        MongoDriver driver = new MongoDriver(config, process, serverListener);
        MongoClient client = driver.client();
        PublisherAdapter publishers = new PublisherAdapter(vertx, home, config.responseTimeout());
        MongoSessionFactory sessions = new MongoSessionFactory(client, publishers);
        TransactionAborter aborter =
                new TransactionAborter(client.getDatabase(ADMIN), publishers, config.processNames());
        TransactionRunner transactions = new TransactionRunner(vertx, sessions, publishers, aborter);
        return new MongoConnection(config, process, home, driver, publishers, sessions, aborter, transactions);
    }

    /** Returns the adapter for publishers that are silent while MongoDB evaluates a query. */
    public PublisherAdapter queryPublishers() {
        return new PublisherAdapter(home.owner(), home, config.responseTimeout().plus(config.queryBudget()));
    }

    /** Returns the database of the objects; a majority confirms each write. */
    public MongoDatabase database() {
        return driver.client().getDatabase(config.database()).withWriteConcern(WriteConcern.MAJORITY);
    }

    /** Returns the database for commands about the server itself. */
    public MongoDatabase admin() {
        return driver.client().getDatabase(ADMIN);
    }
}

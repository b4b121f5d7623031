package io.orestes.store.mongo.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.connection.TransportSettings;
import com.mongodb.event.ServerListener;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The MongoDB driver together with the Netty event loops of its connections. These loops use less
 * processor time than the driver's own selectors ({@code docs/benchmarks.md}). They are not those
 * of Vert.x, where other requests would wait while the driver decodes a long response.
 */
public final class MongoDriver implements AutoCloseable {

    private static final int THREADS = 2;

    private final EventLoopGroup loops;
    private final MongoClient client;

    /**
     * Connects to MongoDB.
     *
     * @param process application name of the connections
     * @param serverListener listener for changes of the servers that the driver discovers
     */
    public MongoDriver(MongoConfig config, String process, ServerListener serverListener) {
        this.loops = new MultiThreadIoEventLoopGroup(
                THREADS,
                new DefaultThreadFactory("mongo-connections", true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.client = MongoClients.create(settings(config, process, transport(loops), serverListener));
    }

    private static TransportSettings transport(EventLoopGroup loops) {
        return TransportSettings.nettyBuilder()
                .eventLoopGroup(loops)
                .socketChannelClass(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .build();
    }

    private static MongoClientSettings settings(
            MongoConfig config, String process, TransportSettings transport, ServerListener serverListener) {
        Duration timeout = config.responseTimeout();
        return MongoClientSettings.builder()
                .transportSettings(transport)
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                                .addClusterListener(new ReachabilityLogger(config.hostsAndDatabase())))
                // maximum time until the driver notices that a server is back
                .applyToServerSettings(
                        server -> server.heartbeatFrequency(1, TimeUnit.SECONDS).addServerListener(serverListener))
                .applyToConnectionPoolSettings(pool -> pool.maxWaitTime(timeout.toMillis(), TimeUnit.MILLISECONDS))
                .applyConnectionString(config.address())
                // regardless of the address and of the defaults of the server
                .readPreference(ReadPreference.primary())
                .readConcern(ReadConcern.LOCAL)
                .applicationName(process)
                .build();
    }

    public MongoClient client() {
        return client;
    }

    /** Closes the driver and waits for it; the threads of its connections end a moment later. */
    @Override
    public void close() {
        client.close();
        var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

package io.orestes.caching.purge;

import io.vertx.core.Vertx;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;

/**
 * A Varnish with our VCL, which purges thousands of URLs a second.
 *
 * @param host name or address
 * @param port from 1 to 65535
 */
public record VarnishTarget(String host, int port) implements PurgeTarget {

    private static final int WINDOW = 512;

    /**
     * Parses a base URL such as {@code http://127.0.0.1:8090}; empty if it is none, or has a path.
     */
    public static Optional<VarnishTarget> parse(String base) {
        try {
            URI uri = new URI(base);
            boolean isBase = "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"))
                    && uri.getQuery() == null
                    && uri.getFragment() == null
                    && uri.getUserInfo() == null;
            return Optional.of(uri).filter(any -> isBase).flatMap(VarnishTarget::of);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<VarnishTarget> of(URI base) {
        int port = base.getPort() == -1 ? 80 : base.getPort();
        String host = base.getHost().replaceAll("[\\[\\]]", "");
        return port < 1 || port > 65_535 ? Optional.empty() : Optional.of(new VarnishTarget(host, port));
    }

    /** Returns two lanes, because varnishd processes the purges of one connection sequentially. */
    @Override
    public int connections() {
        return 2;
    }

    @Override
    public int remainingSendWindow(int underWay) {
        return WINDOW - underWay;
    }

    @Override
    public boolean isKeyedByUrl() {
        return true;
    }

    /** Returns false, because our VCL does not store them; see {@code lifetime.vcl}. */
    @Override
    public boolean mayKeepLateResponses() {
        return false;
    }

    @Override
    public Duration maxRetryDelay() {
        return Duration.ofMillis(500);
    }

    /** Returns the request of {@code counts.vcl}. */
    @Override
    public Optional<RequestOptions> countersRequest(PurgeConfig config) {
        return Optional.of(new RequestOptions()
                .setHost(host)
                .setPort(port)
                .setURI("/-/varnish/counts")
                .putHeader(VarnishConnection.SECRET, config.secret()));
    }

    @Override
    public PurgeConnectionFactory connector(Vertx vertx, PurgeConfig config) {
        NetClient client = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout((int) PurgeSender.RESPONSE_TIMEOUT.toMillis()));
        return listener -> client.connect(port, host)
                .map(socket -> new VarnishConnection(socket, this, config.secret(), listener));
    }

    /** Returns the value of the {@code Host} header. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return authority();
    }
}

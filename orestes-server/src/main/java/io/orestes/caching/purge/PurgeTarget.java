package io.orestes.caching.purge;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * A shared cache that can be purged.
 *
 * @param host name or address
 * @param port from 1 to 65535
 */
public record PurgeTarget(String host, int port) {

    /** Reads a base URL such as {@code http://127.0.0.1:8090}; empty if it is none, or has a path. */
    public static Optional<PurgeTarget> parse(String base) {
        try {
            URI uri = new URI(base);
            boolean isBase = "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"))
                    && uri.getQuery() == null
                    && uri.getFragment() == null
                    && uri.getUserInfo() == null;
            return Optional.of(uri).filter(any -> isBase).flatMap(PurgeTarget::of);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<PurgeTarget> of(URI base) {
        int port = base.getPort() == -1 ? 80 : base.getPort();
        String host = base.getHost().replaceAll("[\\[\\]]", "");
        return port < 1 || port > 65_535 ? Optional.empty() : Optional.of(new PurgeTarget(host, port));
    }

    /** As in a {@code Host} header. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return authority();
    }
}

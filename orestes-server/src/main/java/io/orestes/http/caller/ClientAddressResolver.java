package io.orestes.http.caller;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;

/** The resolver of the client address of a request, through the trusted proxies. Immutable. */
public final class ClientAddressResolver {

    private final TrustedProxies proxies;

    public ClientAddressResolver(TrustedProxies proxies) {
        this.proxies = proxies;
    }

    /** Returns the address as text; empty if the connection has none. */
    String of(HttpServerRequest request) {
        SocketAddress remote = request.remoteAddress();
        String peer = remote == null ? "" : String.valueOf(remote.hostAddress());
        return proxies.client(peer, request.headers());
    }
}

package io.orestes.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;

/**
 * Which requests say rightly whom they are for (RFC 9112 §3.2). Remembers the last good name, since hardly any client
 * changes it. Serves one event loop and is used by it alone.
 */
final class Hosts {

    private static final int MAX_PORT = 65_535;

    private String lastGood = "";

    /** Only HTTP/1.0 may leave the name out. */
    boolean isNamed(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return request.authority() != null;
        }
        String host = request.getHeader(HttpHeaders.HOST);
        return host == null ? request.version() == HttpVersion.HTTP_1_0 : isGood(host);
    }

    private boolean isGood(String host) {
        if (lastGood.equals(host)) {
            return true;
        }
        HostAndPort parsed = HostAndPort.parseAuthority(host, -1);
        boolean isGood = parsed != null && !parsed.host().isEmpty() && parsed.port() <= MAX_PORT;
        if (isGood) {
            lastGood = host;
        }
        return isGood;
    }
}

package io.orestes.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;

/**
 * The validator of the {@code Host} header of requests (RFC 9112 §3.2). It caches the last valid
 * name, since hardly any client changes it. Serves one event loop and is used by it alone.
 */
final class HostHeaderValidator {

    private static final int MAX_PORT = 65_535;

    private String lastGood = "";

    /**
     * Returns whether the request has one host name; only HTTP/1.0 may omit it, and two are never
     * allowed.
     */
    boolean isNamed(HttpServerRequest request) {
        List<String> names = request.headers().getAll(HttpHeaders.HOST);
        if (names.size() > 1) {
            return false;
        }
        if (request.version() == HttpVersion.HTTP_2) {
            return request.authority() != null;
        }
        return names.isEmpty() ? request.version() == HttpVersion.HTTP_1_0 : isGood(names.get(0));
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

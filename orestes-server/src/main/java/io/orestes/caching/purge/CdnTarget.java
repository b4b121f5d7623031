package io.orestes.caching.purge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;

/**
 * A content delivery network with an HTTP interface for purges by surrogate key. A request carries
 * many keys in one header, separated by blanks.
 *
 * @param url URL of the purge interface, {@code http} or {@code https}
 * @param method method of the request, {@code POST} for most
 * @param keysHeader name of the header with the keys
 * @param tokenHeader name of the header that authenticates the server; not sent if
 *     {@code token} is empty
 * @param token its value, visible ASCII and blanks
 * @param batch maximum number of keys of one request, from 1 to 256
 * @param authorities a PEM file with the certificates that authenticate an {@code https}
 *     interface; empty for those of the Java runtime
 */
public record CdnTarget(
        URI url, String method, String keysHeader, String tokenHeader, String token, int batch, String authorities)
        implements PurgeTarget {

    /** Maximum number of keys for each request; no known network accepts more. */
    public static final int MAX_BATCH_SIZE = 256;

    public CdnTarget {
        if (batch < 1 || batch > MAX_BATCH_SIZE || parse(url.toString()).isEmpty()) {
            throw new IllegalArgumentException("Not a valid purge interface: " + url.getHost() + ", " + batch);
        }
        if (!isToken(method) || !isToken(keysHeader) || !isToken(tokenHeader) || !isValue(token)) {
            throw new IllegalArgumentException(
                    "Not a valid HTTP method or header: " + method + ", " + keysHeader + ", " + tokenHeader);
        }
    }

    /** Parses the URL of such an interface; empty if it is none. */
    public static Optional<URI> parse(String text) {
        try {
            URI url = new URI(text);
            boolean isUsable = ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getFragment() == null
                    && url.getUserInfo() == null;
            return Optional.of(url).filter(any -> isUsable);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a text can be a method or the name of a header (RFC 9110 §5.6.2).
     */
    public static boolean isToken(String text) {
        return text.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    }

    /** Returns whether a text can be the value of a header. */
    public static boolean isValue(String text) {
        return text.chars().allMatch(letter -> letter >= ' ' && letter < 0x7f);
    }

    /**
     * Returns several lanes, because networks answer a request only after some tens of
     * milliseconds.
     */
    @Override
    public int connections() {
        return 4;
    }

    /** Allows one request at a time; purges that arrive meanwhile form the next request. */
    @Override
    public int remainingSendWindow(int underWay) {
        return underWay == 0 ? batch : 0;
    }

    @Override
    public boolean isKeyedByUrl() {
        return false;
    }

    @Override
    public boolean mayKeepLateResponses() {
        return true;
    }

    /** Returns a long pause, because networks count rejected requests, too. */
    @Override
    public Duration maxRetryDelay() {
        return Duration.ofSeconds(10);
    }

    @Override
    public Optional<RequestOptions> countersRequest(PurgeConfig config) {
        return Optional.empty();
    }

    @Override
    public PurgeConnectionFactory connector(Vertx vertx, PurgeConfig config) {
        var client = vertx.createHttpClient(options(), new PoolOptions().setHttp1MaxSize(1));
        return listener -> Future.succeededFuture(new CdnConnection(client, this, listener));
    }

    private HttpClientOptions options() {
        HttpClientOptions options =
                new HttpClientOptions().setConnectTimeout((int) PurgeSender.RESPONSE_TIMEOUT.toMillis());
        return authorities.isEmpty()
                ? options
                : options.setTrustOptions(new PemTrustOptions().addCertPath(authorities));
    }

    RequestOptions request() {
        RequestOptions request =
                new RequestOptions().setMethod(HttpMethod.valueOf(method)).setAbsoluteURI(url.toString());
        return token.isEmpty() ? request : request.putHeader(tokenHeader, token);
    }

    /** Returns the target without token and path, both of which may be secret. */
    @Override
    public String toString() {
        return url.getScheme() + "://" + url.getAuthority();
    }
}

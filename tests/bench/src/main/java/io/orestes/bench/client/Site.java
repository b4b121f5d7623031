package io.orestes.bench.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of an application, over keep-alive connections with one request under way on each. */
public final class Site {

    /** Varnish closes connections that were idle for 5 s. */
    private static final int KEEP_ALIVE_SECONDS = 3;

    private final HttpClient http;
    private final List<Integer> ports;
    private int requests;
    private String lastDate = "";
    private long lastDateMillis;

    /** Creates a site with the API on a port of this machine, for a number of concurrent users. */
    public Site(Vertx vertx, int port, int users) {
        this(vertx, List.of(port), users);
    }

    /** Creates a site with the API on any of these ports of this machine, in turn. */
    public Site(Vertx vertx, List<Integer> ports, int users) {
        this.http = vertx.createHttpClient(
                new HttpClientOptions().setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
                new PoolOptions().setHttp1MaxSize(users).setMaxWaitQueueSize(-1));
        this.ports = List.copyOf(ports);
    }

    /**
     * An answer, with the headers that are relevant to caches.
     *
     * @param isHit whether a shared cache had it
     * @param purgeLagSeconds delay of purged caches; negative if unknown
     * @param resultsKeptSeconds the time for which all results have been watched, if a write
     *     changed no result; negative otherwise
     */
    public record Answer(
            int status,
            String etag,
            String cacheControl,
            long ageSeconds,
            long dateMillis,
            boolean isHit,
            long purgeLagSeconds,
            long resultsKeptSeconds,
            Buffer body) {

        /** Returns the number of a directive of {@code Cache-Control}; 0 without it. */
        public long seconds(String directive) {
            int at = (" " + cacheControl).indexOf(" " + directive + "=");
            if (at < 0) {
                return 0;
            }
            int from = at + directive.length() + 1;
            int to = cacheControl.indexOf(',', from);
            return Long.parseLong(cacheControl.substring(from, to < 0 ? cacheControl.length() : to));
        }
    }

    /**
     * Sends a request; fails if the answer is neither 200 nor 304. Like browsers, it uses another
     * connection if its own was closed at that moment.
     */
    public Future<Answer> send(HttpMethod method, String path, Map<String, String> headers, Buffer body) {
        return exchange(method, path, headers, body).map(Site::require);
    }

    /** Sends a request and accepts any answer. */
    public Future<Answer> exchange(HttpMethod method, String path, Map<String, String> headers, Buffer body) {
        return sendOnce(method, path, headers, body).recover(failure -> sendOnce(method, path, headers, body));
    }

    private Future<Answer> sendOnce(HttpMethod method, String path, Map<String, String> headers, Buffer body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost("127.0.0.1")
                .setPort(ports.get(requests++ % ports.size()))
                .setURI("/v1" + path);
        return http.request(options).compose(request -> {
            headers.forEach(request::putHeader);
            return request.send(body).compose(response -> response.body().map(content -> answer(response, content)));
        });
    }

    /** Signals that a server is temporarily unavailable. */
    public static final class UnavailableException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        public UnavailableException(Answer answer) {
            super(answer.body().toString());
        }
    }

    private static Answer require(Answer answer) {
        if (answer.status() == 503) {
            throw new UnavailableException(answer);
        }
        if (answer.status() != 200 && answer.status() != 304) {
            throw new IllegalStateException(answer.status() + ": " + answer.body());
        }
        return answer;
    }

    private Answer answer(HttpClientResponse response, Buffer body) {
        return new Answer(
                response.statusCode(),
                orElse(response.getHeader("ETag"), ""),
                orElse(response.getHeader("Cache-Control"), ""),
                Long.parseLong(orElse(response.getHeader("Age"), "0")),
                dateMillis(orElse(response.getHeader("Date"), "")),
                "hit".equals(response.getHeader("X-Cache")),
                seconds(response, "Orestes-Purge-Lag"),
                seconds(response, "Orestes-Results-Kept"),
                body);
    }

    private static long seconds(HttpClientResponse response, String header) {
        String value = orElse(response.getHeader(header), "");
        return value.matches("\\d{1,9}") ? Long.parseLong(value) : -1;
    }

    private static String orElse(@Nullable String value, String other) {
        return value == null ? other : value;
    }

    /** Parsed once a second. */
    private long dateMillis(String date) {
        if (!date.equals(lastDate) && !date.isEmpty()) {
            lastDateMillis = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
            lastDate = date;
        }
        return lastDateMillis;
    }
}

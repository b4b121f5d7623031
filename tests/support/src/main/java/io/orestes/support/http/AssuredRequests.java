package io.orestes.support.http;

import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.config.DecoderConfig;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import io.restassured.specification.RequestSpecification;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests that are described to REST Assured and sent by a {@link Client}. Both interfaces share
 * connections, time-outs, the token and the check of errors. A path is sent unchanged; Apache's
 * client, which REST Assured brings, merges two slashes in a row.
 */
final class AssuredRequests implements Filter {

    private static final String CONTENT_TYPE = "Content-Type";

    private static final RestAssuredConfig CONFIG = RestAssuredConfig.config()
            .encoderConfig(EncoderConfig.encoderConfig()
                    .defaultContentCharset(StandardCharsets.UTF_8)
                    .appendDefaultContentCharsetToContentTypeIfUndefined(false))
            .decoderConfig(DecoderConfig.decoderConfig().defaultContentCharset(StandardCharsets.UTF_8));

    private final Client client;
    private final String base;

    private AssuredRequests(Client client) {
        this.client = client;
        this.base = client.uri("").toString();
    }

    /** Returns a new request of this client, whose body, if any, is JSON. */
    static RequestSpecification of(Client client) {
        AssuredRequests requests = new AssuredRequests(client);
        return RestAssured.given()
                .config(CONFIG)
                .baseUri(requests.base)
                .urlEncodingEnabled(false)
                .contentType(Client.JSON)
                .filter(requests);
    }

    @Override
    public Response filter(
            FilterableRequestSpecification request, FilterableResponseSpecification expected, FilterContext others) {
        String path = request.getURI().substring(base.length());
        return response(client.send(request.getMethod(), path, body(request), headers(request)));
    }

    private static BodyPublisher body(FilterableRequestSpecification request) {
        Object body = request.getBody();
        return body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString());
    }

    private static String[] headers(FilterableRequestSpecification request) {
        List<String> namesAndValues = new ArrayList<>();
        for (Header header : request.getHeaders()) {
            if (request.getBody() != null || !isContentType(header)) {
                namesAndValues.add(header.getName());
                namesAndValues.add(header.getValue());
            }
        }
        return namesAndValues.toArray(String[]::new);
    }

    private static Response response(Answer answer) {
        List<Header> headers = new ArrayList<>();
        answer.response()
                .headers()
                .map()
                .forEach((name, values) -> values.forEach(value -> headers.add(new Header(name, value))));
        headers.removeIf(AssuredRequests::isContentType);
        ResponseBuilder response = new ResponseBuilder()
                .setStatusCode(answer.status())
                .setStatusLine("HTTP/1.1 " + answer.status())
                .setHeaders(new Headers(headers))
                .setBody(answer.response().body());
        // the builder makes a header of it, which determines how the body is read
        answer.header(CONTENT_TYPE).ifPresent(response::setContentType);
        return response.build();
    }

    private static boolean isContentType(Header header) {
        return header.getName().equalsIgnoreCase(CONTENT_TYPE);
    }
}

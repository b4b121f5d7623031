package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/**
 * A live query over an event stream (WHATWG HTML §9.2). A thread of its own reads as fast as data
 * arrive.
 */
public final class LiveStream implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();

    private final InputStream body;
    private final BlockingDeque<Event> events = new LinkedBlockingDeque<>();

    private LiveStream(InputStream body) {
        this.body = body;
        Thread reader = new Thread(this::read, "event stream");
        reader.setDaemon(true);
        reader.start();
    }

    /** Subscribes to a class; {@code parameters} is the query string. */
    public static LiveStream open(Client client, String bucket, String parameters, String... headers)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response = HTTP.send(
                client.open("/db/" + bucket + "/events?" + parameters, headers).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        assertThat(response.headers().firstValue("cache-control")).hasValue("no-store");
        return new LiveStream(response.body());
    }

    /** Returns the status of the answer to a subscription, which is cancelled at once. */
    public static int status(Client client, String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = HTTP.send(client.open(path).build(), BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            EventBuilder event = new EventBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    event.addTo(events);
                    event = new EventBuilder();
                } else {
                    event.accept(line);
                }
            }
        } catch (IOException e) {
            // reported below as the end
        }
        events.add(Event.END);
    }

    /** Waits for the next event; comments are skipped. */
    public Event next() throws InterruptedException {
        Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event within " + PATIENCE_SECONDS + " s");
        }
        return event;
    }

    /**
     * Returns whether no event arrives for some time; one that arrives nevertheless is the next.
     */
    public boolean isQuiet(Duration time) throws InterruptedException {
        Event event = events.poll(time.toMillis(), TimeUnit.MILLISECONDS);
        if (event != null) {
            events.addFirst(event);
        }
        return event == null;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    /**
     * One event.
     *
     * @param id where to resume after it
     * @param name {@code result}, {@code match}, {@code error}; {@code end} for the end of the
     *     stream
     * @param text its data
     */
    public record Event(String id, String name, String text) {

        public static final Event END = new Event("", "end", "");

        public BsonDocument object() {
            return BsonDocument.parse(text);
        }

        public BsonArray array() {
            assertThat(name).as(text).isEqualTo("result");
            return BsonArray.parse(text);
        }

        /** Returns the object of a match. */
        public BsonDocument data() {
            assertThat(name).as(text).isEqualTo("match");
            return object().getDocument("data");
        }

        /** Returns match type, operation and id of a match, e.g. {@code add insert /db/Todo/1}. */
        public String summary() {
            return "%s %s %s"
                    .formatted(
                            object().getString("matchType").getValue(),
                            object().getString("operation").getValue(),
                            data().getString("id").getValue());
        }
    }

    /** Collects the lines of one event. */
    private static final class EventBuilder {
        private String id = "";
        private String name = "message";
        private final StringBuilder data = new StringBuilder();

        void accept(String line) {
            int colon = line.indexOf(':');
            String value = line.substring(colon + 1).stripLeading();
            switch (line.substring(0, Math.max(0, colon))) {
                case "id" -> id = value;
                case "event" -> name = value;
                case "data" -> data.append(value);
                default -> {}
            }
        }

        void addTo(BlockingQueue<Event> queue) {
            if (data.length() > 0) {
                queue.add(new Event(id, name, data.toString()));
            }
        }
    }
}

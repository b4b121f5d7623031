package io.orestes.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The events of a live query, read by a thread of its own; the first one, its result, is read when it is open. */
final class Events implements AutoCloseable {

    private static final String END = "end";

    private final InputStream body;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private volatile String lastId = "";
    private String first = "";

    private Events(InputStream body) {
        this.body = body;
        Thread reader = new Thread(this::read, "event stream");
        reader.setDaemon(true);
        reader.start();
    }

    static Events open(RunningServer server, String bucket) throws IOException, InterruptedException {
        return open(server, bucket, "");
    }

    /** Comes back after the event with that id, as browsers do. */
    static Events open(RunningServer server, String bucket, String lastId) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.server().url() + "/v1/db/" + bucket + "/events?q=%7B%7D"));
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        Events events = new Events(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request.build(), BodyHandlers.ofInputStream())
                .body());
        String first = events.next();
        if (!first.startsWith("result ")) {
            throw new AssertionError("Not a result: " + first);
        }
        events.first = first;
        return events;
    }

    /** The result. */
    String first() {
        return first;
    }

    /** The id of the last event that was read. */
    String lastId() {
        return lastId;
    }

    /** Waits for the next one: match type, operation, key and text of the object; or the name of the event and its data. */
    String next() throws InterruptedException {
        String event = events.poll(20, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("No event");
        }
        return event;
    }

    /** Whether there is none for some time. */
    boolean isQuiet(long millis) throws InterruptedException {
        @Nullable String event = events.poll(millis, TimeUnit.MILLISECONDS);
        if (event != null) {
            events.add(event);
        }
        return event == null;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    name = line.substring(6).strip();
                } else if (line.startsWith("id:")) {
                    lastId = line.substring(3).strip();
                } else if (line.startsWith("data:")) {
                    events.add(summary(name, line.substring(5).strip()));
                }
            }
        } catch (IOException closed) {
            // told below
        }
        events.add(END);
    }

    private static String summary(String name, String data) {
        if (!name.equals("match")) {
            return name + " " + data;
        }
        BsonDocument match = BsonDocument.parse(data);
        BsonDocument object = match.getDocument("data");
        return String.join(
                " ",
                match.getString("matchType").getValue(),
                match.getString("operation").getValue(),
                object.getString("id").getValue().replaceAll(".*/", ""),
                object.containsKey("text") && object.isString("text")
                        ? object.getString("text").getValue()
                        : "-");
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}

package io.orestes.app;

import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.bson.BsonDocument;

/** The events of a live query; the first one, its result, is read when it is open. */
final class Events implements AutoCloseable {

    private static final String EVERYTHING = "q=%7B%7D";

    private final LiveStream stream;
    private final String first;
    private String lastId = "";

    private Events(LiveStream stream) throws InterruptedException {
        this.stream = stream;
        this.first = next();
        if (!first.startsWith("result ")) {
            throw new AssertionError("Not a result: " + first);
        }
    }

    static Events open(RunningServer server, String bucket) throws IOException, InterruptedException {
        return new Events(LiveStream.open(client(server), bucket, EVERYTHING));
    }

    /** Resumes after the event with that id, as browsers do. */
    static Events open(RunningServer server, String bucket, String lastId) throws IOException, InterruptedException {
        return new Events(LiveStream.open(client(server), bucket, EVERYTHING, "Last-Event-ID", lastId));
    }

    private static Client client(RunningServer server) {
        return Client.anonymous(URI.create(server.server().url()));
    }

    /** Returns the result. */
    String first() {
        return first;
    }

    /** Returns the id of the last event that was read. */
    String lastId() {
        return lastId;
    }

    /**
     * Waits for the next event and returns match type, operation, key and text of the object; or
     * the name of the event and its data.
     */
    String next() throws InterruptedException {
        LiveStream.Event event = stream.next();
        if (!event.id().isEmpty()) {
            lastId = event.id();
        }
        return event.name().equals("match") ? match(event) : (event.name() + " " + event.text()).strip();
    }

    private static String match(LiveStream.Event event) {
        BsonDocument match = event.object();
        BsonDocument object = event.data();
        return String.join(
                " ",
                match.getString("matchType").getValue(),
                match.getString("operation").getValue(),
                object.getString("id").getValue().replaceAll(".*/", ""),
                object.containsKey("text") && object.isString("text")
                        ? object.getString("text").getValue()
                        : "-");
    }

    /** Returns whether there is no event for some time. */
    boolean isQuiet(long millis) throws InterruptedException {
        return stream.isQuiet(Duration.ofMillis(millis));
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}

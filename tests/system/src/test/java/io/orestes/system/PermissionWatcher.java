package io.orestes.system;

import io.orestes.support.http.Client;
import io.orestes.support.http.LiveSocket;
import io.orestes.support.http.LiveStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A live query on the two objects of {@link LivePermissionsTest}, over one of the transports. */
final class PermissionWatcher implements Closeable {

    /** Transports of live queries. */
    enum LiveTransport {
        STREAM,
        SOCKET,
        SOCKET_SORTED
    }

    /** The object that rules are about. */
    static final String OBJECT = "ruled";

    /** An object that everybody may read: events before its next one were sent before. */
    static final String MARK = "mark";

    private static final String ALL = "{\"n\":{\"$gt\":0}}";

    private final Source source;
    private final Closeable connection;

    private PermissionWatcher(Source source, Closeable connection) {
        this.source = source;
        this.connection = connection;
    }

    static PermissionWatcher open(Backend backend, LiveTransport way, PermissionCaller asker, String bucket)
            throws Exception {
        if (way == LiveTransport.STREAM) {
            LiveStream stream = LiveStream.open(asker.client(), bucket, query(asker, bucket));
            return new PermissionWatcher(() -> message(stream.next()), stream::close);
        }
        LiveSocket socket = LiveSocket.open(backend.server());
        String sort = way == LiveTransport.SOCKET_SORTED ? ",\"sort\":\"{\\\"n\\\":1}\",\"limit\":10" : "";
        String token =
                asker.isAnonymous() ? "" : ",\"token\":\"" + asker.client().token() + "\"";
        socket.subscribe("watch", bucket, ALL, sort + token);
        return new PermissionWatcher(socket::next, socket::close);
    }

    private static String query(PermissionCaller asker, String bucket) {
        String path = asker.addressed("/db/" + bucket + "/events?q=" + Client.encode(ALL));
        return path.substring(path.indexOf('?') + 1);
    }

    private static BsonDocument message(LiveStream.Event event) {
        return switch (event.name()) {
            case "result" -> BsonDocument.parse("{\"type\":\"result\",\"data\":" + event.text() + "}");
            case "match" -> event.object().append("type", new BsonString("match"));
            default -> BsonDocument.parse("{\"type\":\"error\",\"error\":" + event.text() + "}");
        };
    }

    /** Returns whether the first answer shows the object, or the status of its error. */
    String initial() throws Exception {
        BsonDocument first = source.next();
        return first.containsKey("error") ? status(first) : shown(first.getArray("data"));
    }

    private static String shown(BsonArray result) {
        return result.stream().anyMatch(PermissionWatcher::isObject) ? "shown" : "hidden";
    }

    private static boolean isObject(BsonValue data) {
        return data.asDocument().getString("id").getValue().endsWith("/" + OBJECT);
    }

    /** Returns the events of the object before the next change of the mark. */
    List<BsonDocument> events() throws Exception {
        List<BsonDocument> events = new ArrayList<>();
        BsonDocument next = source.next();
        while (!next.containsKey("error") && isObject(next.getDocument("data"))) {
            events.add(next);
            next = source.next();
        }
        return events;
    }

    /** Waits for the error that ends it. */
    String end() throws Exception {
        return status(source.next());
    }

    private static String status(BsonDocument message) {
        return message.containsKey("error")
                ? String.valueOf(
                        message.getDocument("error").getNumber("status").intValue())
                : "no error: " + message;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** A source of messages. */
    private interface Source {
        BsonDocument next() throws Exception;
    }
}

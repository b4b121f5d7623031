package io.orestes.socket;

import io.orestes.caching.ClientSketch;
import io.orestes.caching.sketch.SketchSnapshot;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;

/** The answer to a {@code bloomFilter} message: the filter, or its tag if the client has it. */
final class BloomFilterMessage {

    private BloomFilterMessage() {}

    /**
     * @param id id of the request, as JSON
     * @param question the client's tag, and whether it accepts gzip
     */
    static Buffer of(Buffer id, ClientSketch filter, BsonDocument question) {
        SketchSnapshot snapshot = filter.snapshot();
        Buffer message = Buffer.buffer("{\"id\":")
                .appendBuffer(id)
                .appendString(",\"type\":\"bloomFilter\",\"date\":\""
                        + Instant.now().truncatedTo(ChronoUnit.MILLIS) + "\",\"etag\":\"" + snapshot.etag()
                        + "\",\"purgeLag\":\"" + filter.purgeLag() + "\"");
        if (!question.get("etag", BsonNull.VALUE).equals(new BsonString(snapshot.etag()))) {
            append(message, snapshot, question.get("gzip", BsonNull.VALUE).equals(BsonBoolean.TRUE));
        }
        return message.appendString("}");
    }

    /**
     * Appends the filter, compressed if {@code zipped}, since messages of sockets are not
     * compressed by themselves.
     */
    private static void append(Buffer message, SketchSnapshot snapshot, boolean zipped) {
        if (zipped) {
            String text =
                    Base64.getEncoder().encodeToString(snapshot.zipped().get().getBytes());
            message.appendString(",\"gzip\":\"" + text + "\"");
        } else {
            message.appendString(",\"data\":").appendBuffer(snapshot.body());
        }
    }
}

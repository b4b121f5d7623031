package io.orestes.http.data;

import io.orestes.async.Loop;
import io.orestes.json.JsonArrayReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.StoredObject;
import io.orestes.wire.ErrorFormat;
import io.orestes.write.ObjectIdRules;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One bulk import in progress, which validates the uploaded file and then writes it page by page.
 * Worker threads first read the whole file, so that nothing of a malformed file is stored. Then
 * they read it again a page at a time, so that only one page is in memory. The next page is read
 * when the objects of the last page are written and its failures are sent. The event loop only
 * passes pages on.
 */
final class ImportJob {

    private static final int PAGE_SIZE = 200;
    private static final int PAGE_CHARACTERS = 1 << 20;

    /** Maximum time between two writes to the client. */
    private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final WritePipeline writes;
    private final String bucket;
    private final Precondition precondition;
    private long lastSentNanos;

    /** @param precondition precondition of each write */
    ImportJob(Vertx vertx, WritePipeline writes, String bucket, Precondition precondition) {
        this.vertx = vertx;
        this.writes = writes;
        this.bucket = bucket;
        this.precondition = precondition;
    }

    /** Writes the objects of a JSON array and responds with the refused ones. */
    Future<Void> run(Path file, HttpServerResponse response) {
        return vertx.executeBlocking(() -> checked(file), false)
                .compose(elements -> JsonArrayStream.write(response, answer -> writeAll(elements, answer))
                        .eventually(() -> vertx.executeBlocking(() -> close(elements), false)));
    }

    /** Opens a reader of the elements from the first. */
    private static JsonArrayReader checked(Path file) throws IOException {
        try (InputStream text = Files.newInputStream(file)) {
            JsonArrayReader.requireAll(text);
        }
        return new JsonArrayReader(Files.newInputStream(file));
    }

    private static @Nullable Void close(JsonArrayReader elements) throws IOException {
        elements.close();
        return null;
    }

    private Future<Void> writeAll(JsonArrayReader elements, JsonArrayStream answer) {
        lastSentNanos = System.nanoTime();
        return Loop.whileTrue(() -> vertx.executeBlocking(() -> writeNext(elements), false)
                .compose(page -> page.isEmpty() ? Future.succeededFuture(false) : answered(page, answer)));
    }

    private List<Future<Optional<BsonDocument>>> writeNext(JsonArrayReader elements) {
        return elements.next(PAGE_SIZE, PAGE_CHARACTERS).stream()
                .map(this::write)
                .toList();
    }

    private Future<Boolean> answered(List<Future<Optional<BsonDocument>>> page, JsonArrayStream answer) {
        return Future.all(page)
                .compose(done -> answer(
                        new BsonArray(page.stream()
                                .flatMap(outcome -> outcome.result().stream())
                                .toList()),
                        answer))
                .map(true);
    }

    private Future<Void> answer(BsonArray failures, JsonArrayStream answer) {
        long now = System.nanoTime();
        if (failures.isEmpty() && now - lastSentNanos < KEEP_ALIVE_INTERVAL.toNanos()) {
            return Future.succeededFuture();
        }
        lastSentNanos = now;
        return failures.isEmpty() ? answer.keepAlive() : answer.append(JsonWriter.write(failures));
    }

    /** Writes one object and returns the failure of a refused one. */
    private Future<Optional<BsonDocument>> write(BsonValue object) {
        return Future.succeededFuture()
                .compose(start -> put(object))
                .map(stored -> Optional.<BsonDocument>empty())
                .otherwise(failure -> Optional.of(refused(object, ErrorFormat.logAndConvert(failure, "import"))));
    }

    private Future<StoredObject> put(BsonValue object) {
        if (!object.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not an object");
        }
        ObjectRef ref = ObjectIdRules.idIn(object.asDocument(), bucket)
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "An imported object needs an id"));
        return writes.put(ref, object.asDocument(), precondition);
    }

    private static BsonDocument refused(BsonValue object, ApiException failure) {
        BsonValue id = object.isDocument() ? object.asDocument().get("id", BsonNull.VALUE) : BsonNull.VALUE;
        return new BsonDocument("id", id)
                .append("status", new BsonInt32(failure.code().httpStatus()))
                .append("error", new BsonString(failure.message()));
    }
}

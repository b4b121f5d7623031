package io.orestes.http;

import io.orestes.json.JsonElements;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.write.WritePipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One import under way. The text is read by worker threads, first as a whole, so that nothing of a malformed one is
 * stored, and then again a page at a time: the next page is read when the objects of the last one are written, so that
 * beside the body there is one page in memory. The event loop only passes pages on.
 */
final class ImportRun {

    private static final int PAGE = 200;
    private static final int PAGE_CHARACTERS = 1 << 20;

    private final Vertx vertx;
    private final WritePipeline writes;
    private final String bucket;
    private final BsonArray failures = new BsonArray();

    ImportRun(Vertx vertx, WritePipeline writes, String bucket) {
        this.vertx = vertx;
        this.writes = writes;
        this.bucket = bucket;
    }

    /** Writes the objects of a JSON array; completes with those that were refused. */
    Future<BsonArray> read(Buffer body) {
        return vertx.executeBlocking(() -> checked(body), false)
                .compose(this::writeRest)
                .map(failures);
    }

    private static JsonElements checked(Buffer body) {
        JsonElements.requireAll(body);
        return new JsonElements(body);
    }

    private Future<Void> writeRest(JsonElements elements) {
        return vertx.executeBlocking(() -> writeNext(elements), false)
                .compose(page -> page.isEmpty()
                        ? Future.succeededFuture()
                        : Future.join(page).otherwiseEmpty().compose(done -> writeRest(elements)));
    }

    private List<Future<?>> writeNext(JsonElements elements) {
        List<Future<?>> page = new ArrayList<>();
        elements.next(PAGE, PAGE_CHARACTERS).forEach(object -> page.add(write(object)));
        return page;
    }

    private Future<StoredObject> write(BsonValue object) {
        return Future.succeededFuture()
                .compose(start -> put(object))
                .onFailure(failure -> note(object, ApiException.of(failure)));
    }

    private Future<StoredObject> put(BsonValue object) {
        if (!object.isDocument()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not an object");
        }
        ObjectRef ref = WritePipeline.idIn(object.asDocument(), bucket)
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "An imported object needs an id"));
        return writes.put(ref, object.asDocument());
    }

    /** Objects may be refused by the worker thread, before they are written, or later by the store. */
    private void note(BsonValue object, ApiException failure) {
        BsonValue id = object.isDocument() ? object.asDocument().get("id", BsonNull.VALUE) : BsonNull.VALUE;
        synchronized (failures) {
            failures.add(new BsonDocument("id", id).append("error", new BsonString(failure.message())));
        }
    }
}

package io.orestes.live.event;

import io.invalidb.query.value.HeapSize;
import io.orestes.model.StoredObject;
import io.orestes.read.response.JsonRenderer;
import io.vertx.core.buffer.Buffer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The after-image of a write with its wire form, rendered once for all live queries that report it.
 * Thread-safe.
 */
public final class RenderedAfterImage {

    private final BsonDocument afterImage;
    private final long bytes;
    private @Nullable Object schema;
    private @Nullable Buffer text;

    /** Number of retained events that refer to it; guarded by their {@link EventLogBudget}. */
    int events;

    RenderedAfterImage(BsonDocument afterImage) {
        this.afterImage = afterImage;
        this.bytes = HeapSize.of(afterImage) * 2;
    }

    BsonDocument afterImage() {
        return afterImage;
    }

    /** Returns the estimated heap of the document and, as much again, of the text. */
    long bytes() {
        return bytes;
    }

    /** Returns the wire form, by the schema in force. */
    public synchronized Buffer text(StoredObject object, JsonRenderer jsonRenderer) {
        Object inForce = jsonRenderer.schema();
        Buffer known = text;
        if (known == null || inForce != schema) {
            known = jsonRenderer.object(object);
            text = known;
            schema = inForce;
        }
        return known;
    }
}

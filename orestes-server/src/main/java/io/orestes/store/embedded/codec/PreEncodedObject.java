package io.orestes.store.embedded.codec;

import static io.orestes.model.StoredObject.CREATED_AT;
import static io.orestes.model.StoredObject.UPDATED_AT;
import static io.orestes.model.StoredObject.VERSION;

import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.DocumentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BSONException;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;

/**
 * An object encoded before its commit, in which only version and times are still to be filled in.
 * If the caller's thread can build and encode it, the committer has only three numbers to fill in.
 * Used once.
 */
public final class PreEncodedObject {

    private static final BsonValueCodec VALUES = new BsonValueCodec();
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();

    private final ObjectRef ref;
    private final BsonDocument document;
    private final byte[] encoded;
    private int versionAt;
    private int createdAt;
    private int updatedAt;

    /**
     * Encodes a copy of the fields. Fails with {@code BAD_REQUEST} if they have no BSON form, or as
     * {@link Acl#fromBson} does.
     */
    public static PreEncodedObject copyOf(ObjectRef ref, BsonDocument fields) {
        return new PreEncodedObject(ref, fields.clone());
    }

    /** Encodes fields that no other code changes; their values become part of the object. */
    public PreEncodedObject(ObjectRef ref, BsonDocument fields) {
        this.ref = ref;
        this.document = DocumentLayout.of(ref, fields);
        this.encoded = encode();
    }

    /** Fills in version and times, also in {@link #encoded}, and returns the object. */
    public StoredObject complete(long version, long created, long updated) {
        DocumentLayout.complete(document, version, created, updated);
        ByteBuffer.wrap(encoded)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(versionAt, version)
                .putLong(createdAt, created)
                .putLong(updatedAt, updated);
        return new StoredObject(ref, document);
    }

    /** Returns the next state of an object. */
    public StoredObject completeAfter(StoredObject before, long updated) {
        return complete(before.version() + 1, before.createdAt(), updated);
    }

    public ObjectRef ref() {
        return ref;
    }

    /** Returns the bytes to store. */
    public byte[] encoded() {
        return encoded;
    }

    private byte[] encode() {
        try (BsonOutputBuffer target = new BsonOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(target)) {
            writer.writeStartDocument();
            document.forEach((name, value) -> {
                writer.writeName(name);
                VALUES.encode(writer, value, CONTEXT);
                noteSlot(name, target.getPosition() - Long.BYTES);
            });
            writer.writeEndDocument();
            return target.toByteArray();
        } catch (BSONException | IllegalArgumentException e) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The object cannot be stored: " + e.getMessage());
        }
    }

    private void noteSlot(String name, int position) {
        switch (name) {
            case VERSION -> versionAt = position;
            case CREATED_AT -> createdAt = position;
            case UPDATED_AT -> updatedAt = position;
            default -> {}
        }
    }
}

package io.orestes.store.embedded.codec;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.ByteBufNIO;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.ByteBufferBsonInput;

/**
 * The codec of stored objects: BSON documents under their id strings, in a column family of their
 * own. An id string is ASCII and so sorts as its bytes.
 */
public final class StoredDocumentCodec {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
    private static final DecoderContext CONTEXT = DecoderContext.builder().build();

    private StoredDocumentCodec() {}

    /** Returns the key of an object. */
    public static byte[] key(String id) {
        return id.getBytes(StandardCharsets.US_ASCII);
    }

    /** Decodes a whole document. */
    public static BsonDocument decode(byte[] encoded) {
        ByteBufNIO bytes = new ByteBufNIO(ByteBuffer.wrap(encoded));
        try (BsonBinaryReader reader = new BsonBinaryReader(new ByteBufferBsonInput(bytes))) {
            return CODEC.decode(reader, CONTEXT);
        }
    }

    /** Encodes a whole document. */
    public static byte[] encode(BsonDocument document) {
        try (BsonOutputBuffer target = new BsonOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(target)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
            return target.toByteArray();
        }
    }

    /** Creates an object from its document. */
    public static StoredObject object(BsonDocument document) {
        String id = document.getString(StoredObject.ID).getValue();
        return new StoredObject(ObjectRef.parse(id).orElseThrow(), document);
    }

    /** Creates an object whose fields are all decoded. */
    public static StoredObject whole(ObjectRef ref, byte[] encoded) {
        return new StoredObject(ref, decode(encoded));
    }

    /** Creates an object of which only a few fields are read: each is decoded at every access. */
    public static StoredObject lazy(ObjectRef ref, byte[] encoded) {
        return new StoredObject(ref, new RawBsonDocument(encoded));
    }
}

package io.orestes.replication;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * The codec of frames on a link: concatenated BSON documents that carry messages, acknowledgements
 * and heartbeats. Each document contains its length. A message has its number under {@code no}. An
 * acknowledgement has that number under {@code to}, and {@code kept} in milliseconds where that is
 * known.
 */
final class FrameCodec {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    /** Heartbeat: a frame without content. */
    static final Buffer HEARTBEAT = encoded(new BsonDocument());

    private static final String NUMBER = "no";
    private static final String ANSWERED = "to";
    private static final String KEPT = "kept";

    private FrameCodec() {}

    /** Encodes a document of a {@link PeerHandshake}. */
    static Buffer encodeHandshake(BsonDocument document) {
        return encoded(document);
    }

    /** Decodes the document of a greeting; empty if {@code arrived} is not exactly one document. */
    static Optional<BsonDocument> decodeHandshake(Buffer arrived) {
        return arrived.length() <= PeerHandshake.MAX_DOCUMENT_BYTES
                        && arrived.length() >= Integer.BYTES
                        && arrived.getIntLE(0) == arrived.length()
                ? Optional.of(decoded(arrived.getBytes()))
                : Optional.empty();
    }

    static Buffer message(long number, PeerMessage peerMessage) {
        return encoded(PeerMessageCodec.encode(peerMessage).append(NUMBER, new BsonInt64(number)));
    }

    static Buffer encodeAcknowledgement(long number, Optional<Duration> kept) {
        BsonDocument answer = new BsonDocument(ANSWERED, new BsonInt64(number));
        kept.ifPresent(time -> answer.append(KEPT, new BsonInt64(time.toMillis())));
        return encoded(answer);
    }

    /**
     * Splits received bytes into documents; fails with a runtime exception if they are no valid
     * frame.
     */
    static List<BsonDocument> split(Buffer arrived) {
        List<BsonDocument> documents = new ArrayList<>();
        for (int at = 0; at < arrived.length(); at += arrived.getIntLE(at)) {
            documents.add(decoded(arrived.getBytes(at, at + arrived.getIntLE(at))));
        }
        return documents;
    }

    static boolean isMessage(BsonDocument document) {
        return document.containsKey(NUMBER);
    }

    static long number(BsonDocument document) {
        return document.getInt64(NUMBER).getValue();
    }

    static boolean isAcknowledgement(BsonDocument document) {
        return document.containsKey(ANSWERED);
    }

    static long acknowledgedNumber(BsonDocument answer) {
        return answer.getInt64(ANSWERED).getValue();
    }

    static DeliveryOutcome outcome(BsonDocument answer) {
        return DeliveryOutcome.of(Optional.ofNullable(answer.get(KEPT))
                .map(millis -> Duration.ofMillis(millis.asInt64().getValue())));
    }

    private static Buffer encoded(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    private static BsonDocument decoded(byte[] bytes) {
        try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(bytes))) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        }
    }
}

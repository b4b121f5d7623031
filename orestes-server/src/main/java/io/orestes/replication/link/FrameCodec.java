package io.orestes.replication.link;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * The codec of frames on a link: BSON documents that carry messages, acknowledgements and
 * heartbeats. A message is under {@code message} and has its number under {@code no}. An
 * acknowledgement has that number under {@code to}, and {@code kept} in milliseconds where that is
 * known.
 */
final class FrameCodec {

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    /** Heartbeat: a frame without content. */
    static final Buffer HEARTBEAT = encode(new BsonDocument());

    private static final String NUMBER = "no";
    private static final String MESSAGE = "message";
    private static final String ANSWERED = "to";
    private static final String KEPT = "kept";

    private FrameCodec() {}

    /** Encodes a message for several links at once. */
    static RawBsonDocument encodeOnce(BsonDocument message) {
        return new RawBsonDocument(message, CODEC);
    }

    static Buffer encodeMessage(long number, BsonDocument message) {
        return encode(new BsonDocument(NUMBER, new BsonInt64(number)).append(MESSAGE, message));
    }

    static Buffer encodeAcknowledgement(long number, DeliveryOutcome outcome) {
        BsonDocument answer = new BsonDocument(ANSWERED, new BsonInt64(number));
        outcome.resultsUnchangedFor().ifPresent(time -> answer.append(KEPT, new BsonInt64(time.toMillis())));
        return encode(answer);
    }

    static boolean isMessage(BsonDocument document) {
        return document.containsKey(NUMBER);
    }

    static BsonDocument message(BsonDocument frame) {
        return frame.getDocument(MESSAGE);
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
        BsonValue millis = answer.get(KEPT);
        return DeliveryOutcome.acknowledged(
                millis == null ? null : Duration.ofMillis(millis.asInt64().getValue()));
    }

    static Buffer encode(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    /** Decodes one frame; fails with a runtime exception if it is invalid. */
    static BsonDocument decode(Buffer frame) {
        try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(frame.getBytes()))) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        }
    }
}

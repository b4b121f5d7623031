package io.orestes.histories.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** One command to a mongod, without a driver (MongoDB wire protocol, OP_MSG). */
final class MongoMessage {

    private static final int OP_MSG = 2013;
    private static final int BEFORE_DOCUMENT = 21;
    private static final int PATIENCE_MILLIS = 2_000;

    private MongoMessage() {}

    /** The answer to a command; an empty document if there is none. */
    static BsonDocument send(String address, int port, String json) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            byte[] document = encoded(BsonDocument.parse(json));
            ByteBuffer message =
                    ByteBuffer.allocate(BEFORE_DOCUMENT + document.length).order(ByteOrder.LITTLE_ENDIAN);
            message.putInt(message.capacity())
                    .putInt(1)
                    .putInt(0)
                    .putInt(OP_MSG)
                    .putInt(0)
                    .put((byte) 0)
                    .put(document);
            socket.getOutputStream().write(message.array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = in.readNBytes(Integer.reverseBytes(in.readInt()) - Integer.BYTES);
            int start = BEFORE_DOCUMENT - Integer.BYTES;
            return answer.length < start
                    ? new BsonDocument()
                    : decoded(ByteBuffer.wrap(answer, start, answer.length - start)
                            .slice());
        } catch (IOException notThere) {
            return new BsonDocument();
        }
    }

    private static byte[] encoded(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
        }
        return bytes.toByteArray();
    }

    private static BsonDocument decoded(ByteBuffer bytes) {
        try (BsonBinaryReader reader = new BsonBinaryReader(bytes)) {
            return new BsonDocumentCodec()
                    .decode(reader, DecoderContext.builder().build());
        }
    }
}

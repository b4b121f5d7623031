package io.orestes.store.embedded.codec;

import java.nio.charset.StandardCharsets;
import org.bson.io.BasicOutputBuffer;

/** A growable buffer of BSON that writes strings as a whole instead of by characters. */
final class BsonOutputBuffer extends BasicOutputBuffer {

    private static final int USUAL_BYTES = 512;

    BsonOutputBuffer() {
        super(USUAL_BYTES);
    }

    @Override
    public void writeString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        writeInt32(utf8.length + 1);
        writeBytes(utf8);
        writeByte(0);
    }
}

package io.orestes.store.embedded;

import java.nio.charset.StandardCharsets;
import org.bson.io.BasicOutputBuffer;

/** A growing array of BSON that takes texts as a whole; the library's own takes them character by character. */
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

package io.orestes.store.mongo.document;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The identity of one write: the process that made it and a sequence number. MongoDB stores it with
 * the result of the write, so that a write whose response is lost can be recognised.
 *
 * @param writer name of the process, 16 hexadecimal digits
 * @param number number of the write among those of the process
 */
public record WriteId(String writer, long number) {

    private static final int WRITER_BYTES = 8;
    private static final Pattern WRITER = Pattern.compile("[0-9a-f]{" + 2 * WRITER_BYTES + "}");

    /** True if a process may have that name. */
    static boolean isWriter(String name) {
        return WRITER.matcher(name).matches();
    }

    /** A generator of the write identities of one process. For one thread. */
    public static final class WriteIdGenerator {

        private final String writer;
        private long last;

        public WriteIdGenerator() {
            byte[] name = new byte[WRITER_BYTES];
            new SecureRandom().nextBytes(name);
            this.writer = HexFormat.of().formatHex(name);
        }

        public WriteId next() {
            last++;
            return new WriteId(writer, last);
        }
    }
}

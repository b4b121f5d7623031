package io.orestes.json;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * The elements of a JSON array one after the other, so that a long one is never in memory as values. As strict as
 * {@link JsonReader}, but a mistake is only found when the elements before it have been read; see {@link #requireAll}.
 * Used by one thread at a time.
 */
public final class JsonElements {

    private final TokenReader tokens;
    private boolean atEnd;

    /** Fails with {@code BAD_REQUEST} if the text is no array. */
    public JsonElements(Buffer utf8) {
        try {
            InputStreamReader characters = new InputStreamReader(new Bytes(utf8), StandardCharsets.UTF_8.newDecoder());
            tokens = new TokenReader(JsonReader.FACTORY.createParser(characters), true);
        } catch (IOException e) {
            throw new UncheckedIOException("A buffer cannot fail to be opened", e);
        }
        tokens.enterArray();
    }

    /** Fails with {@code BAD_REQUEST} unless the text is an array without a mistake. */
    public static void requireAll(Buffer utf8) {
        JsonElements elements = new JsonElements(utf8);
        Optional<BsonValue> element = elements.tokens.element();
        while (element.isPresent()) {
            element = elements.tokens.element();
        }
    }

    /**
     * The next elements; none at the end.
     *
     * @param most how many of them
     * @param characters after how many characters of the text no further one is begun
     */
    public List<BsonValue> next(int most, int characters) {
        List<BsonValue> page = new ArrayList<>();
        long end = tokens.position() + characters;
        while (!atEnd && page.size() < most && tokens.position() < end) {
            tokens.element().ifPresentOrElse(page::add, () -> atEnd = true);
        }
        return page;
    }

    /** A buffer as a stream, without a copy of it. */
    private static final class Bytes extends InputStream {

        private final Buffer source;
        private int position;

        private Bytes(Buffer source) {
            this.source = source;
        }

        @Override
        public int read() {
            return position < source.length() ? source.getByte(position++) & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int count = Math.min(length, source.length() - position);
            if (count <= 0) {
                return length == 0 ? 0 : -1;
            }
            var unused = source.getBytes(position, position + count, target, offset);
            position += count;
            return count;
        }
    }
}

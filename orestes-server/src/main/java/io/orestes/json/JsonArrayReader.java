package io.orestes.json;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;

/**
 * A streaming reader of the elements of a JSON array, which never holds all of them. It is as
 * strict as {@link JsonReader}, but finds a mistake only after the elements before it have been
 * read; see {@link #requireAll}. Used by one thread at a time.
 */
public final class JsonArrayReader implements Closeable {

    /**
     * Most characters of one element's names, strings and numbers, {@value JsonValueBuilder#WEIGHT}
     * more for each of them.
     */
    public static final int MAX_ELEMENT = 16 << 20;

    private final JsonValueBuilder tokens;
    private boolean atEnd;

    /**
     * Fails with {@code BAD_REQUEST} if the text is no array. Reads ahead; closes the stream when
     * it is closed.
     */
    public JsonArrayReader(InputStream utf8) {
        try {
            InputStreamReader characters = new InputStreamReader(utf8, StandardCharsets.UTF_8.newDecoder());
            tokens = new JsonValueBuilder(JsonReader.FACTORY.createParser(characters), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tokens.enterArray();
    }

    /**
     * Fails with {@code BAD_REQUEST} unless the text is an array without a mistake, and with {@code
     * PAYLOAD_TOO_LARGE} if an element is larger than {@value #MAX_ELEMENT}.
     */
    public static void requireAll(InputStream utf8) {
        JsonArrayReader elements = new JsonArrayReader(utf8);
        while (elements.tokens.element(MAX_ELEMENT).isPresent()) {}
    }

    @Override
    public void close() throws IOException {
        tokens.close();
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
            tokens.element(MAX_ELEMENT).ifPresentOrElse(page::add, () -> atEnd = true);
        }
        return page;
    }
}

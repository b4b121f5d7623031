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
 * A streaming reader of the elements of a JSON array, with only some of them in memory. It is as
 * strict as {@link JsonReader}, but finds a mistake only after the elements before it have been
 * read; see {@link #requireAll}. Used by one thread at a time.
 */
public final class JsonArrayReader implements Closeable {

    /**
     * Maximum number of characters of one element's names, strings and numbers, plus {@value
     * JsonValueBuilder#WEIGHT} for each of them.
     */
    public static final int MAX_ELEMENT_CHARACTERS = 16 << 20;

    private final JsonValueBuilder tokens;
    private boolean atEnd;

    /**
     * Opens a reader. Fails with {@code BAD_REQUEST} if the text is no array. Reads ahead; closes
     * the stream when it is closed.
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
     * Fails with {@code BAD_REQUEST} unless the text is a valid array, and with {@code
     * PAYLOAD_TOO_LARGE} if an element is larger than {@value #MAX_ELEMENT_CHARACTERS}.
     */
    public static void requireAll(InputStream utf8) {
        JsonArrayReader elements = new JsonArrayReader(utf8);
        while (elements.tokens.element(MAX_ELEMENT_CHARACTERS).isPresent()) {}
    }

    @Override
    public void close() throws IOException {
        tokens.close();
    }

    /**
     * Returns the next elements; none at the end.
     *
     * @param most maximum number of elements
     * @param characters number of characters after which no further element is begun
     */
    public List<BsonValue> next(int most, int characters) {
        List<BsonValue> page = new ArrayList<>();
        long end = tokens.position() + characters;
        while (!atEnd && page.size() < most && tokens.position() < end) {
            tokens.element(MAX_ELEMENT_CHARACTERS).ifPresentOrElse(page::add, () -> atEnd = true);
        }
        return page;
    }
}

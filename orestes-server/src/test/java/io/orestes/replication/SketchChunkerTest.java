package io.orestes.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.orestes.caching.sketch.SketchContents;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;

final class SketchChunkerTest {

    private static final int LARGEST_PART = 512 << 10;

    @Test
    void parts_noKeys_areOne() {
        assertThat(parts(List.of(), true))
                .containsExactly(new PeerMessage.StateChunk(new SketchContents(1, 2, List.of()), true, true));
    }

    /** Keys of queries are as long as URLs may be. */
    @Test
    void parts_longKeys_areBoundedInBytes() {
        List<SketchContents.SketchEntry> keys = IntStream.range(0, 2_000)
                .mapToObj(i -> new SketchContents.SketchEntry("/db/Todo/query?q=" + i + "ä".repeat(16_000), i, i, i))
                .toList();

        List<PeerMessage.StateChunk> parts = parts(keys, false);

        assertThat(parts).allSatisfy(part -> assertThat(new RawBsonDocument(part.encode(), new BsonDocumentCodec())
                        .getByteBuffer()
                        .remaining())
                .isLessThan(LARGEST_PART));
        assertThat(parts.stream().flatMap(part -> part.memory().keys().stream()))
                .containsExactlyElementsOf(keys);
        assertThat(parts.subList(0, parts.size() - 1)).noneMatch(PeerMessage.StateChunk::isLast);
        assertThat(parts.get(parts.size() - 1).isLast()).isTrue();
        assertThat(parts).noneMatch(PeerMessage.StateChunk::isComplete);
    }

    @Test
    void parts_shortKeys_areFew() {
        List<SketchContents.SketchEntry> keys = IntStream.range(0, 10_000)
                .mapToObj(i -> new SketchContents.SketchEntry("/db/Todo/" + i, i, i, i))
                .toList();

        assertThat(parts(keys, false)).hasSizeLessThan(10);
    }

    private static List<PeerMessage.StateChunk> parts(List<SketchContents.SketchEntry> keys, boolean isComplete) {
        return ImmutableList.copyOf(new SketchChunker(new SketchContents(1, 2, keys), isComplete)).stream()
                .map(PeerMessage.StateChunk.class::cast)
                .toList();
    }
}

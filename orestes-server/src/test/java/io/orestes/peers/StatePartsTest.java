package io.orestes.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.orestes.caching.sketch.SketchMemory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StatePartsTest {

    private static final int LARGEST_PART = 512 << 10;

    @Test
    void parts_noKeys_areOne() {
        assertThat(parts(List.of(), true))
                .containsExactly(new Message.State(new SketchMemory(1, 2, List.of()), true, true));
    }

    /** Keys of queries are as long as URLs may be. */
    @Test
    void parts_longKeys_areBoundedInBytes() {
        List<SketchMemory.Key> keys = IntStream.range(0, 2_000)
                .mapToObj(i -> new SketchMemory.Key("/db/Todo/query?q=" + i + "ä".repeat(16_000), i, i, i))
                .toList();

        List<Message.State> parts = parts(keys, false);

        assertThat(parts).allSatisfy(part -> assertThat(
                        Frames.message(Long.MAX_VALUE, part).length())
                .isLessThan(LARGEST_PART));
        assertThat(parts.stream().flatMap(part -> part.memory().keys().stream()))
                .containsExactlyElementsOf(keys);
        assertThat(parts.subList(0, parts.size() - 1)).noneMatch(Message.State::isLast);
        assertThat(parts.get(parts.size() - 1).isLast()).isTrue();
        assertThat(parts).noneMatch(Message.State::isComplete);
    }

    @Test
    void parts_shortKeys_areFew() {
        List<SketchMemory.Key> keys = IntStream.range(0, 10_000)
                .mapToObj(i -> new SketchMemory.Key("/db/Todo/" + i, i, i, i))
                .toList();

        assertThat(parts(keys, false)).hasSizeLessThan(10);
    }

    private static List<Message.State> parts(List<SketchMemory.Key> keys, boolean isComplete) {
        return ImmutableList.copyOf(new StateParts(new SketchMemory(1, 2, keys), isComplete)).stream()
                .map(Message.State.class::cast)
                .toList();
    }
}

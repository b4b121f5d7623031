package io.invalidb.query.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SeededHashTest {

    private static final int TEXTS = 100_000;

    @Test
    void of_equalTexts_isEqual() {
        assertThat(SeededHash.of("Aa" + "BB"))
                .isEqualTo(SeededHash.of(new StringBuilder("BBaA").reverse().toString()));
    }

    @Test
    void of_textsThatDifferByCharactersOfNothing_differs() {
        List<String> texts = Stream.iterate("", text -> text + '\0').limit(100).toList();

        assertThat(texts).extracting(SeededHash::of).doesNotHaveDuplicates();
    }

    @Test
    void of_anyTexts_areSpreadOverTheLowestBits() {
        Random random = new Random(1);
        long taken = Stream.generate(() -> Long.toString(random.nextLong(), Character.MAX_RADIX))
                .limit(TEXTS)
                .map(text -> SeededHash.of(text) & 0xffff)
                .distinct()
                .count();

        // Random numbers would leave 22 of 100 slots empty: e to the power of -100,000/65,536.
        assertThat(taken).isBetween(50_400L, 52_100L);
    }

    @Test
    void of_numbersWhoseHashesAddUpAlike_differs() {
        assertThat(LongStream.range(0, TEXTS).mapToObj(i -> SeededHash.of(i, 31 * (TEXTS - i))))
                .doesNotHaveDuplicates();
    }
}

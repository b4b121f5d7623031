package io.orestes.caching.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class QueryUrlVariantsTest {

    private static final String KEY = "/db/Todo/query?q=%7B%7D";

    private final ManualClock clock = new ManualClock();
    private final QueryUrlVariants queryUrlVariants = new QueryUrlVariants(2, Duration.ofHours(1), clock);

    @Test
    void of_entered_areAll() {
        assertThat(queryUrlVariants.add(KEY, "/a")).isTrue();
        assertThat(queryUrlVariants.add(KEY, "/b")).isTrue();
        assertThat(queryUrlVariants.add(KEY, "/a")).isTrue();

        assertThat(queryUrlVariants.of(KEY)).containsExactlyInAnyOrder("/a", "/b");
        assertThat(queryUrlVariants.of("/db/Todo/query?")).isEmpty();
    }

    @Test
    void add_full_isRefusedUntilACopyHasExpired() {
        assertThat(queryUrlVariants.add(KEY, "/a")).isTrue();
        assertThat(queryUrlVariants.add(KEY, "/b")).isTrue();

        assertThat(queryUrlVariants.add("/db/Todo/query?", "/c")).isFalse();
        assertThat(queryUrlVariants.add(KEY, "/c")).isFalse();
        clock.advance(Duration.ofMinutes(30));
        assertThat(queryUrlVariants.add(KEY, "/b")).isTrue();
        clock.advance(Duration.ofMinutes(31));

        assertThat(queryUrlVariants.add(KEY, "/c")).isTrue();
        assertThat(queryUrlVariants.of(KEY)).containsExactlyInAnyOrder("/b", "/c");
    }

    @Test
    void add_tooLong_isRefused() {
        assertThat(queryUrlVariants.add(KEY, "/" + "x".repeat(QueryUrlVariants.MAX_URI_LENGTH)))
                .isFalse();
    }

    /**
     * An absolute form such as {@code GET http://host/v1/...} is equivalent, but is no path that a
     * purge can name.
     */
    @Test
    void add_notAPath_isRefused() {
        assertThat(queryUrlVariants.add(KEY, "http://a/b")).isFalse();
        assertThat(queryUrlVariants.of(KEY)).isEmpty();
    }

    @Test
    void add_manyOfOneKey_areRefusedUntilACopyHasExpired() {
        QueryUrlVariants roomy = new QueryUrlVariants(1_000, Duration.ofHours(1), clock);
        for (int i = 0; i < QueryUrlVariants.MAX_VARIANTS_PER_KEY; i++) {
            assertThat(roomy.add(KEY, "/" + i)).isTrue();
        }

        assertThat(roomy.add(KEY, "/more")).isFalse();
        assertThat(roomy.add(KEY, "/0")).isTrue();
        assertThat(roomy.add("/db/Todo/query?", "/more")).isTrue();
        clock.advance(Duration.ofMinutes(61));

        assertThat(roomy.add(KEY, "/more")).isTrue();
        assertThat(roomy.of(KEY)).containsExactly("/more");
    }

    @Test
    void add_longOnes_takeMorePlaces() {
        QueryUrlVariants few = new QueryUrlVariants(10, Duration.ofHours(1), clock);
        String uri = "/" + "x".repeat(QueryUrlVariants.MAX_URI_LENGTH / 2);

        assertThat(few.add(KEY, uri)).isTrue();
        assertThat(few.add(KEY, uri + "y")).isFalse();
        clock.advance(Duration.ofMinutes(61));

        assertThat(few.add(KEY, uri + "y")).isTrue();
    }
}

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
        assertThat(queryUrlVariants.enter(KEY, "/a")).isTrue();
        assertThat(queryUrlVariants.enter(KEY, "/b")).isTrue();
        assertThat(queryUrlVariants.enter(KEY, "/a")).isTrue();

        assertThat(queryUrlVariants.of(KEY)).containsExactlyInAnyOrder("/a", "/b");
        assertThat(queryUrlVariants.of("/db/Todo/query?")).isEmpty();
    }

    @Test
    void enter_full_isRefusedUntilACopyHasExpired() {
        assertThat(queryUrlVariants.enter(KEY, "/a")).isTrue();
        assertThat(queryUrlVariants.enter(KEY, "/b")).isTrue();

        assertThat(queryUrlVariants.enter("/db/Todo/query?", "/c")).isFalse();
        assertThat(queryUrlVariants.enter(KEY, "/c")).isFalse();
        clock.advance(Duration.ofMinutes(30));
        assertThat(queryUrlVariants.enter(KEY, "/b")).isTrue();
        clock.advance(Duration.ofMinutes(31));

        assertThat(queryUrlVariants.enter(KEY, "/c")).isTrue();
        assertThat(queryUrlVariants.of(KEY)).containsExactlyInAnyOrder("/b", "/c");
    }

    @Test
    void enter_tooLong_isRefused() {
        assertThat(queryUrlVariants.enter(KEY, "/" + "x".repeat(QueryUrlVariants.MAX_URI_LENGTH)))
                .isFalse();
    }

    /**
     * An absolute form such as {@code GET http://host/v1/...} is equivalent, but is no path that a
     * purge can name.
     */
    @Test
    void enter_notAPath_isRefused() {
        assertThat(queryUrlVariants.enter(KEY, "http://a/b")).isFalse();
        assertThat(queryUrlVariants.of(KEY)).isEmpty();
    }

    @Test
    void enter_manyOfOneKey_areRefusedUntilACopyHasExpired() {
        QueryUrlVariants roomy = new QueryUrlVariants(1_000, Duration.ofHours(1), clock);
        for (int i = 0; i < QueryUrlVariants.MOST_OF_A_KEY; i++) {
            assertThat(roomy.enter(KEY, "/" + i)).isTrue();
        }

        assertThat(roomy.enter(KEY, "/more")).isFalse();
        assertThat(roomy.enter(KEY, "/0")).isTrue();
        assertThat(roomy.enter("/db/Todo/query?", "/more")).isTrue();
        clock.advance(Duration.ofMinutes(61));

        assertThat(roomy.enter(KEY, "/more")).isTrue();
        assertThat(roomy.of(KEY)).containsExactly("/more");
    }

    @Test
    void enter_longOnes_takeMorePlaces() {
        QueryUrlVariants few = new QueryUrlVariants(10, Duration.ofHours(1), clock);
        String uri = "/" + "x".repeat(QueryUrlVariants.MAX_URI_LENGTH / 2);

        assertThat(few.enter(KEY, uri)).isTrue();
        assertThat(few.enter(KEY, uri + "y")).isFalse();
        clock.advance(Duration.ofMinutes(61));

        assertThat(few.enter(KEY, uri + "y")).isTrue();
    }
}

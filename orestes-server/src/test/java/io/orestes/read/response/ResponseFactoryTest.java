package io.orestes.read.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.ttl.Ttls;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResponseFactoryTest {

    private static final Consistency ANY = Consistency.parse("any").orElseThrow();

    private final ResponseFactory responseFactory = new ResponseFactory(new ManualClock());

    /**
     * The lifetime in the sketch, the longest of all, includes the time for which expired copies
     * are served.
     */
    @ParameterizedTest
    @CsvSource({"600, 3600, 60, 540, 3540", "3600, 600, 60, 3540, 540", "60, 60, 6, 54, 54"})
    void shared_ofAnyConsistency_spendsATenthOfItsLifeExpired(
            int browser, int shared, int grace, int maxAge, int sharedMaxAge) {
        CachedResponse response = response(new Ttls(browser, shared), ANY);

        assertThat(response.headers().cacheControl())
                .isEqualTo("public, max-age=%d, s-maxage=%d, stale-while-revalidate=%d, stale-if-error=%d"
                        .formatted(maxAge, sharedMaxAge, grace, grace));
        assertThat(Math.max(maxAge, sharedMaxAge) + grace).isEqualTo(Math.max(browser, shared));
        assertThat(response.maxUseSeconds()).isEqualTo(String.valueOf(Math.max(browser, shared)));
    }

    @ParameterizedTest
    @CsvSource({"9, 9", "0, 3600"})
    void shared_ofAnyConsistencyButShort_isNotServedExpired(int browser, int shared) {
        assertThat(response(new Ttls(browser, shared), ANY).headers().cacheControl())
                .isEqualTo("public, max-age=" + browser + ", s-maxage=" + shared);
    }

    private CachedResponse response(Ttls ttls, Consistency consistency) {
        return responseFactory.shared(new RenderedBody("\"1\"", Buffer.buffer("{}")), 1, ttls, consistency, "");
    }
}

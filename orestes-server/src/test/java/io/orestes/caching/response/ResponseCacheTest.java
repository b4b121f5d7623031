package io.orestes.caching.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.ManualClock;
import io.orestes.caching.ttl.Ttls;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ResponseCacheTest {

    private static final String KEY = "/db/Todo/a";
    private static final Ttls MINUTE = new Ttls(10, 60);

    private final ManualClock clock = new ManualClock();
    private final ResponseCache cache = new ResponseCache(1 << 20, clock);

    @Test
    void get_afterPut_isThatResponse() {
        CachedResponse response = response(1);

        cache.put(KEY, cache.issueTicket(KEY), response);

        assertThat(cache.get(KEY)).containsSame(response);
        assertThat(cache.holds(KEY, response)).isTrue();
    }

    @Test
    void get_expired_isAMiss() {
        cache.put(KEY, cache.issueTicket(KEY), response(1));

        clock.advance(Duration.ofMillis(59_999));
        assertThat(cache.get(KEY)).isPresent();

        clock.advance(Duration.ofMillis(1));
        assertThat(cache.get(KEY)).isEmpty();
        assertThat(cache.hitCount()).isOne();
        assertThat(cache.missCount()).isOne();
    }

    @Test
    void invalidate_present_drops() {
        cache.put(KEY, cache.issueTicket(KEY), response(1));

        cache.invalidate(KEY);

        assertThat(cache.get(KEY)).isEmpty();
    }

    @Test
    void put_invalidatedSinceTheTicket_cachesNothing() {
        long ticket = cache.issueTicket(KEY);
        cache.invalidate(KEY);

        cache.put(KEY, ticket, response(1));

        assertThat(cache.isCurrent(KEY, ticket)).isFalse();
        assertThat(cache.get(KEY)).isEmpty();
    }

    @Test
    void put_slowerThanALaterFill_keepsTheLater() {
        long ticket = cache.issueTicket(KEY);
        CachedResponse earlier = response(1);
        clock.advance(Duration.ofSeconds(1));
        CachedResponse later = response(1);
        cache.put(KEY, ticket, later);

        cache.put(KEY, ticket, earlier);

        assertThat(cache.get(KEY)).containsSame(later);
    }

    @Test
    void clear_fillUnderWay_comesToNothing() {
        long ticket = cache.issueTicket(KEY);
        cache.put("/db/Todo/b", cache.issueTicket("/db/Todo/b"), response(1));

        cache.clear();
        cache.put(KEY, ticket, response(1));

        assertThat(cache.get(KEY)).isEmpty();
        assertThat(cache.get("/db/Todo/b")).isEmpty();
        assertThat(cache.entryCount()).isZero();
    }

    @Test
    void put_moreThanTheMaximum_staysWithinIt() {
        for (int i = 0; i < 100; i++) {
            String key = "/db/Todo/" + i;
            cache.put(
                    key,
                    cache.issueTicket(key),
                    TestResponses.of(Buffer.buffer(new byte[50_000]), 1, MINUTE, clock.millis()));
        }

        assertThat(cache.usedBytes()).isBetween(500_000L, 1L << 20);
        assertThat(cache.entryCount()).isBetween(10L, 21L);
    }

    @Test
    void put_largerThanTheWholeCache_isNotCached() {
        cache.put(
                KEY,
                cache.issueTicket(KEY),
                TestResponses.of(Buffer.buffer(new byte[2 << 20]), 1, MINUTE, clock.millis()));

        assertThat(cache.usedBytes()).isZero();
    }

    private CachedResponse response(long version) {
        return TestResponses.of(version, MINUTE, clock.millis());
    }
}

package io.orestes.caching.response;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QueryKeyCacheTest {

    private final QueryKeyCache aliases = new QueryKeyCache(1 << 20);

    @Test
    void find_remembered_isTheCanonicalKey() {
        aliases.remember("/v1/db/Todo/query?start=0", "/db/Todo/query?");

        assertThat(aliases.find("/v1/db/Todo/query?start=0")).contains("/db/Todo/query?");
        assertThat(aliases.find("/v1/db/Todo/query")).isEmpty();
    }

    @Test
    void remember_hugeUri_isLeftOut() {
        String uri = "/v1/db/Todo/query?q=" + "x".repeat(QueryKeyCache.MAX_URI_LENGTH);

        aliases.remember(uri, "/db/Todo/query?");

        assertThat(aliases.find(uri)).isEmpty();
    }
}

package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SurrogateKeysTest {

    private static final String OBJECT = "/v1/db/Todo/a";
    private static final String QUERY = "/v1/db/Todo/query?q=%7B%22n%22%3A1%7D";

    private static List<String> keys(String path) {
        return List.of(SurrogateKeys.of(path).split(" "));
    }

    @Test
    void of_anyResponse_hasTheKeysOfAllItsPurges() {
        for (String path : List.of(OBJECT, QUERY, "/v1/file/www/a/b.png")) {
            String bucket = path.replaceFirst("^(/v1/[^/]+/[^/]+/).*", "$1");

            assertThat(keys(path))
                    .containsExactly(
                            SurrogateKeys.of(PurgeRequest.EVERYTHING),
                            SurrogateKeys.of(new PurgeRequest(bucket, true)),
                            SurrogateKeys.of(new PurgeRequest(path, false)));
        }
    }

    @Test
    void of_others_hasAnotherKeyOfItsOwn() {
        assertThat(keys(OBJECT).get(2))
                .isNotEqualTo(keys(QUERY).get(2))
                .isNotEqualTo(keys(OBJECT + "a").get(2))
                .matches("[0-9a-f]{1,16}");
        assertThat(keys(OBJECT).get(1)).isNotEqualTo(keys("/v1/db/Todos/a").get(1));
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $text} over HTTP: queries, counts and live queries find equal objects. */
@ExtendWith(SharedBackend.class)
final class TextSearchTest {

    private static final String NO_CAKE = "{\"$text\":{\"$search\":\"coffee -cake\"}}";

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    TextSearchTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createDishes() {
        bucket = backend.newClass("title", "String", "text", "String", "language", "String");
        dish("a", "{\"title\":\"Two coffees\"}");
        dish("b", "{\"title\":\"Coffee\",\"text\":\"with cakes\"}");
        dish("c", "{\"title\":\"Tea\",\"text\":\"no café far and wide\"}");
        dish("d", "{\"title\":\"Der Kaffee der Häuser\",\"language\":\"german\"}");
    }

    private void dish(String key, String fields) {
        assertThat(client.update(id(key), fields).status()).isLessThan(300);
    }

    private String id(String key) {
        return "/db/" + bucket + "/" + key;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'coffee -cake'            | ''                          | a",
                "'coffee'                  | ''                          | a b",
                "'Coffee'                  | ',\"$caseSensitive\":true'  | b",
                "'cafe'                    | ''                          | c",
                "'\\\"far and\\\"'         | ''                          | c",
                "'haus'                    | ',\"$language\":\"de\"'     | d",
                "'db allow german'         | ''                          | ''"
            })
    void query_words_findsTheObjectsWithThem(String search, String options, String expected) {
        String filter = "{\"$text\":{\"$search\":\"" + search + "\"" + options + "}}";

        Answer answer = client.get("/db/" + bucket + "/query?q=" + Client.encode(filter));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.ids())
                .containsExactlyElementsOf(Arrays.stream(expected.split(" ", -1))
                        .filter(key -> !key.isEmpty())
                        .map(this::id)
                        .toList());
    }

    @Test
    void query_otherLanguage_is468() {
        String filter = "{\"$text\":{\"$search\":\"a\",\"$language\":\"klingon\"}}";

        assertThat(client.get("/db/" + bucket + "/query?q=" + Client.encode(filter))
                        .status())
                .isEqualTo(468);
    }

    @Test
    void stream_words_sendsWhenObjectsEnterAndLeave() throws Exception {
        try (LiveStream live = LiveStream.open(client, bucket, "q=" + Client.encode(NO_CAKE))) {
            assertThat(live.next().array()).hasSize(1);

            dish("e", "{\"text\":\"COFFEE!\"}");
            dish("a", "{\"title\":\"Two coffees and a cake\"}");
            dish("c", "{\"title\":\"Tea or coffee\"}");

            assertThat(live.next().summary()).isEqualTo("add insert " + id("e"));
            assertThat(live.next().summary()).isEqualTo("remove update " + id("a"));
            assertThat(live.next().summary()).isEqualTo("add update " + id("c"));
        }
    }
}

package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes over HTTP (protocol §11); what unique ones refuse is in {@link UniqueIndexTest}. */
@ExtendWith(SharedBackend.class)
final class IndexesTest {

    private static final String NEAR_ZERO =
            "{\"place\":{\"$nearSphere\":{\"$geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}}}";

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    IndexesTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("name", "String", "age", "Integer", "place", "GeoPoint");
    }

    private void create(String keys) {
        Answer created = root.post("/index/" + bucket, "{\"keys\":" + keys + "}");
        assertThat(created.status()).as(created.text()).isEqualTo(202);
    }

    private List<BsonValue> list() {
        return anonymous.get("/index/" + bucket).array();
    }

    private static BsonDocument index(String keys) {
        return BsonDocument.parse("{keys: " + keys + ", unique: false}");
    }

    @Test
    void list_newClass_hasThePrimaryIndexAlone() {
        assertThat(list()).containsExactly(BsonDocument.parse("{keys: [{id: 'asc'}], unique: true}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"name\":\"asc\"}]                       | [{name: 'asc'}, {id: 'asc'}]",
                "[{\"name\":\"asc\"},{\"age\":\"desc\"}]    | [{name: 'asc'}, {age: 'desc'}, {id: 'desc'}]",
                "[{\"not\":\"desc\"},{\"id\":\"asc\"}]      | [{not: 'desc'}, {id: 'asc'}]",
                "[{\"place\":\"geo\"}]                      | [{place: 'geo'}, {id: 'asc'}]",
                "[{\"place\":\"asc\"}]                      | [{place: 'geo'}, {id: 'asc'}]",
                "[{\"any.where\":\"geo\"}]                  | [{'any.where': 'geo'}, {id: 'asc'}]",
            })
    void create_plainIndex_isListedWithTheIdBehindIt_andDroppedAsListed(String keys, String listed) {
        create(keys);
        create(keys);

        assertThat(list()).hasSize(2).contains(index(listed));
        BsonDocument drop = index(listed).append("drop", BsonBoolean.TRUE);
        assertThat(root.post("/index/" + bucket, drop.toJson()).status()).isEqualTo(202);
        assertThat(list()).hasSize(1);
    }

    @Test
    void create_idAlone_isThePrimaryIndex() {
        create("[{\"id\":\"desc\"}]");

        assertThat(list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"keys\":[]}",
                "{\"keys\":\"name\"}",
                "{\"keys\":[\"name\"]}",
                "{\"keys\":[{}]}",
                "{\"keys\":[{\"name\":\"asc\",\"age\":\"asc\"}]}",
                "{\"keys\":[{\"name\":\"text\"}]}",
                "{\"keys\":[{\"name\":\"hashed\"}]}",
                "{\"keys\":[{\"name\":1}]}",
                "{\"keys\":[{\"\":\"asc\"}]}",
                "{\"keys\":[{\"_readAllowed\":\"asc\"}]}",
                "{\"keys\":[{\"$**\":\"asc\"}]}",
                "{\"keys\":[{\"name\":\"asc\"}],\"unique\":1}",
            })
    void create_malformed_is400(String body) {
        assertThat(root.post("/index/" + bucket, body).status()).isEqualTo(400);
        assertThat(list()).hasSize(1);
    }

    @Test
    void anyRequest_unknownClass_is461() {
        String keys = "{\"keys\":[{\"name\":\"asc\"}]}";

        assertThat(anonymous.get("/index/NoSuchClass").status()).isEqualTo(461);
        assertThat(root.post("/index/NoSuchClass", keys).status()).isEqualTo(461);
        assertThat(root.delete("/index/NoSuchClass").status()).isEqualTo(461);
        assertThat(root.put("/index/NoSuchClass/text", "").status()).isEqualTo(461);
    }

    @Test
    void change_byOthersThanAdmins_is466() {
        assertThat(anonymous
                        .post("/index/" + bucket, "{\"keys\":[{\"name\":\"asc\"}]}")
                        .status())
                .isEqualTo(466);
        assertThat(anonymous.delete("/index/" + bucket).status()).isEqualTo(466);
        assertThat(anonymous.put("/index/" + bucket + "/text", "").status()).isEqualTo(466);
        assertThat(anonymous.delete("/index/" + bucket + "/text").status()).isEqualTo(466);
    }

    @Test
    void dropAll_leavesThePrimaryIndex() {
        create("[{\"name\":\"asc\"}]");
        create("[{\"place\":\"geo\"}]");
        assertThat(root.put("/index/" + bucket + "/text", "").status()).isEqualTo(202);

        assertThat(root.delete("/index/" + bucket).status()).isEqualTo(202);

        assertThat(list()).hasSize(1);
    }

    @Test
    void text_madeAndDropped_searchesFindTheSame() {
        String id = anonymous.insert(bucket, "{\"name\":\"Two houses\"}");
        anonymous.insert(bucket, "{\"name\":\"a boat\"}");
        String search = "{\"$text\":{\"$search\":\"house\"}}";
        List<String> before = anonymous.query(bucket, search).ids();

        assertThat(root.put("/index/" + bucket + "/text", "").status()).isEqualTo(202);

        assertThat(list()).contains(index("[{'$**': 'text'}]"));
        assertThat(before).containsExactly(id);
        assertThat(root.query(bucket, search).ids()).containsExactly(id);
        assertThat(root.delete("/index/" + bucket + "/text").status()).isEqualTo(202);
        assertThat(list()).hasSize(1);
        assertThat(root.query(bucket, search).ids()).containsExactly(id);
    }

    @Test
    void near_withoutGeoIndex_is468AndWithOneSorted() {
        String far = anonymous.insert(bucket, "{\"place\":{\"latitude\":60,\"longitude\":100}}");
        String close = anonymous.insert(bucket, "{\"place\":{\"latitude\":1,\"longitude\":1}}");
        anonymous.insert(bucket, "{}");

        assertThat(anonymous.query(bucket, NEAR_ZERO).status()).isEqualTo(468);
        create("[{\"place\":\"geo\"}]");
        assertThat(anonymous.query(bucket, NEAR_ZERO).ids()).containsExactly(close, far);
        assertThat(root.delete("/index/" + bucket).status()).isEqualTo(202);
        assertThat(root.query(bucket, NEAR_ZERO).status()).isEqualTo(468);
    }

    @Test
    void unique_compound_objectsThatLackAValueDoNotCollide() {
        String unique = "{\"keys\":[{\"name\":\"asc\"},{\"age\":\"asc\"}],\"unique\":true}";
        assertThat(root.post("/index/" + bucket, unique).status()).isEqualTo(202);
        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":1}");

        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":2}");
        anonymous.insert(bucket, "{\"name\":\"Ann\"}");
        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":null}");

        assertThat(anonymous
                        .post("/db/" + bucket, "{\"name\":\"Ann\",\"age\":1}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void unique_insertsThatRace_oneWins() {
        assertThat(root.post("/index/" + bucket, "{\"keys\":[{\"name\":\"asc\"}],\"unique\":true}")
                        .status())
                .isEqualTo(202);

        List<Integer> statuses = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i ->
                        anonymous.post("/db/" + bucket, "{\"name\":\"same\"}").status())
                .toList();

        assertThat(statuses).containsOnlyOnce(201).containsOnly(201, 409);
    }
}

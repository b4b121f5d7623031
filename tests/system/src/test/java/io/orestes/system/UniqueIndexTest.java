package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Unique indexes over HTTP (protocol §11, §2). */
@ExtendWith(SharedBackend.class)
final class UniqueIndexTest {

    private static final String UNIQUE = "{\"keys\":[{\"text\":\"asc\"}],\"unique\":true}";

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    UniqueIndexTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    @Test
    void insert_valueOfAnotherObject_is409InTheFormClientsKnow() {
        assertThat(root.post("/index/" + bucket, UNIQUE).status()).isEqualTo(202);
        String first = anonymous.insert(bucket, "{\"text\":\"a\"}");
        String second = anonymous.insert(bucket, "{\"text\":\"b\"}");

        Answer refused = anonymous.put(second, "{\"text\":\"a\"}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.object().getString("reason").getValue()).isEqualTo("Unique Index Exception");
        assertThat(refused.object().getString("message").getValue())
                .startsWith("Unique index violation")
                .endsWith(second);
        assertThat(anonymous.get(second).object().getString("text").getValue()).isEqualTo("b");
        assertThat(anonymous.get(first).status()).isEqualTo(200);
    }

    @Test
    void list_uniqueIndex_saysSo_andDropRemovesIt() {
        assertThat(root.post("/index/" + bucket, UNIQUE).status()).isEqualTo(202);

        assertThat(anonymous.get("/index/" + bucket).array())
                .contains(BsonDocument.parse("{keys: [{text: 'asc'}], unique: true}"));
        assertThat(root.post("/index/" + bucket, "{\"keys\":[{\"text\":\"asc\"}],\"drop\":true}")
                        .status())
                .isEqualTo(202);
        assertThat(anonymous.get("/index/" + bucket).array()).hasSize(1);
    }

    @Test
    void create_overDuplicates_is409AndLeavesNoIndex() {
        anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.insert(bucket, "{\"text\":\"a\"}");

        Answer refused = root.post("/index/" + bucket, UNIQUE);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.object().getString("reason").getValue()).isEqualTo("Unique Index Exception");
        assertThat(anonymous.get("/index/" + bucket).array()).hasSize(1);
    }

    @Test
    void import_secondUserOfOneName_isRefused() {
        Answer imported = root.put(
                "/db/User",
                "[{\"id\":\"/db/User/twin1\",\"username\":\"twin\"},{\"id\":\"/db/User/twin2\",\"username\":\"twin\"}]");

        assertThat(imported.status()).isEqualTo(200);
        assertThat(imported.array()).hasSize(1);
    }

    @Test
    void drop_indexOfUserNames_staysWhateverIsAsked() {
        assertThat(root.delete("/index/User").status()).isEqualTo(202);

        assertThat(anonymous.get("/index/User").array())
                .contains(BsonDocument.parse("{keys: [{username: 'asc'}], unique: true}"));
    }

    @Test
    void drop_indexOfMembersOfRoles_staysWhateverIsAsked() {
        assertThat(root.delete("/index/Role").status()).isEqualTo(202);

        assertThat(anonymous.get("/index/Role").array())
                .contains(
                        BsonDocument.parse("{keys: [{users: 'asc'}, {createdAt: 'asc'}, {id: 'asc'}], unique: false}"));
    }
}

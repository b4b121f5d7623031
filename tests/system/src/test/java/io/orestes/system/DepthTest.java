package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Objects in the place of references: {@code ?depth=}. */
@ExtendWith(SharedBackend.class)
final class DepthTest {

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    DepthTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    /** a leads to b, b to c, c back to a. */
    @BeforeEach
    void createRing() {
        bucket = backend.newClass("text", "String");
        String fields = "{\"class\":\"/db/%1$s\",\"fields\":{\"next\":{\"name\":\"next\",\"type\":\"/db/%1$s\"},"
                + "\"many\":{\"name\":\"many\",\"type\":\"/db/collection.List[/db/%1$s]\"}}}";
        assertThat(root.post("/schema", fields.formatted(bucket)).status()).isEqualTo(200);
        client.insert(bucket, object("a", "\"next\":\"" + id("b") + "\""));
        client.insert(bucket, object("b", "\"next\":\"" + id("c") + "\""));
        client.insert(bucket, object("c", "\"next\":\"" + id("a") + "\""));
    }

    @Test
    void load_toSomeDepth_hasObjectsInThePlaceOfReferences() {
        Answer one = client.get(id("a") + "?depth=1");
        Answer two = client.get(id("a") + "?depth=2");

        assertThat(one.header("cache-control")).hasValue("no-store");
        assertThat(text(next(one.object()))).isEqualTo("b");
        assertThat(next(one.object()).get("next")).isEqualTo(new BsonString(id("c")));
        assertThat(text(next(next(two.object())))).isEqualTo("c");
        assertThat(client.get(id("a") + "?depth=0").text())
                .isEqualTo(client.get(id("a")).text());
    }

    @Test
    void load_aRing_endsWhereItBegan() {
        BsonDocument deep = client.get(id("a") + "?depth=true").object();

        assertThat(next(next(deep)).get("next")).isEqualTo(new BsonString(id("a")));
    }

    @Test
    void load_whatMayNotBeReadOrDoesNotExist_staysAReference() {
        String hide = "{\"$put\":{\"acl.read\":{\"/db/Role/1\":\"allow\"}}}";
        assertThat(client.post(id("b"), hide).status()).isEqualTo(200);
        client.insert(
                bucket, object("list", "\"many\":[\"%s\",null,\"%s\",\"%s\"]".formatted(id("b"), id("none"), id("c"))));

        List<BsonValue> many = client.get(id("list") + "?depth=1").object().getArray("many");
        assertThat(many.subList(0, 3)).extracting(BsonValue::isDocument).containsExactly(false, false, false);
        assertThat(text(many.get(3).asDocument())).isEqualTo("c");
        assertThat(root.get(id("list") + "?depth=1")
                        .object()
                        .getArray("many")
                        .get(0)
                        .isDocument())
                .isTrue();
        assertThat(client.get(id("b") + "?depth=1").status()).isEqualTo(404);
    }

    @Test
    void load_classThatMayNotBeLoaded_staysAReference() {
        String other = backend.newClass("text", "String");
        client.insert(other, "{\"id\":\"/db/%s/x\"}".formatted(other));
        String field = "{\"class\":\"/db/%s\",\"fields\":{\"other\":{\"name\":\"other\",\"type\":\"/db/%s\"}}}";
        assertThat(root.post("/schema", field.formatted(bucket, other)).status())
                .isEqualTo(200);
        String refer = "{\"$set\":{\"other\":\"/db/%s/x\"}}".formatted(other);
        assertThat(client.post(id("a"), refer).status()).isEqualTo(200);
        assertThat(client.get(id("a") + "?depth=1")
                        .object()
                        .get("other", BsonNull.VALUE)
                        .isDocument())
                .isTrue();

        assertThat(root.post(
                                "/schema",
                                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}"
                                        .formatted(other))
                        .status())
                .isEqualTo(200);

        assertThat(client.get(id("a") + "?depth=1")
                        .object()
                        .get("other", BsonNull.VALUE)
                        .isString())
                .isTrue();
    }

    @Test
    void query_toSomeDepth_expandsEachObject() {
        Answer found = client.get("/db/" + bucket + "/query?depth=1&sort=%7B%22text%22%3A1%7D&q=%7B%7D");

        assertThat(found.ids()).containsExactly(id("a"), id("b"), id("c"));
        assertThat(text(next(found.array().get(2).asDocument()))).isEqualTo("a");
        assertThat(found.header("cache-control")).hasValue("no-store");
    }

    @Test
    void depth_ofNoNumber_isRefused() {
        assertThat(client.get(id("a") + "?depth=-1").status()).isEqualTo(400);
        assertThat(client.get(id("a") + "?depth=all").status()).isEqualTo(400);
        assertThat(client.get(id("a") + "?depth=999999999").status()).isEqualTo(200);
        assertThat(client.get("/db/" + bucket + "/query?depth=1&ids=true").status())
                .isEqualTo(400);
    }

    private String id(String key) {
        return "/db/" + bucket + "/" + key;
    }

    private String object(String key, String reference) {
        return "{\"id\":\"%s\",\"text\":\"%s\",%s}".formatted(id(key), key, reference);
    }

    private static BsonDocument next(BsonDocument object) {
        return object.getDocument("next");
    }

    private static String text(BsonDocument object) {
        return object.getString("text").getValue();
    }
}

package io.orestes.schema.migration;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.json.JsonReader;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.SchemaTransition;
import io.orestes.schema.model.Schema;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effect of renamed and removed fields on stored objects. */
class DataMigrationTest extends EmptyStoreFixture {

    private static final String CLASSES =
            """
            [{'class': '/db/Place', 'embedded': true, 'fields': {
                'town': {'type': '/db/String'}, 'near': {'type': '/db/collection.List[/db/Place]'}}},
             {'class': '/db/Person', 'fields': {
                'name': {'type': '/db/String'}, 'age': {'type': '/db/Integer'}, 'home': {'type': '/db/Place'},
                'stays': {'type': '/db/collection.Map[/db/String,/db/Place]'}}},
             {'class': '/db/Student', 'superClass': '/db/Person', 'fields': {'school': {'type': '/db/String'}}}]
            """;

    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = await(SchemaRegistry.open(store));
        change(CLASSES);
    }

    @Test
    void rename_fieldOfAClass_movesTheValuesOfItsObjectsAndThoseOfSubclasses() {
        put("Person/a", "{'name': 'Ann', 'age': 3}");
        put("Student/b", "{'name': 'Ben', 'school': 'x'}");

        change(rename("Person", "name", "title"));

        assertThat(get("Person/a")).contains("\"title\": \"Ann\"", "\"age\": 3").doesNotContain("\"name\"");
        assertThat(get("Student/b"))
                .contains("\"title\": \"Ben\"", "\"school\": \"x\"")
                .doesNotContain("\"name\"");
    }

    @Test
    void rename_fieldOfAnEmbeddedClass_movesItWhereverItIsEmbedded() {
        put(
                "Student/a",
                "{'home': {'town': 'A', 'near': [{'town': 'B', 'near': [{'town': 'C'}]}]},"
                        + " 'stays': {'town': {'town': 'D'}}}");

        change(rename("Place", "town", "city"));

        assertThat(get("Student/a"))
                .contains("\"city\": \"A\"", "\"city\": \"B\"", "\"city\": \"C\"")
                .contains("\"stays\": {\"town\": {\"city\": \"D\"")
                .doesNotContain("\"town\": \"");
    }

    /** Other programs may store any value in a field. */
    @Test
    void rename_fieldOfAnEmbeddedClass_movesItInAMapThatIsStoredAsAnArray() {
        insert("Student/a", json("{'stays': [{'town': 'A'}]}").asDocument());

        change(rename("Place", "town", "city"));

        assertThat(get("Student/a")).contains("\"city\": \"A\"").doesNotContain("\"town\"");
    }

    @Test
    void rename_indexedField_takesItsIndexesAlong() {
        await(store.createIndex("Person", IndexSpec.ascending("home.near.0.town")));
        await(store.createIndex("Person", IndexSpec.ascending("stays.town.town")));
        await(store.createIndex("Person", IndexSpec.ascending("name").asUnique()));

        change("[" + rename("Place", "town", "city") + "," + rename("Person", "name", "title") + "]");

        assertThat(await(store.indexes("Person")))
                .containsExactlyInAnyOrder(
                        IndexSpec.ascending("home.near.0.city"),
                        IndexSpec.ascending("stays.town.city"),
                        IndexSpec.ascending("title").asUnique());
    }

    @Test
    void rename_toAPathThatIsIndexed_isRefusedAndChangesNothing() {
        await(store.createIndex("Student", IndexSpec.ascending("home.city")));
        Schema before = registry.current();

        Future<Schema> refused = registry.merge(json(rename("Place", "town", "city")), Principal.SERVER);

        assertThat(failureOf(refused).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(registry.current()).isSameAs(before);
        assertThat(await(SchemaRegistry.open(store)).current().descriptors()).isEqualTo(before.descriptors());
    }

    @Test
    void rename_andTheOldNameAgain_isAFieldOfItsOwn() {
        put("Person/a", "{'name': 'Ann'}");

        change("[" + rename("Person", "name", "title")
                + ", {'operation': 'addField', 'bucket': '/db/Person',"
                + " 'field': {'name': 'name', 'type': '/db/Integer'}}]");
        put("Person/b", "{'name': 7, 'title': 'Ben'}");

        assertThat(get("Person/a")).contains("\"title\": \"Ann\"").doesNotContain("\"name\"");
        assertThat(get("Person/b")).contains("\"title\": \"Ben\"", "\"name\": 7");
    }

    @Test
    void remove_andAddAgain_oldValuesStayAway() {
        put("Person/a", "{'name': 'Ann', 'age': 3}");
        put("Student/b", "{'name': 'Ben'}");

        change("{'operation': 'removeField', 'bucket': '/db/Person', 'name': 'name'}");
        change("{'operation': 'addField', 'bucket': '/db/Person', 'field': {'name': 'name', 'type': '/db/String'}}");

        assertThat(get("Person/a")).contains("\"age\": 3").doesNotContain("Ann");
        assertThat(get("Student/b")).doesNotContain("Ben");
    }

    @Test
    void remove_andAddInTheSameRequest_isRefused() {
        Future<Schema> refused = registry.merge(
                json("[{'operation': 'removeField', 'bucket': '/db/Person', 'name': 'name'}, {'operation': 'addField',"
                        + " 'bucket': '/db/Person', 'field': {'name': 'name', 'type': '/db/String'}}]"),
                Principal.SERVER);

        assertThat(failureOf(refused).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @Test
    void replaceClass_withoutAField_removesItsValues() {
        put("Person/a", "{'name': 'Ann', 'age': 3}");

        await(registry.replaceClass(
                "Person",
                json("{'class': '/db/Person', 'fields': {'age': {'type': '/db/Integer'}}}")
                        .asDocument(),
                Principal.SERVER));

        assertThat(get("Person/a")).contains("\"age\": 3").doesNotContain("Ann", "\"home\"");
    }

    @Test
    void onChange_renameAndAddition_reportTheRewrittenClasses() {
        List<SchemaTransition> changes = new ArrayList<>();
        registry.onChange(changes::add);

        change(rename("Place", "town", "city"));
        change("{'class': '/db/Person', 'fields': {'more': {'type': '/db/String'}}}");

        assertThat(changes)
                .extracting(SchemaTransition::rewritten)
                .satisfiesExactly(
                        first -> assertThat(first).containsExactlyInAnyOrder("Person", "Student"),
                        second -> assertThat(second).isEmpty());
    }

    @Test
    void changes_oneAfterTheOther_areAllStored() {
        change(rename("Person", "name", "a"));
        change(rename("Person", "a", "b"));
        change("{'operation': 'removeClass', 'bucket': '/db/Student'}");
        change(rename("Person", "b", "c"));

        assertThat(await(SchemaRegistry.open(store)).current().descriptors())
                .isEqualTo(registry.current().descriptors());
    }

    private static String rename(String bucket, String from, String to) {
        return "{'operation': 'renameField', 'bucket': '/db/%s', 'from': '%s', 'to': '%s'}".formatted(bucket, from, to);
    }

    private void change(String request) {
        Schema unused = await(registry.merge(json(request), Principal.SERVER));
    }

    private void put(String path, String body) {
        ObjectRef ref = ref(path);
        insert(
                path,
                registry.codec()
                        .decode(registry.current().get(ref.bucket()), json(body).asDocument()));
    }

    private void insert(String path, BsonDocument fields) {
        assertThat(await(store.replace(ref(path), fields, Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(1);
    }

    private String get(String path) {
        return await(store.find(ref(path))).orElseThrow().document().toJson();
    }

    private static ObjectRef ref(String path) {
        return ObjectRef.parse("/db/" + path).orElseThrow();
    }

    private static BsonValue json(String text) {
        return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}

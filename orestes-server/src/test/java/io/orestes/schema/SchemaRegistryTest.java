package io.orestes.schema;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.schema.change.SchemaTransition;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchemaRegistryTest extends EmptyStoreFixture {

    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = await(SchemaRegistry.open(store));
    }

    @Test
    void open_emptyStore_hasTheBuiltInClasses() {
        assertThat(registry.current().classes())
                .extracting(ClassSchema::name)
                .containsExactly("Object", "User", "Role", "Device", "logs.AppLog");
    }

    @Test
    void open_storedSchema_isTheSameAgain() {
        Schema merged = merge("[{'class': '/db/A', 'metadata': {'z.$': '1', 'a': '2'}, 'fields': {"
                + "'e': {'type': '/db/collection.List[/db/E]', 'order': 1000000}, 'f': {'type': '/db/A'}}},"
                + "{'class': '/db/E', 'embedded': true},"
                + "{'class': '/db/User', 'fields': {'nick': {'type': '/db/String'}}}]");

        SchemaRegistry again = await(SchemaRegistry.open(store));

        assertThat(again.current().descriptors()).isEqualTo(merged.descriptors());
    }

    @Test
    void merge_oneRefusedClass_changesNothing() {
        Schema before = registry.current();

        Future<Schema> merge = registry.merge(
                json("[{'class': '/db/A'}, {'class': '/db/B', 'superClass': '/db/Nope'}]"), Principal.SERVER);

        assertThat(failureOf(merge).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(registry.current()).isSameAs(before);
        assertThat(await(SchemaRegistry.open(store)).current().find("A")).isEmpty();
    }

    @Test
    void merge_manyAtOnce_allSucceed() {
        List<Future<Schema>> merges = IntStream.range(0, 50)
                .mapToObj(i -> registry.merge(object("{'class': '/db/C" + i + "'}"), Principal.SERVER))
                .toList();

        await(Future.all(merges));

        assertThat(registry.current().classes()).hasSize(55);
        assertThat(await(SchemaRegistry.open(store)).current().classes()).hasSize(55);
    }

    @Test
    void merge_afterAFailedOne_succeeds() {
        assertThat(failureOf(registry.merge(json("7"), Principal.SERVER)).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);

        assertThat(merge("{'class': '/db/A'}").find("A")).isPresent();
    }

    @Test
    void onChange_change_isReportedOnceAndNoChangeNever() {
        List<SchemaTransition> changes = new ArrayList<>();
        registry.onChange(changes::add);

        Schema after = merge("{'class': '/db/A'}");
        Schema same = merge("{'class': '/db/A'}");

        assertThat(same).isSameAs(after);
        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(change.after()).isSameAs(after);
            assertThat(change.removed()).isEmpty();
        });
    }

    @Test
    void delete_class_goesWithItsObjects() {
        Schema before = merge("{'class': '/db/A'}");
        ObjectRef object = new ObjectRef("A", "1");
        assertThat(await(store.insert(object, new BsonDocument()))).isNotNull();

        assertThat(await(registry.delete("A", Principal.SERVER)).find("A")).isEmpty();

        assertThat(before.find("A")).isPresent();
        assertThat(await(store.find(object))).isEmpty();
    }

    @Test
    void delete_indexedClass_goesWithItsIndexes() {
        Schema unused = merge("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");
        await(store.createIndex("A", IndexSpec.ascending("n")));
        await(store.createIndex("A", IndexSpec.ascending("n").asUnique()));

        Schema after = await(registry.delete("A", Principal.SERVER));

        assertThat(after.find("A")).isEmpty();
        assertThat(await(store.indexes("A"))).isEmpty();
    }

    @Test
    void replaceClass_fieldOfAnotherType_isRefusedHoweverItIsAsked() {
        Schema before = merge("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");
        String other = "'class': '/db/A', 'fields': {'n': {'type': '/db/String'}}}";

        assertThat(List.of(
                        registry.replaceClass("A", object("{" + other), Principal.SERVER),
                        registry.replaceAll(json("[{" + other + "]"), Principal.SERVER),
                        registry.merge(json("{'operation': 'replaceClass', " + other), Principal.SERVER),
                        registry.merge(
                                json("[{'operation': 'removeClass', 'bucket': '/db/A'}, {" + other + "]"),
                                Principal.SERVER)))
                .allSatisfy(change -> assertThat(failureOf(change).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE));
        assertThat(registry.current()).isSameAs(before);
    }

    @Test
    void delete_withoutAdminRole_isRefused() {
        assertThat(failureOf(registry.delete("User", TestSchemas.ANN)).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failureOf(registry.replaceAll(json("[]"), TestSchemas.ANN)).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failureOf(registry.replaceClass("User", object("{'class': '/db/User'}"), TestSchemas.ANN))
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void mergeClass_descriptorOfAnotherClass_isBadRequest() {
        assertThat(failureOf(registry.mergeClass("A", object("{'class': '/db/B'}"), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void replaceClass_unknownClass_createsIt() {
        assertThat(await(registry.replaceClass("A", object("{'class': '/db/A'}"), Principal.SERVER))
                        .find("A"))
                .isPresent();
    }

    @Test
    void codec_afterAChange_knowsTheNewField() {
        Schema after = merge("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");

        assertThat(registry.codec().decode(after.get("A"), object("{'n': 1}"))).containsKey("n");
    }

    private Schema merge(String request) {
        return await(registry.merge(json(request), Principal.SERVER));
    }
}

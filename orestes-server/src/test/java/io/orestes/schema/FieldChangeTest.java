package io.orestes.schema;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.schema.change.SchemaCoordination;
import io.orestes.schema.migration.DataMigration;
import io.orestes.schema.migration.StoredObjectCompatibilityCheck;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.ForwardingStore;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields that get another type or other constraints while there are objects. */
class FieldChangeTest extends EmptyStoreFixture {

    private static final ObjectRef REF = new ObjectRef("A", "1");

    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = await(SchemaRegistry.open(store));
    }

    /** Old type, new type, a value, and the result of its conversion. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Integer|Double|7|7",
                "Date|DateTime|'2021-03-04'|'2021-03-04T00:00:00Z'",
                "A|Object|'/db/A/1'|'/db/A/1'",
                "collection.Set[/db/Integer]|collection.List[/db/Double]|[2,1]|[2,1]",
                "collection.Map[/db/String,/db/Date]|collection.Map[/db/String,/db/DateTime]|{'x':'2021-03-04'}"
                        + "|{'x':'2021-03-04T00:00:00Z'}",
                "Double|Integer|7|7",
                "DateTime|Date|'2021-03-04T00:00:00Z'|'2021-03-04'",
                "Time|String|'01:02:03.5Z'|'01:02:03.5Z'",
                "String|Time|'01:02:03.5Z'|'01:02:03.5Z'",
                "String|Date|'2021-03-04'|'2021-03-04'",
                "collection.List[/db/Integer]|collection.Set[/db/Integer]|[2,1]|[2,1]",
                "collection.Map[/db/String,/db/Integer]|collection.Map[/db/Integer,/db/Integer]|{'1':1}|{'1':1}",
                "JsonObject|collection.Map[/db/String,/db/Time]|{'a':'01:02:03.5Z'}|{'a':'01:02:03.5Z'}",
                "JsonArray|collection.List[/db/String]|['a']|['a']",
            })
    void changeField_valueThatFits_isConverted(String from, String to, String before, String after) {
        define(from);
        put(REF, before);

        change(to, "");

        assertThat(read(REF)).isEqualTo(json(after));
        rewriteAgain(from, to);
        assertThat(read(REF)).isEqualTo(json(after));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Double|Integer|7.5|7",
                "Double|Integer|1e300|null",
                "DateTime|Date|'2021-03-04T00:00:01Z'|'2021-03-04'",
                "String|Integer|'7'|null",
                "Integer|String|7|null",
                "Object|A|'/db/User/1'|null",
                "collection.List[/db/Double]|collection.List[/db/Integer]|[1,2.5]|[1,2]",
                "collection.List[/db/Integer]|collection.Set[/db/Integer]|[1,1]|[1]",
                "collection.Map[/db/String,/db/Integer]|collection.Map[/db/Integer,/db/Integer]|{'x':1,'1':2}|{'1':2}",
            })
    void changeField_valueThatDoesNotFit_isRefusedUnlessLossIsAskedFor(
            String from, String to, String before, String after) {
        define(from);
        put(REF, before);

        ApiException refusal = failureOf(merge(request(to, "")));

        assertThat(refusal.code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(refusal.data()).contains(json("{'ids': ['/db/A/1']}"));
        assertThat(read(REF)).isEqualTo(json(before));
        assertThat(await(store.find(REF)).orElseThrow().version()).isEqualTo(1);
        change(to, ", 'lossy': true");
        assertThat(read(REF)).isEqualTo(json(after));
    }

    @Test
    void changeField_manyMisfits_namesTheFirst() {
        define("Double");
        IntStream.range(0, 30).forEach(i -> put(new ObjectRef("A", "k" + (100 + i)), i % 2 == 0 ? "1" : "1.5"));

        ApiException refusal = failureOf(merge(request("Integer", "")));

        assertThat(refusal.message()).startsWith("15 objects do not fit");
        assertThat(refusal.data().orElseThrow().asDocument().getArray("ids"))
                .hasSize(StoredObjectCompatibilityCheck.MAX_REPORTED_IDS)
                .startsWith(json("'/db/A/k101'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'flags': ['NOTNULL']|null|7",
                "'metadata': {'orestes.min': '5'}|4|5",
                "'type': '/db/Double', 'metadata': {'orestes.max': '5'}|6|5",
            })
    void changeField_constraintThatAnObjectViolates_isRefusedUntilItDoesNot(String change, String bad, String good) {
        define("Integer");
        put(REF, bad);
        String request = "{'operation': 'changeField', 'bucket': '/db/A', 'field': {'name': 'f', " + change + "}}";

        ApiException refusal = failureOf(merge(request));

        assertThat(refusal.code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(refusal.data()).contains(json("{'ids': ['/db/A/1']}"));
        put(REF, good);
        assertThat(await(merge(request)).get("A").ownField("f")).isPresent();
        assertThat(catchThrowableOfType(ApiException.class, () -> put(REF, bad)).code())
                .isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
    }

    @Test
    void changeField_ofASuperClassAndOfAnEmbeddedOne_convertsWhereverItIs() {
        await(
                merge(
                        """
                [{'class': '/db/Part', 'embedded': true, 'fields': {'n': {'type': '/db/Integer'}}},
                 {'class': '/db/Base', 'fields': {'parts': {'type': '/db/collection.Map[/db/String,/db/Part]'},
                    'n': {'type': '/db/Double'}}},
                 {'class': '/db/A', 'superClass': '/db/Base', 'fields': {'f': {'type': '/db/Part'}}}]
                """));
        put(REF, "{'n': 1}", "'parts': {'x': {'n': 2}}, 'n': 3");

        await(merge("[{'operation': 'changeField', 'bucket': '/db/Part',"
                + " 'field': {'name': 'n', 'type': '/db/Double'}},"
                + "{'operation': 'changeField', 'bucket': '/db/Base',"
                + " 'field': {'name': 'n', 'type': '/db/Integer'}}]"));

        BsonDocument wire = registry.codec().encode(await(store.find(REF)).orElseThrow());
        assertThat(wire.get("f", BsonNull.VALUE)).isEqualTo(json("{'n': 1.0}"));
        assertThat(wire.get("parts")).isEqualTo(json("{'x': {'n': 2.0}}"));
        assertThat(wire.get("n")).isEqualTo(json("3"));
    }

    /** A write that was checked by the old schema during the inspection must not bypass it. */
    @Test
    void changeField_writesBetweenInspectionAndConversion_haveToFit() {
        define("Double");
        put(REF, "1");
        List<ApiException> refusals = new ArrayList<>();
        AtomicInteger rewritings = new AtomicInteger();
        ObjectRef late = new ObjectRef("A", "2");
        registry = await(SchemaRegistry.open(new ForwardingStore(store) {
            @Override
            public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
                if (rewritings.incrementAndGet() != 2) {
                    return super.rewrite(rewrites, done);
                }
                refusals.add(catchThrowableOfType(
                        ApiException.class, () -> assertThat(fields("1.5", "")).isNotNull()));
                return store.replace(late, fields("2", ""), Precondition.none(), Principal.SERVER)
                        .compose(written -> super.rewrite(rewrites, done));
            }
        }));

        change("Integer", "");

        assertThat(refusals).extracting(ApiException::code).containsExactly(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(read(late)).isEqualTo(json("2"));
    }

    @Test
    void changeField_inspectionFailsOnce_isDoneAgain() {
        define("Double");
        put(REF, "1");
        AtomicInteger rewritings = new AtomicInteger();
        registry = await(SchemaRegistry.open(new ForwardingStore(store) {
            @Override
            public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
                return rewritings.incrementAndGet() == 1
                        ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "busy"))
                        : super.rewrite(rewrites, done);
            }
        }));

        change("Integer", "");

        assertThat(read(REF)).isEqualTo(json("1"));
    }

    @Test
    void changeField_uniqueIndex_hasToGoFirst() {
        define("Double");
        IndexSpec unique = IndexSpec.ascending("f").asUnique();
        await(store.createIndex("A", unique));

        assertThat(failureOf(merge(request("Integer", ""))).message()).contains("unique index on f");
        await(store.dropIndex("A", unique));
        change("Integer", "");
    }

    /** Servers of a group can do this while others write. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Integer|Double|7",
                "A|Object|'/db/A/1'",
                "collection.Set[/db/Integer]|collection.List[/db/Integer]|[2,1]",
                "collection.List[/db/A]|collection.List[/db/Object]|['/db/A/1']",
                "collection.Map[/db/A,/db/A]|collection.Map[/db/Object,/db/Object]|{'/db/A/1':'/db/A/2'}",
            })
    void changeField_widerTypeOfTheSameForm_looksAtNoObject(String from, String to, String value) {
        define(from);
        put(REF, value);
        registry = await(SchemaRegistry.open(store, ClassDataHandler.withoutCaches(store), busyPeers()));

        change(to, "");

        assertThat(await(store.find(REF)).orElseThrow().version()).isEqualTo(1);
        assertThat(read(REF)).isEqualTo(json(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Date|DateTime",
                "collection.List[/db/Integer]|collection.List[/db/Double]",
                "Double|Integer",
            })
    void changeField_anotherForm_needsTheStoreForItself(String from, String to) {
        define(from);
        registry = await(SchemaRegistry.open(store, ClassDataHandler.withoutCaches(store), busyPeers()));

        assertThat(failureOf(merge(request(to, ""))).message()).isEqualTo("not now");
    }

    /** A value stored as an Integer counts as a Double in all later operations. */
    @Test
    void changeField_integersThatBecameDoubles_areTakenAsDoubles() {
        define("Integer");
        put(REF, "7");
        IndexSpec unique = IndexSpec.ascending("f").asUnique();
        await(store.createIndex("A", unique));

        change("Double", "");

        assertThat(failureOf(store.insert(new ObjectRef("A", "2"), fields("7.0", "")))
                        .code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        await(store.dropIndex("A", unique));
        assertThat(failureOf(merge(bounded("8"))).data()).contains(json("{'ids': ['/db/A/1']}"));
        assertThat(await(merge(bounded("6.5"))).find("A")).isPresent();
        assertThat(failureOf(merge(request("String", ""))).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        change("Integer", ", 'metadata': {}");
        assertThat(read(REF)).isEqualTo(json("7"));
    }

    private static String bounded(String least) {
        return "{'operation': 'changeField', 'bucket': '/db/A', 'field':"
                + " {'name': 'f', 'metadata': {'orestes.min': '" + least + "'}}}";
    }

    /**
     * Returns the coordination of a group in which another server changes stored objects all the
     * time.
     */
    private static SchemaCoordination busyPeers() {
        return new SchemaCoordination() {
            @Override
            public Future<SchemaLock> acquireLock() {
                return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "not now"));
            }

            @Override
            public void requireConnected() {}

            @Override
            public Future<Void> publishChange() {
                return Future.succeededFuture();
            }
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/db/User|username|'type': '/db/Integer'",
                "/db/A|nope|'type': '/db/Integer'",
                "/db/A|f|'type': '/db/Nope'",
                "/db/A|f|'type': '/db/collection.List[/db/Integer]'",
                "/db/A|part|'type': '/db/JsonObject'",
                "/db/B|f|'type': '/db/Double'",
            })
    void changeField_invalidChange_isRefused(String bucket, String name, String change) {
        await(
                merge(
                        """
                [{'class': '/db/Part', 'embedded': true},
                 {'class': '/db/A', 'fields': {'f': {'type': '/db/Integer'}, 'part': {'type': '/db/Part'}}},
                 {'class': '/db/B', 'superClass': '/db/A'}]
                """));
        String request = "{'operation': 'changeField', 'bucket': '%s', 'field': {'name': '%s', %s}}"
                .formatted(bucket, name, change);

        assertThat(failureOf(merge(request)).code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
    }

    @Test
    void changeField_withPermissionToAddOnly_isRefused() {
        apply("{'class': '/db/A', 'fields': {'f': {'type': '/db/Integer'}}, 'acl': {'schemaAdd':"
                + " {'/db/User/ann': 'allow'}}}");

        assertThat(failureOf(registry.merge(json(request("Double", "")), TestSchemas.ANN))
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void changeField_membersLeftOut_stay() {
        apply("{'class': '/db/A', 'fields': {'f': {'type': '/db/Integer', 'order': 7, 'metadata': {'k': 'v'}}}}");

        FieldSchema changed =
                await(merge(request("Double", ""))).get("A").ownField("f").orElseThrow();

        assertThat(changed.order()).isEqualTo(7);
        assertThat(changed.metadata()).isEqualTo(Map.of("k", "v"));
    }

    private void define(String type) {
        apply("{'class': '/db/A', 'fields': {'f': {'type': '/db/" + type + "'}}}");
    }

    private void change(String type, String more) {
        apply(request(type, more));
    }

    private static String request(String type, String more) {
        return "{'operation': 'changeField', 'bucket': '/db/A', 'field': {'name': 'f', 'type': '/db/%s'}%s}"
                .formatted(type, more);
    }

    private void apply(String request) {
        assertThat(await(merge(request)).classes()).isNotEmpty();
    }

    private Future<Schema> merge(String request) {
        return registry.merge(json(request), Principal.SERVER);
    }

    /** Repeats the rewriting, as after a crash in the middle. */
    private void rewriteAgain(String from, String to) {
        Schema before = TestSchemas.with("{'class': '/db/A', 'fields': {'f': {'type': '/db/" + from + "'}}}");
        Schema after = TestSchemas.with("{'class': '/db/A', 'fields': {'f': {'type': '/db/" + to + "'}}}");
        await(store.rewrite(new DataMigration(before, after, List.of()).rewrites(), () -> {}));
    }

    private void put(ObjectRef ref, String value) {
        put(ref, value, "");
    }

    private void put(ObjectRef ref, String value, String more) {
        StoredObject stored = await(store.replace(ref, fields(value, more), Precondition.none(), Principal.SERVER));
        assertThat(stored.version()).isPositive();
    }

    /** Returns the stored form, if the current schema accepts it. */
    private BsonDocument fields(String value, String more) {
        BsonDocument body = object("{'f': " + value + (more.isEmpty() ? "" : ", " + more) + "}");
        return registry.codec().decode(registry.current().get("A"), body);
    }

    private BsonValue read(ObjectRef ref) {
        return json(JsonWriter.print(
                registry.codec().encode(await(store.find(ref)).orElseThrow()).get("f", BsonNull.VALUE)));
    }
}

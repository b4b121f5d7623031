package io.orestes.schema.change;

import static io.orestes.schema.TestSchemas.BUILT_IN;
import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.merged;
import static io.orestes.schema.TestSchemas.with;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.ClassOperation;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.support.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that change the schema concurrently. */
class SchemaCrdtTest extends EmptyStoreFixture {

    private static final List<String> TYPES = List.of(
            "Integer",
            "Double",
            "String",
            "Date",
            "DateTime",
            "A",
            "B",
            "E",
            "collection.List[/db/Integer]",
            "collection.Set[/db/Double]",
            "collection.List[/db/E]",
            "collection.Map[/db/A,/db/B]");

    static LongStream seeds() {
        return Scope.seeds(200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void join_anyOrderGroupingAndRepetition_isTheSame(long seed) {
        Random random = new Random(seed);
        List<SchemaCrdt> states = IntStream.range(0, 5)
                .mapToObj(i -> grown(random, SchemaCrdt.of(0, BUILT_IN, Set.of()), 4))
                .toList();
        SchemaCrdt expected = states.stream().reduce(SchemaCrdt::join).orElseThrow();

        List<SchemaCrdt> shuffled = new ArrayList<>(states);
        shuffled.addAll(states.subList(0, 3));
        Collections.shuffle(shuffled, random);
        SchemaCrdt left = shuffled.stream().reduce(SchemaCrdt::join).orElseThrow();
        Collections.reverse(shuffled);
        SchemaCrdt right =
                shuffled.stream().reduce((one, other) -> other.join(one)).orElseThrow();
        SchemaCrdt grouped = states.get(0)
                .join(states.get(1))
                .join(states.get(2).join(states.get(3).join(states.get(4))));

        assertThat(List.of(text(left), text(right), text(grouped), text(expected.join(expected))))
                .containsOnly(text(expected));
        assertThat(left.schema().descriptors()).isEqualTo(expected.schema().descriptors());
        states.forEach(state -> assertThat(text(state.join(expected))).isEqualTo(text(expected)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void after_changeThatOnlyAdds_staysInItsEpochAndIsTheRequestedOne(long seed) {
        Schema before =
                grown(new Random(seed), SchemaCrdt.of(0, BUILT_IN, Set.of()), 4).schema();
        SchemaCrdt state = SchemaCrdt.of(3, before, Set.of());

        Schema after = merged(before, "{'class': '/db/Z', 'fields': {'z': {'type': '/db/Z'}}}", Principal.SERVER);

        assertThat(state.after(after, Set.of()).epoch()).isEqualTo(3);
        assertThat(state.after(after, Set.of()).schema().isSameAs(after)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'class': '/db/New'}|true",
                "{'class': '/db/A', 'fields': {'m': {'type': '/db/String'}}}|true",
                "{'operation': 'changeField', 'bucket': '/db/A', 'field': {'name': 'n', 'type': '/db/Double'}}|true",
                "{'operation': 'changeField', 'bucket': '/db/A', 'field': {'name': 'n', 'type': '/db/String'}}|false",
                "{'operation': 'renameField', 'bucket': '/db/A', 'from': 'n', 'to': 'm'}|false",
                "{'operation': 'removeField', 'bucket': '/db/A', 'name': 'n'}|false",
                "{'operation': 'removeClass', 'bucket': '/db/A'}|false",
                "{'operation': 'updateClassAcl', 'bucket': '/db/A', 'acl': {'schemaAdd': {}}}|false",
            })
    void after_changeThatIsNoGrowth_beginsAnotherEpoch(String change, boolean isGrowth) {
        Schema before = with("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");

        SchemaCrdt after = SchemaCrdt.of(0, before, Set.of()).after(merged(before, change, Principal.SERVER), Set.of());

        assertThat(after.epoch()).isEqualTo(isGrowth ? 0 : 1);
    }

    /** A caller with a permission on one side only must not have it afterwards. */
    @Test
    void join_sameClassWithDifferentPermissions_grantsWhatBothGrant() {
        SchemaCrdt one = state("{'class': '/db/A', 'acl': {'load': {'/db/User/1': 'allow', '/db/User/2': 'allow'},"
                + " 'query': {'/db/User/1': 'allow'}}}");
        SchemaCrdt other = state("{'class': '/db/A', 'acl': {'load': {'/db/User/2': 'allow'},"
                + " 'query': {'/db/User/2': 'allow'}, 'insert': {'/db/User/3': 'deny'}}}");

        ClassSchema joined = one.join(other).schema().get("A");

        assertThat(joined.permission(ClassOperation.LOAD)).isEqualTo(Permission.only("/db/User/2"));
        assertThat(joined.permission(ClassOperation.QUERY)).isEqualTo(Permission.only(Principal.ADMIN_ROLE));
        assertThat(joined.permission(ClassOperation.INSERT).denied()).containsExactly("/db/User/3");
    }

    /** Additions of two servers, and the result. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // the wider type
                "{'class': '/db/X', 'fields': {'f': {'type': '/db/Integer'}}}"
                        + "|{'class': '/db/X', 'fields': {'f': {'type': '/db/Double'}}}|X.f: /db/Double",
                // no type is wider: one of them
                "{'class': '/db/X', 'fields': {'f': {'type': '/db/String'}}}"
                        + "|{'class': '/db/X', 'fields': {'f': {'type': '/db/Boolean'}}}|X.f: /db/String",
                // the field of the super class
                "{'class': '/db/Base', 'fields': {'f': {'type': '/db/Boolean'}}}"
                        + "|{'class': '/db/Sub', 'superClass': '/db/Base', 'fields': {'f': {'type': '/db/String'}}}"
                        + "|Base.f: /db/Boolean",
                // an entity class rather than an embedded one
                "{'class': '/db/X', 'embedded': true}|{'class': '/db/X', 'fields': {'f': {'type': '/db/X'}}}"
                        + "|X.f: /db/X",
            })
    void schema_contradictions_areDecidedAlikeEverywhere(String one, String other, String expected) {
        Schema base = with("{'class': '/db/Base'}");
        SchemaCrdt left = SchemaCrdt.of(0, merged(base, one, Principal.SERVER), Set.of());
        SchemaCrdt right = SchemaCrdt.of(0, merged(base, other, Principal.SERVER), Set.of());

        Schema joined = left.join(right).schema();

        assertThat(joined.classes().stream()
                        .filter(type -> BUILT_IN.find(type.name()).isEmpty())
                        .flatMap(type -> type.fields().stream()
                                .map(field -> type.name() + "." + field.name() + ": "
                                        + field.type().ref())))
                .containsExactly(expected);
        assertThat(right.join(left).schema().descriptors()).isEqualTo(joined.descriptors());
    }

    @Test
    void schema_classesThatDeriveFromEachOther_deriveFromObject() {
        Schema base = with("[{'class': '/db/A'}, {'class': '/db/B'}]");
        String more = "[{'class': '/db/C', 'superClass': '/db/D'}, {'class': '/db/D'}]";
        String less = "[{'class': '/db/D', 'superClass': '/db/C'}, {'class': '/db/C'}]";

        Schema joined = SchemaCrdt.of(0, merged(base, more, Principal.SERVER), Set.of())
                .join(SchemaCrdt.of(0, merged(base, less, Principal.SERVER), Set.of()))
                .schema();

        assertThat(joined.get("C").superClass()).contains("Object");
        assertThat(joined.get("D").superClass()).contains("Object");
    }

    /** Neither server has received the other's change when it makes its own. */
    @Test
    void merge_twoServersOnOneStoreAddAtTheSameTime_loseNothing() {
        SchemaRegistry here = await(SchemaRegistry.open(store));
        SchemaRegistry there = await(SchemaRegistry.open(store));

        change(here, "[{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}, {'class': '/db/Mine'}]");
        change(there, "{'class': '/db/A', 'fields': {'n': {'type': '/db/Double'}, 'm': {'type': '/db/String'}}}");
        Schema after = await(here.refresh());

        assertThat(after.find("Mine")).isPresent();
        assertThat(after.get("A").fields())
                .extracting(field -> field.name() + field.type().ref())
                .containsExactlyInAnyOrder("n/db/Double", "m/db/String");
        assertThat(there.current().isSameAs(after)).isTrue();
        assertThat(await(SchemaRegistry.open(store)).current().isSameAs(after)).isTrue();
    }

    /**
     * The addition could not have been requested after the other one, since its sender knows the
     * narrower type.
     */
    @Test
    void merge_fieldWidenedByAnotherServerAtTheSameTime_isStillAdded() {
        SchemaRegistry here = await(SchemaRegistry.open(store));
        change(here, "{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");
        SchemaRegistry there = await(SchemaRegistry.open(store));

        change(here, "{'operation': 'changeField', 'bucket': '/db/A', 'field': {'name': 'n', 'type': '/db/Double'}}");
        change(there, "{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}, 'm': {'type': '/db/String'}}}");

        assertThat(there.current().get("A").fields())
                .extracting(field -> field.name() + field.type().ref())
                .containsExactlyInAnyOrder("n/db/Double", "m/db/String");
    }

    @Test
    void merge_contradictsWhatAnotherServerDidAtTheSameTime_isRefused() {
        SchemaRegistry here = await(SchemaRegistry.open(store));
        SchemaRegistry there = await(SchemaRegistry.open(store));
        change(here, "{'class': '/db/A', 'fields': {'n': {'type': '/db/String'}}}");

        ApiException refusal = failureOf(
                there.merge(json("{'class': '/db/A', 'fields': {'n': {'type': '/db/Boolean'}}}"), Principal.SERVER));

        assertThat(refusal.code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
        assertThat(there.current().isSameAs(here.current())).isTrue();
    }

    @Test
    void merge_anotherServerMadeACoordinatedChange_isAppliedToItsResult() {
        SchemaRegistry here = await(SchemaRegistry.open(store));
        change(here, "{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}");
        SchemaRegistry there = await(SchemaRegistry.open(store));

        change(here, "{'operation': 'removeField', 'bucket': '/db/A', 'name': 'n'}");
        change(there, "{'class': '/db/Late'}");

        assertThat(there.current().find("Late")).isPresent();
        assertThat(there.current().get("A").fields()).isEmpty();
    }

    /**
     * A change that meets a concurrent one is joined with it. So the result is the join of all
     * changes, in any order.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void mergeGrowth_statesOfOneEpoch_keepsAllOfBothOrIsNone(long seed) {
        Random random = new Random(seed);
        SchemaCrdt one = grown(random, SchemaCrdt.of(0, BUILT_IN, Set.of()), 3);
        SchemaCrdt other = grown(random, SchemaCrdt.of(0, BUILT_IN, Set.of()), 3);

        Optional<SchemaCrdt> both = one.mergeGrowth(other);

        assertThat(both.map(SchemaCrdtTest::text))
                .isEqualTo(other.mergeGrowth(one).map(SchemaCrdtTest::text));
        both.map(SchemaCrdt::schema).ifPresent(joined -> Stream.of(one.schema(), other.schema())
                .forEach(asked -> asked.classes().forEach(type -> assertThat(joined.fields(joined.get(type.name())))
                        .extracting(FieldSchema::name)
                        .containsAll(asked.fields(type).stream()
                                .map(FieldSchema::name)
                                .toList()))));
    }

    private static void change(SchemaRegistry registry, String request) {
        assertThat(await(registry.merge(json(request), Principal.SERVER)).classes())
                .isNotEmpty();
    }

    private static SchemaCrdt state(String request) {
        return SchemaCrdt.of(0, with(request), Set.of());
    }

    /**
     * Returns the state of a server after some additions, of which it refuses those that contradict
     * earlier ones.
     */
    private static SchemaCrdt grown(Random random, SchemaCrdt start, int changes) {
        SchemaCrdt state = start;
        for (int i = 0; i < changes; i++) {
            try {
                Schema after = merged(state.schema(), addition(random), Principal.SERVER);
                state = state.after(after, Set.of("m" + random.nextInt(3)));
            } catch (ApiException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);
            }
        }
        assertThat(state.epoch()).isZero();
        return state;
    }

    private static String addition(Random random) {
        List<String> names = List.of("A", "B", "C", "E");
        String name = names.get(random.nextInt(names.size()));
        String field = "'f%d': {'type': '/db/%s', 'order': %d}"
                .formatted(random.nextInt(3), TYPES.get(random.nextInt(TYPES.size())), random.nextInt(3));
        String superClass = random.nextInt(3) == 0 ? names.get(random.nextInt(3)) : "Object";
        boolean isEmbedded = name.equals("E") && random.nextInt(3) > 0;
        return ("[{'class': '/db/%s', 'fields': {%s}, %s, 'metadata': {'k': '%d'},"
                        + " 'acl': {'load': {'/db/User/%d': 'allow'}}}%s]")
                .formatted(
                        name,
                        field,
                        isEmbedded ? "'embedded': true" : "'superClass': '/db/" + superClass + "'",
                        random.nextInt(3),
                        random.nextInt(3),
                        others(names, name));
    }

    /**
     * Returns the other classes that may be named beside it, so that most additions are accepted.
     */
    private static String others(List<String> names, String but) {
        StringBuilder others = new StringBuilder();
        names.stream()
                .filter(name -> !name.equals(but))
                .forEach(name -> others.append(", {'class': '/db/").append(name).append("'}"));
        return others.toString().replace("'/db/E'", "'/db/E', 'embedded': true");
    }

    private static String text(SchemaCrdt state) {
        return state.appendTo(new BsonDocument()).toJson();
    }
}

package io.orestes.write;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.orestes.caching.Caches;
import io.orestes.caching.TestCaches;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.Batch;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Root and Bea are admins, Ann is not. */
final class AdminLockoutGuardTest extends EmptyStoreFixture {

    private static final ObjectRef ROOT = new ObjectRef("User", "1");
    private static final ObjectRef BEA = new ObjectRef("User", "bea");
    private static final ObjectRef CY = new ObjectRef("User", "cy");
    private static final ObjectRef ADMIN = new ObjectRef("Role", "1");
    private static final Precondition ANYHOW = Precondition.none();
    private static final String INACTIVE = "{'$set': {'inactive': true}}";

    private static final int ROUNDS = Scope.rounds(1_000);

    private static final Batch.InsertOperation RECORD =
            new Batch.InsertOperation(new ObjectRef("_commits", "one"), new BsonDocument(), 0);

    private final Caches caches = TestCaches.on(InstantSource.system());
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);

    private WritePipeline writes;

    @BeforeEach
    void createAdmins() {
        writes = pipeline(store);
        create(ROOT, "{'username': 'root', 'inactive': false}");
        create(BEA, "{'username': 'bea', 'inactive': false}");
        create(new ObjectRef("User", "ann"), "{'username': 'ann', 'inactive': false}");
        for (String key : List.of("2", "3", "team")) {
            create(new ObjectRef("Role", key), "{'name': 'r', 'users': []}");
        }
        create(ADMIN, "{'name': 'admin', 'users': ['/db/User/1', '/db/User/bea']}");
    }

    private WritePipeline pipeline(ObjectStore over) {
        return new WritePipeline(
                await(SchemaRegistry.open(store)),
                over,
                new WritePublisher(over, caches.invalidator(), matching, written -> {}));
    }

    private void create(ObjectRef ref, String fields) {
        assertThat(await(store.insert(ref, object(fields)))).isNotNull();
    }

    @AfterEach
    void stopMatching() {
        await(matching.close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/db/User/1", "/db/Role/1", "/db/Role/2", "/db/Role/3"})
    void delete_ofWhatIsBuiltIn_isRefusedToAdminsToo(String id) {
        ObjectRef ref = ObjectRef.parse(id).orElseThrow();
        WriteRequest deletion = new WriteRequest.DeleteRequest(ref, ANYHOW);

        assertRefused(delete(ref), "is built in");
        assertRefused(() -> writes.write(Principal.SERVER, deletion), "is built in");
        assertRefused(
                () -> writes.commit(Principal.SERVER, List.of(), List.of(deletion), checked -> RECORD), "is built in");
        assertThat(await(store.find(ref))).isPresent();
    }

    @Test
    void delete_ofOtherUsersAndRoles_succeeds() {
        await(delete(BEA).begin());
        await(delete(new ObjectRef("User", "ann")).begin());
        await(delete(new ObjectRef("Role", "team")).begin());

        assertThat(await(store.find(BEA))).isEmpty();
    }

    @Test
    void delete_ofTheLastActiveAdmin_isRefused() {
        await(writes.update(Principal.SERVER, ROOT, object(INACTIVE), ANYHOW));

        assertRefused(delete(BEA), "nobody could");
        assertThat(await(store.find(BEA))).isPresent();
    }

    @Test
    void update_thatMakesTheLastActiveAdminInactive_isRefused() {
        await(writes.update(Principal.SERVER, BEA, object(INACTIVE), ANYHOW));

        assertRefused(() -> writes.update(Principal.SERVER, ROOT, object(INACTIVE), ANYHOW), "nobody could");
        assertRefused(
                () -> writes.replace(Principal.SERVER, ROOT, object("{'username': 'root', 'inactive': true}"), ANYHOW),
                "nobody could");
        await(writes.update(Principal.SERVER, ROOT, object("{'$set': {'username': 'chief'}}"), ANYHOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'users': []}", "{'users': null}", "{'users': ['/db/User/nobody']}"})
    void replace_ofTheRoleAdmin_keepsAnActiveMember(String role) {
        assertRefused(() -> writes.replace(Principal.SERVER, ADMIN, object(role), ANYHOW), "nobody could");
        assertRefused(() -> writes.put(ADMIN, object(role), Precondition.none()), "nobody could");
        await(writes.replace(Principal.SERVER, ADMIN, object("{'users': ['/db/User/bea']}"), ANYHOW));
    }

    @Test
    void update_ofTheRoleAdmin_removesMembersButTheLast() {
        await(writes.update(Principal.SERVER, ADMIN, without("/db/User/1"), ANYHOW));

        assertRefused(() -> writes.update(Principal.SERVER, ADMIN, without("/db/User/bea"), ANYHOW), "nobody could");
    }

    /** A caller that may not write it must not learn whether it is the last one. */
    @Test
    void delete_ofTheLastAdminWithoutPermission_isRefusedAsOfAnyOther() {
        ObjectRef own = new ObjectRef("User", "own");
        create(own, "{'username': 'own', 'acl': {'write': {'/db/User/own': 'allow'}}}");
        await(writes.replace(Principal.SERVER, ADMIN, object("{'users': ['/db/User/own']}"), ANYHOW));

        assertRefused(() -> writes.delete(ANN, own, ANYHOW), "Write permissions are required");
    }

    @Test
    void commit_thatMakesAllAdminsInactive_isRefused() {
        List<WriteRequest> both = List.of(inactive(ROOT), inactive(BEA));

        assertRefused(() -> writes.commit(Principal.SERVER, List.of(), both, checked -> RECORD), "nobody could");
        assertThat(activeAdmins()).containsExactlyInAnyOrder(ROOT, BEA);
    }

    @Test
    void commit_thatReplacesAnAdmin_succeeds() {
        List<WriteRequest> both =
                List.of(inactive(ROOT), new WriteRequest.UpdateRequest(ADMIN, List.of(without("/db/User/1")), ANYHOW));

        assertThat(await(writes.commit(Principal.SERVER, List.of(), both, checked -> RECORD)))
                .extracting(WriteOutcome::ref)
                .containsExactly(ROOT, ADMIN);
        assertThat(activeAdmins()).containsExactly(BEA);
    }

    @Test
    void update_ofAnAdminByAnOutdatedVersion_isRefusedLikeThatOfAnybody() {
        ApiException refusal =
                failureOf(writes.update(Principal.SERVER, BEA, object(INACTIVE), new Precondition.ExactVersion(7)));

        assertThat(refusal.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(refusal.message()).isEqualTo("The object /db/User/bea is out of date");
        assertThat(refusal.data()).isEmpty();
    }

    static Stream<Precondition> conditions() {
        return Stream.of(new Precondition.ObjectExists(), new Precondition.ExactVersion(1));
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void update_ofAnAdminWhoIsDeletedMeanwhile_isNotFoundLikeThatOfAnybody(Precondition condition) {
        ApiException refusal =
                failureOf(whereBeaIsDeletedMeanwhile().update(Principal.SERVER, BEA, object(INACTIVE), condition));

        assertThat(refusal.code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(refusal.message()).isEqualTo("There is no object /db/User/bea");
    }

    @ParameterizedTest
    @MethodSource("conditions")
    void otherWrites_ofAnAdminWhoIsDeletedMeanwhile_areOutOfDateLikeThoseOfAnybody(Precondition condition) {
        WritePipeline late = whereBeaIsDeletedMeanwhile();
        BsonDocument inactive = object("{'username': 'bea', 'inactive': true}");

        ApiException deletion = failureOf(late.delete(Principal.SERVER, BEA, condition));
        create(BEA, "{'username': 'bea', 'inactive': false}");
        ApiException replacement = failureOf(late.replace(Principal.SERVER, BEA, inactive, condition));

        assertThat(deletion.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(replacement.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(replacement.message()).isEqualTo("The object is out of date: /db/User/bea is not there");
    }

    /**
     * Returns a pipeline in which each commit follows a deletion of Bea that its check did not see.
     */
    private WritePipeline whereBeaIsDeletedMeanwhile() {
        return pipeline(new ForwardingStore(store) {
            @Override
            public Future<List<WriteOutcome>> commit(Batch batch) {
                return store.delete(BEA, ANYHOW, Principal.SERVER).compose(gone -> super.commit(batch));
            }
        });
    }

    /** Ways in which a user ceases to be an active admin. */
    private enum Exit {
        UPDATE,
        REPLACE,
        IMPORT,
        DELETION,
        ROLE,
        TRANSACTION
    }

    @Test
    void exits_ofTwoAdminsAtTheSameMoment_oneSucceeds() {
        Exit[] exits = Exit.values();
        for (int round = 0; round < ROUNDS; round++) {
            reset();
            Exit first = exits[round % exits.length];
            Exit second = exits[round / exits.length % exits.length];

            List<Future<?>> attempts = List.of(leave(BEA, first), leave(CY, second));
            awaitAll(attempts);

            assertThat(attempts.stream().filter(Future::succeeded))
                    .as("%s and %s", first, second)
                    .hasSize(1);
            assertThat(attempts.stream().filter(Future::failed))
                    .allMatch(attempt -> failureOf(attempt).code() == ErrorCode.PERMISSION_DENIED);
            assertThat(activeAdmins()).hasSize(1);
        }
    }

    /**
     * Cy is no admin when the deactivation begins, and may be the only one when it is committed.
     */
    @ParameterizedTest
    @EnumSource(
            value = Exit.class,
            names = {"ROLE"},
            mode = EnumSource.Mode.EXCLUDE)
    void exit_whileTheUserBecomesTheOnlyAdmin_oneSucceeds(Exit exit) {
        for (int round = 0; round < ROUNDS / 20; round++) {
            reset();
            await(store.replace(ADMIN, object("{'users': ['/db/User/bea']}"), ANYHOW, Principal.SERVER));

            List<Future<?>> attempts = List.of(
                    leave(CY, exit),
                    writes.replace(Principal.SERVER, ADMIN, object("{'users': ['/db/User/cy']}"), ANYHOW));
            awaitAll(attempts);

            assertThat(attempts.stream().filter(Future::succeeded)).hasSize(1);
            assertThat(activeAdmins()).hasSize(1);
        }
    }

    @Test
    void truncate_whileAUserBecomesTheOnlyAdmin_leavesAnAdmin() {
        for (int round = 0; round < ROUNDS / 20; round++) {
            reset();
            await(store.replace(ADMIN, object("{'users': ['/db/User/bea']}"), ANYHOW, Principal.SERVER));

            awaitAll(List.of(
                    writes.truncate("User"),
                    writes.replace(Principal.SERVER, ADMIN, object("{'users': ['/db/User/cy']}"), ANYHOW)));

            assertThat(activeAdmins()).hasSize(1);
        }
    }

    /** Makes Bea and Cy the admins. */
    private void reset() {
        awaitAll(List.of(
                put(ADMIN, "{'users': ['/db/User/bea', '/db/User/cy']}"),
                put(BEA, "{'username': 'bea', 'inactive': false}"),
                put(CY, "{'username': 'cy', 'inactive': false}")));
    }

    private Future<?> put(ObjectRef ref, String fields) {
        return store.replace(ref, object(fields), ANYHOW, Principal.SERVER);
    }

    private Future<?> leave(ObjectRef user, Exit exit) {
        BsonDocument inactive = object("{'username': '" + user.key() + "', 'inactive': true}");
        return switch (exit) {
            case UPDATE -> writes.update(Principal.SERVER, user, object(INACTIVE), ANYHOW);
            case REPLACE -> writes.replace(Principal.SERVER, user, inactive, ANYHOW);
            case IMPORT -> writes.put(user, inactive, ANYHOW);
            case DELETION -> writes.delete(Principal.SERVER, user, ANYHOW);
            case ROLE -> writes.update(Principal.SERVER, ADMIN, without(user.id()), ANYHOW);
            case TRANSACTION ->
                writes.commit(Principal.SERVER, List.of(), List.of(inactive(user)), checked -> newRecord());
        };
    }

    private static WriteRequest inactive(ObjectRef user) {
        return new WriteRequest.UpdateRequest(user, List.of(object(INACTIVE)), ANYHOW);
    }

    private static Batch.InsertOperation newRecord() {
        return new Batch.InsertOperation(
                new ObjectRef("_commits", UUID.randomUUID().toString()), new BsonDocument(), 0);
    }

    private List<ObjectRef> activeAdmins() {
        return await(store.find(ADMIN)).orElseThrow().document().getArray("users").stream()
                .map(member -> ObjectRef.parse(member.asString().getValue()).orElseThrow())
                .flatMap(member -> await(store.find(member)).stream())
                .filter(user -> !user.document().getBoolean("inactive").getValue())
                .map(StoredObject::ref)
                .toList();
    }

    @Test
    void truncate_ofUsersAndRoles_leavesAdminsAndWhatIsBuiltIn() {
        assertThat(await(writes.truncate("User"))).isEqualTo(1);
        assertThat(await(writes.truncate("Role"))).isEqualTo(1);

        assertThat(keys("User")).containsExactly("/db/User/1", "/db/User/bea");
        assertThat(keys("Role")).containsExactly("/db/Role/1", "/db/Role/2", "/db/Role/3");
    }

    private List<String> keys(String bucket) {
        return await(store.scan(bucket, "", 10)).stream()
                .map(object -> object.ref().id())
                .toList();
    }

    private Attempt delete(ObjectRef ref) {
        return () -> writes.delete(Principal.SERVER, ref, ANYHOW);
    }

    private static BsonDocument without(String user) {
        return object("{'$remove': {'users': '" + user + "'}}");
    }

    private interface Attempt {
        Future<?> begin();
    }

    private static void assertRefused(Attempt attempt, String reason) {
        ApiException refusal = failureOf(Future.succeededFuture().compose(now -> attempt.begin()));
        assertThat(refusal.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal.message()).contains(reason);
    }
}

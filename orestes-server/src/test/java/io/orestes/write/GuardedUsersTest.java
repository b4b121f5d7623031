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
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.DocumentRewrite;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write preserves what only admins change, and a replace creates no user that it must not create.
 */
final class GuardedUsersTest extends EmptyStoreFixture {

    private static final ObjectRef USER = new ObjectRef("User", "ann");
    private static final ObjectRef ROLE = new ObjectRef("Role", "team");

    private final Caches caches = TestCaches.on(InstantSource.system());
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);

    private WritePipeline writes;

    @BeforeEach
    void createAnn() {
        SchemaRegistry schemas = await(SchemaRegistry.open(store));
        await(schemas.merge(
                object("{'class': '/db/User', 'fields': {'nick': {'type': '/db/String'}}}"), Principal.SERVER));
        writes = new WritePipeline(
                schemas, store, new WritePublisher(store, caches.invalidator(), matching, written -> {}));
        await(store.insert(USER, object("{'username': 'ann', 'inactive': false}")));
    }

    @AfterEach
    void stopMatching() {
        await(matching.close());
    }

    @Test
    void replace_byTheUser_keepsNameAndState() {
        StoredObject stored = await(replace(ANN, "{'username': 'root', 'inactive': true, 'nick': 'a'}"));

        assertThat(stored.document())
                .containsAllEntriesOf(object("{'username': 'ann', 'inactive': false, 'nick': 'a'}"));
    }

    @Test
    void replace_byAdmin_changesNameAndState() {
        StoredObject stored = await(replace(Principal.SERVER, "{'username': 'anna', 'inactive': true}"));

        assertThat(stored.document()).containsAllEntriesOf(object("{'username': 'anna', 'inactive': true}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "null", "'\\u0007bell'"})
    void write_byAdminOfAnImpossibleName_isRefused(String name) {
        BsonDocument user = object("{'username': " + name + ", 'inactive': false}");
        List<Supplier<Future<StoredObject>>> attempts = List.of(
                () -> replace(Principal.SERVER, user.toJson()),
                () -> replace(Principal.SERVER, "{}"),
                () -> update(Principal.SERVER, "{'$set': {'username': " + name + "}}"),
                () -> writes.put(USER, user, Precondition.none()));

        for (Supplier<Future<StoredObject>> attempt : attempts) {
            Future<StoredObject> refused = Future.succeededFuture().compose(begun -> attempt.get());
            assertThat(failureOf(refused).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
        assertThat(await(store.find(USER)).orElseThrow().document()).containsEntry("username", new BsonString("ann"));
    }

    /** The user was stored before names were checked. */
    @Test
    void update_byAdminOfAUserWithoutName_leavesTheNameAsItIs() {
        await(store.replace(USER, object("{'username': null}"), Precondition.none(), Principal.SERVER));

        StoredObject stored = await(update(Principal.SERVER, "{'$set': {'nick': 'a'}}"));

        assertThat(stored.document()).containsEntry("nick", new BsonString("a"));
    }

    /** A state that an admin sets must not be undone by a write of the user that began before. */
    @Test
    void replace_whileAnAdminDeactivates_neverUndoesIt() {
        List<Future<StoredObject>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writes.add(replace(ANN, "{'nick': '" + i + "'}"));
            if (i == 4) {
                writes.add(replace(Principal.SERVER, "{'username': 'ann', 'inactive': true}"));
            }
        }
        awaitAll(writes);

        assertThat(writes).allMatch(Future::succeeded);
        StoredObject last = await(store.find(USER)).orElseThrow();
        assertThat(last.version()).isEqualTo(12);
        assertThat(last.document()).containsEntry("inactive", BsonBoolean.TRUE);
    }

    @Test
    void update_byTheUser_keepsNameAndState() {
        StoredObject stored = await(update(
                ANN,
                "{'$set': {'username': 'root', 'acl.read': {'/db/User/ann': 'allow'}},"
                        + " '$rename': {'inactive': 'inactive'}}"));

        assertThat(stored.document()).containsAllEntriesOf(object("{'username': 'ann', 'inactive': false}"));
        assertThat(stored.acl().read().allowed()).containsExactly("/db/User/ann");
        assertThat(await(update(Principal.SERVER, "{'$set': {'username': 'anna'}}"))
                        .document()
                        .getString("username")
                        .getValue())
                .isEqualTo("anna");
    }

    @Test
    void replace_withAVersion_stillMeansThatVersion() {
        List<Future<StoredObject>> writes = IntStream.range(0, 8)
                .mapToObj(i -> replace(ANN, USER, "{}", new Precondition.ExactVersion(1)))
                .toList();
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::succeeded)).hasSize(1);
        assertThat(writes.stream().filter(Future::failed))
                .allMatch(write -> failureOf(write).code() == ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void replace_ofAUserThatIsNotThere_isRefusedWhoeverAsks() {
        ObjectRef nobody = new ObjectRef("User", "nobody");

        for (Principal principal : List.of(ANN, Principal.SERVER)) {
            assertThat(failureOf(replace(principal, nobody, "{'username': 'bo'}", Precondition.none()))
                            .message())
                    .contains("are not allowed");
            assertThat(failureOf(replace(principal, nobody, "{'username': 'bo'}", new Precondition.ObjectExists()))
                            .code())
                    .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        }
        assertThat(await(store.find(nobody))).isEmpty();
    }

    @Test
    void insertUser_whileUsersAreRewritten_waitsLikeOtherWrites() {
        CountDownLatch begun = new CountDownLatch(1);
        Future<Void> rewriting = store.rewrite(Map.of("User", new WaitingRewrite(begun)), () -> {});

        Future<StoredObject> user = writes.insertUser(
                ANN,
                new ObjectRef("User", "bob"),
                object("{'nick': 'b'}"),
                stored -> stored.append("username", new BsonString("bob")));
        begun.countDown();

        assertThat(await(user).document()).containsAllEntriesOf(object("{'username': 'bob', 'nick': 'b'}"));
        await(rewriting);
    }

    /** A rewrite that changes nothing, and waits for its release. */
    private record WaitingRewrite(CountDownLatch begun) implements DocumentRewrite {

        @Override
        public BsonDocument fields(BsonDocument stored) {
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
            return stored;
        }

        @Override
        public String path(String indexed) {
            return indexed;
        }
    }

    @Test
    void replace_ofARoleThatIsNotThere_isForAdmins() {
        assertThat(failureOf(replace(ANN, ROLE, "{}", Precondition.none())).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);

        assertThat(await(replace(Principal.SERVER, ROLE, "{}", Precondition.none()))
                        .version())
                .isEqualTo(1);
        assertThat(await(replace(ANN, ROLE, "{}", Precondition.none())).version())
                .isEqualTo(2);
    }

    private Future<StoredObject> replace(Principal principal, String fields) {
        return replace(principal, USER, fields, Precondition.none());
    }

    private Future<StoredObject> replace(Principal principal, ObjectRef ref, String fields, Precondition precondition) {
        return writes.replace(principal, ref, object(fields), precondition).map(WriteResult::stored);
    }

    private Future<StoredObject> update(Principal principal, String operations) {
        return writes.update(principal, USER, object(operations), Precondition.none())
                .map(WriteResult::stored);
    }
}

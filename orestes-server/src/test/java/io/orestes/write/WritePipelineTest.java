package io.orestes.write;

import static io.orestes.schema.TestSchemas.ANN;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
import io.orestes.caching.Caches;
import io.orestes.caching.TestCaches;
import io.orestes.caching.response.TestResponses;
import io.orestes.caching.ttl.Ttls;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.UpdateFunction;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of the stages, over the real store, caches and grid. Every stage that can be observed
 * records its name and whether the response from before the write was still served at that moment.
 */
final class WritePipelineTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final BsonDocument VALID = object("{'text': 'new'}");
    private static final BsonDocument INVALID = object("{'nothing': 'like that'}");
    private static final Ttls TTLS = new Ttls(60, 60);

    private final Vertx vertx = Vertx.vertx();
    private final Caches caches = TestCaches.on(InstantSource.system());
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private final List<String> stages = new CopyOnWriteArrayList<>();
    private final ObjectStore store;
    private final SchemaRegistry schemas;
    private final WritePipeline writes;

    WritePipelineTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        schemas = await(SchemaRegistry.open(store));
        writes = pipeline(new RecordingStore());
    }

    @BeforeEach
    void watchACachedObject() {
        merge("{'class': '/db/Todo', 'fields': {'text': {'type': '/db/String'}}}");
        insert(REF);
        matching.listen(
                (match, allowance) -> note("matched " + match.type().name().toLowerCase(Locale.ROOT)));
        Filter all = Filter.ALL;
        assertThat(await(matching.acquire(MatchQuery.of("Todo", all), () -> store.query(StoreQuery.all("Todo", all)))))
                .isNotNull();
    }

    @AfterEach
    void tearDown() {
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }

    @Test
    void replace_allowedAndValid_isCommittedThenInvalidatedThenMatchedThenAnswered() {
        WriteResult writeResult =
                await(writes.replace(ANN, REF, VALID, Precondition.none()).onSuccess(done -> note("answered")));

        assertThat(writeResult.stored().version()).isEqualTo(2);
        assertThat(stages)
                .containsExactly(
                        "committed, old copy served",
                        "announced, old copy served",
                        "matched change, old copy absent",
                        "answered, old copy absent");
    }

    @Test
    void update_allowed_takesTheSameStages() {
        StoredObject stored = await(writes.update(ANN, REF, object("{'$set': {'text': 'new'}}"), Precondition.none())
                        .onSuccess(done -> note("answered")))
                .stored();

        assertThat(stored.version()).isEqualTo(2);
        assertThat(stored.document().getString("text").getValue()).isEqualTo("new");
        assertThat(stages)
                .containsExactly(
                        "committed, old copy served",
                        "announced, old copy served",
                        "matched change, old copy absent",
                        "answered, old copy absent");
    }

    @Test
    void update_withoutPermissionOrForm_isRefusedAndNotCommitted() {
        BsonDocument bad = object("{'$inc': {'text': 1}}");
        assertRefused(ErrorCode.BAD_REQUEST, () -> writes.update(ANN, REF, bad, Precondition.none()));
        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'update': {'/db/Role/1': 'allow'}}}");

        assertRefused(ErrorCode.PERMISSION_DENIED, () -> writes.update(ANN, REF, bad, Precondition.none()));
    }

    @Test
    void update_whoseResultBreaksAConstraint_isRefusedAndNotCommitted() {
        merge("{'class': '/db/Todo', 'fields': {'stars': {'type': '/db/Integer', 'metadata': {'orestes.max': '5'}}}}");
        stages.clear();

        Future<WriteResult> write = writes.update(ANN, REF, object("{'$inc': {'stars': 6}}"), Precondition.none());

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(stages).isEmpty();
        assertThat(await(store.find(REF)).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void update_fieldIsRemovedAfterTheCheck_isCheckedAgainAndRefused() {
        ObjectStore late = new ForwardingStore(store) {
            @Override
            public Future<StoredObject> update(
                    ObjectRef ref,
                    UpdateFunction updateFunction,
                    long schemaEpoch,
                    Precondition precondition,
                    Principal writer) {
                return removeText()
                        .compose(removed -> super.update(ref, updateFunction, schemaEpoch, precondition, writer));
            }
        };

        Future<WriteResult> write =
                pipeline(late).update(ANN, REF, object("{'$set': {'text': 'new'}}"), Precondition.none());

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
    }

    @Test
    void delete_allowed_takesTheSameStages() {
        await(writes.delete(ANN, REF, Precondition.none()).onSuccess(done -> note("answered")));

        assertThat(stages)
                .containsExactly(
                        "committed, old copy served",
                        "announced, old copy served",
                        "matched remove, old copy absent",
                        "answered, old copy absent");
    }

    @Test
    void insert_newObject_isMatchedAsAnAddition() {
        StoredObject inserted = await(writes.insert(ANN, "Todo", VALID)).stored();

        assertThat(await(store.find(inserted.ref()))).contains(inserted);
        assertThat(stages)
                .containsExactly(
                        "committed, old copy served", "announced, old copy served", "matched add, old copy served");
    }

    @Test
    void insert_saysNothingOfHowOftenTheObjectChanges_andAReplaceDoes() {
        StoredObject inserted = await(writes.insert(ANN, "Todo", VALID)).stored();
        String id = inserted.ref().id();
        Ttls longest = caches.reads().ttls().objectTtl("/db/Todo/never-written");
        assertThat(caches.reads().ttls().objectTtl(id)).isEqualTo(longest);

        StoredObject replaced = await(writes.replace(ANN, inserted.ref(), VALID, Precondition.none()))
                .stored();

        assertThat(replaced.version()).isEqualTo(2);
        assertThat(caches.reads().ttls().objectTtl(id).sharedSeconds()).isLessThan(longest.sharedSeconds());
    }

    @Test
    void replace_thatChangesNoCachedResult_saysSo() {
        assertThat(await(writes.replace(ANN, REF, VALID, Precondition.none())).resultsUnchangedFor())
                .isNotNull();
        assertThat(await(writes.insert(ANN, "Todo", VALID)).resultsUnchangedFor())
                .isNotNull();
    }

    @Test
    void replace_thatChangesACachedResult_doesNotSaySo() {
        matching.listen((match, allowance) -> caches.invalidator().queryChanged("/db/Todo/query?"));

        assertThat(await(writes.replace(ANN, REF, VALID, Precondition.none())).resultsUnchangedFor())
                .isNull();
    }

    @Test
    void write_withoutPermission_isRefusedBeforeItsBodyIsLookedAt() {
        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'insert': {'/db/Role/1': 'allow'},"
                + "'update': {'/db/Role/1': 'allow'}, 'delete': {'/db/Role/1': 'allow'}}}");

        assertRefused(ErrorCode.PERMISSION_DENIED, () -> writes.insert(ANN, "Todo", INVALID));
        assertRefused(
                ErrorCode.PERMISSION_DENIED, () -> writes.replace(ANN, REF, INVALID, new Precondition.ObjectExists()));
        assertRefused(ErrorCode.PERMISSION_DENIED, () -> writes.delete(ANN, REF, Precondition.none()));
    }

    @Test
    void replace_thatMayInsert_takesTheRightToInsertToo() {
        merge("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'insert': {'/db/Role/1': 'allow'}}}");

        assertRefused(ErrorCode.PERMISSION_DENIED, () -> writes.replace(ANN, REF, VALID, Precondition.none()));

        assertThat(await(writes.replace(ANN, REF, VALID, new Precondition.ObjectExists()))
                        .stored()
                        .version())
                .isEqualTo(2);
    }

    @Test
    void write_invalidBody_isNotCommitted() {
        assertRefused(ErrorCode.INVALID_TYPE_VALUE, () -> writes.insert(ANN, "Todo", INVALID));
        assertRefused(
                ErrorCode.INVALID_TYPE_VALUE,
                () -> writes.replace(ANN, REF, INVALID, new Precondition.ExactVersion(9)));
        assertRefused(
                ErrorCode.BAD_REQUEST,
                () -> writes.replace(ANN, REF, object("{'id': '/db/Todo/b'}"), Precondition.none()));
    }

    @Test
    void write_notCommitted_reachesNeitherCachesNorQueries() {
        assertRefused(
                ErrorCode.OBJECT_OUT_OF_DATE, () -> writes.replace(ANN, REF, VALID, new Precondition.ExactVersion(9)));
        assertRefused(ErrorCode.OBJECT_OUT_OF_DATE, () -> writes.delete(ANN, REF, new Precondition.ExactVersion(9)));
        assertRefused(ErrorCode.OBJECT_EXISTS, () -> writes.insert(ANN, "Todo", object("{'id': '/db/Todo/a'}")));
    }

    @Test
    void delete_ofNothing_succeedsAndPublishesNothing() {
        await(writes.delete(ANN, new ObjectRef("Todo", "none"), Precondition.none()));

        assertThat(stages).containsExactly("committed, old copy served");
    }

    @Test
    void replace_publicationFails_isAnsweredAllTheSame() {
        await(matching.close());

        StoredObject stored =
                await(writes.replace(ANN, REF, VALID, Precondition.none())).stored();

        assertThat(await(store.find(REF))).contains(stored);
        assertThat(stages).containsExactly("committed, old copy served", "announced, old copy served");
        assertThat(isServed(REF)).isFalse();
    }

    @Test
    void truncate_class_invalidatesAndMatchesEveryObject() {
        insert(new ObjectRef("Todo", "b"));

        assertThat(await(writes.truncate("Todo"))).isEqualTo(2);

        assertThat(await(store.count("Todo", Filter.ALL))).isZero();
        assertThat(Stream.of(REF, new ObjectRef("Todo", "b")))
                .allMatch(this::isStale)
                .noneMatch(this::isServed);
        assertThat(stages)
                .filteredOn(stage -> stage.startsWith("matched remove"))
                .hasSize(2);
    }

    @Test
    void truncate_failsHalfway_invalidatesAndMatchesWhatIsDeletedAndNothingElse() {
        ObjectRef kept = new ObjectRef("Todo", "b");
        insert(kept);

        ApiException failure = failureOf(pipeline(new FailingHalfway()).truncate("Todo"));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(isStale(REF)).isTrue();
        assertThat(isServed(REF)).isFalse();
        assertThat(isStale(kept)).isFalse();
        assertThat(isServed(kept)).isTrue();
        assertThat(stages)
                .filteredOn(stage -> stage.startsWith("matched remove"))
                .hasSize(1);
    }

    private WritePipeline pipeline(ObjectStore over) {
        return new WritePipeline(
                schemas, over, new WritePublisher(over, caches.invalidator(), matching, outcome -> note("announced")));
    }

    private void merge(String change) {
        assertThat(await(schemas.merge(object(change), Principal.SERVER))).isNotNull();
    }

    /** Inserts an object of which a browser and the server's cache have a copy. */
    private void insert(ObjectRef ref) {
        await(store.insert(ref, new BsonDocument()).compose(matching::publish));
        long ticket = caches.reads().issueTicket(ref.id());
        assertThat(caches.reads().admit(ref.id(), ticket, TTLS).result()).isTrue();
        caches.reads().put(ref.id(), ticket, TestResponses.of(1, TTLS, System.currentTimeMillis()));
    }

    private Future<?> removeText() {
        return schemas.merge(
                object("{'operation': 'removeField', 'bucket': '/db/Todo', 'name': 'text'}"), Principal.SERVER);
    }

    private void assertRefused(ErrorCode code, Supplier<Future<?>> write) {
        ApiException failure = failureOf(Future.succeededFuture().compose(begin -> write.get()));

        assertThat(failure.code()).isEqualTo(code);
        assertThat(stages).isEmpty();
        assertThat(isServed(REF)).isTrue();
        assertThat(await(store.find(REF)).orElseThrow().version()).isEqualTo(1);
    }

    /** The write waits between the schema and the store while the field is removed. */
    @Test
    void replace_fieldIsRemovedAfterTheCheck_isCheckedAgainAndLeavesNoValue() {
        ObjectStore late = new ForwardingStore(store) {
            @Override
            public Future<StoredObject> replace(
                    ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer) {
                return removeText().compose(removed -> super.replace(ref, fields, schemaEpoch, precondition, writer));
            }
        };

        Future<WriteResult> write = pipeline(late).replace(ANN, REF, VALID, Precondition.none());

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.INVALID_TYPE_VALUE);
        assertThat(await(store.find(REF)).orElseThrow().document()).doesNotContainKey("text");
    }

    @Test
    void insert_classIsBackAfterARenameAndItsRemoval_isTaken() {
        merge("{'operation': 'renameField', 'bucket': '/db/Todo', 'from': 'text', 'to': 'title'}");
        merge("{'operation': 'removeClass', 'bucket': '/db/Todo'}");
        merge("{'class': '/db/Todo', 'fields': {'text': {'type': '/db/String'}}}");

        StoredObject stored =
                await(writes.replace(ANN, REF, VALID, Precondition.none())).stored();

        assertThat(stored.document().getString("text").getValue()).isEqualTo("new");
    }

    private void note(String stage) {
        stages.add(stage + (isServed(REF) ? ", old copy served" : ", old copy absent"));
    }

    private boolean isServed(ObjectRef ref) {
        return caches.reads().lookup(ref.id()).isPresent();
    }

    private boolean isStale(ObjectRef ref) {
        return caches.staleKeys().snapshot().filter().contains(ref.id());
    }

    /** Records each commit before any later stage. */
    private final class RecordingStore extends ForwardingStore {

        private RecordingStore() {
            super(store);
        }

        /**
         * Records a commit by a mapping, which is part of the chain; a listener may run after the
         * next stage.
         */
        private <T> Future<T> committed(Future<T> write) {
            return write.map(done -> {
                note("committed");
                return done;
            });
        }

        @Override
        public Future<StoredObject> insert(ObjectRef ref, BsonDocument fields, long schemaEpoch) {
            return committed(super.insert(ref, fields, schemaEpoch));
        }

        @Override
        public Future<StoredObject> replace(
                ObjectRef ref, BsonDocument fields, long schemaEpoch, Precondition precondition, Principal writer) {
            return committed(super.replace(ref, fields, schemaEpoch, precondition, writer));
        }

        @Override
        public Future<StoredObject> update(
                ObjectRef ref,
                UpdateFunction updateFunction,
                long schemaEpoch,
                Precondition precondition,
                Principal writer) {
            return committed(super.update(ref, updateFunction, schemaEpoch, precondition, writer));
        }

        @Override
        public Future<Optional<Tombstone>> delete(
                ObjectRef ref, long schemaEpoch, Precondition precondition, Principal writer) {
            return committed(super.delete(ref, schemaEpoch, precondition, writer));
        }
    }

    /** A store that deletes one object and then fails. */
    private final class FailingHalfway extends ForwardingStore {

        private FailingHalfway() {
            super(store);
        }

        @Override
        public Future<Void> truncate(String bucket, long schemaEpoch, Consumer<List<Tombstone>> deleted) {
            return delete(REF, Precondition.none(), Principal.SERVER).compose(gone -> {
                deleted.accept(List.of(gone.orElseThrow()));
                return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The disk is full"));
            });
        }
    }
}

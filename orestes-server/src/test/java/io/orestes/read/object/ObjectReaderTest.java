package io.orestes.read.object;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.caching.Caches;
import io.orestes.caching.ManualClock;
import io.orestes.caching.TestCaches;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Number of store reads, over the real store and caches. */
final class ObjectReaderTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");

    private static final Principal MEMBER = new Principal(Set.of("/db/User/1", "/db/Role/7"), false);
    private static final Principal STRANGER = new Principal(Set.of("/db/User/2", "/db/Role/8"), false);

    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();
    private final Caches caches = TestCaches.on(clock);
    private final ObjectStore store;
    private final DelayedStore held;
    private final SchemaRegistry schemas;
    private final ObjectReader reader;

    ObjectReaderTest(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        held = new DelayedStore(store);
        schemas = await(SchemaRegistry.open(store));
        reader = new ObjectReader(
                new ReaderDependencies(schemas, held, new JsonRenderer(schemas), ConsistencyDefaults.NONE, clock),
                caches.reads());
    }

    @BeforeEach
    void createObject() {
        assertThat(await(schemas.merge(
                        object("{'class': '/db/Todo', 'fields': {'n': {'type': '/db/Integer'}}}"), Principal.SERVER)))
                .isNotNull();
        assertThat(await(store.insert(REF, object("{'n': 1}"))).version()).isEqualTo(1);
    }

    @AfterEach
    void tearDown() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void load_freshByManyAtOnce_asksTheStoreForOneAtATime() {
        var answers = Stream.generate(() -> reader.load(Principal.ANONYMOUS, REF, true))
                .limit(50)
                .toList();
        assertThat(held.finds).hasValue(1);
        held.gate.complete();

        assertThat(await(Future.all(answers)).<ReadResult>list())
                .allSatisfy(answer -> assertThat(answer.response().version()).isEqualTo(1));
        assertThat(held.finds).hasValue(2);
    }

    @Test
    void load_fresh_isALinearizableRead() {
        held.gate.complete();

        assertThat(await(reader.load(Principal.ANONYMOUS, REF, false)).source())
                .isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(await(reader.load(Principal.ANONYMOUS, REF, true)).source())
                .isEqualTo(ReadResult.ResponseSource.BYPASS);

        assertThat(held.levels).containsExactly(ReadLevel.COMMITTED, ReadLevel.LINEARIZABLE);
    }

    @Test
    void load_protectedObjectAgain_asksThePermissionAndNotTheStore() {
        held.gate.complete();
        write("{'read': {'/db/Role/7': 'allow'}, 'write': {}}");

        assertThat(source(MEMBER)).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(source(MEMBER)).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(held.finds).hasValue(1);
        assertThatThrownBy(() -> source(STRANGER)).hasMessageContaining("There is no object");
        assertThatThrownBy(() -> source(Principal.ANONYMOUS)).hasMessageContaining("There is no object");
        assertThat(held.finds).hasValue(3);
    }

    @Test
    void load_protectedObjectAfterItsReadersChanged_isForTheNewOnes() {
        held.gate.complete();
        write("{'read': {'/db/Role/7': 'allow'}, 'write': {}}");
        assertThat(source(MEMBER)).isEqualTo(ReadResult.ResponseSource.MISS);

        write("{'read': {'/db/Role/8': 'allow'}, 'write': {}}");

        assertThatThrownBy(() -> source(MEMBER)).hasMessageContaining("There is no object");
        assertThat(source(STRANGER)).isEqualTo(ReadResult.ResponseSource.MISS);
    }

    @Test
    void load_objectOfAProtectedClass_isFromTheCacheForThoseOfTheClassOnly() {
        held.gate.complete();
        permit("/db/Role/7");
        assertThat(source(MEMBER)).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(source(MEMBER)).isEqualTo(ReadResult.ResponseSource.HIT);

        assertThat(caches.reads().lookup(REF.id())).isEmpty();
        assertThatThrownBy(() -> source(STRANGER)).hasMessageContaining("/db/Todo");
        permit("/db/Role/8");
        assertThatThrownBy(() -> source(MEMBER)).hasMessageContaining("/db/Todo");
        assertThat(source(STRANGER)).isEqualTo(ReadResult.ResponseSource.HIT);
    }

    private ReadResult.ResponseSource source(Principal principal) {
        return await(reader.load(principal, REF, false)).source();
    }

    /** Writes as the write path does. */
    private void write(String acl) {
        assertThat(await(store.replace(
                        REF,
                        object("{'n': 1, 'acl': " + acl + "}"),
                        store.schemaEpoch(REF.bucket()),
                        Precondition.none(),
                        Principal.SERVER)))
                .isNotNull();
        caches.invalidator().objectWritten(REF.id());
    }

    private void permit(String role) {
        assertThat(await(schemas.merge(
                        object("{'operation': 'updateClassAcl', 'bucket': '/db/Todo', 'acl': {'load': {'" + role
                                + "': 'allow'}}}"),
                        Principal.SERVER)))
                .isNotNull();
    }

    /** Counts look-ups, and delays all of them until the gate is open. */
    private static final class DelayedStore extends ForwardingStore {

        private final AtomicInteger finds = new AtomicInteger();
        private final Queue<ReadLevel> levels = new ConcurrentLinkedQueue<>();
        private final Promise<Void> gate = Promise.promise();

        private DelayedStore(ObjectStore target) {
            super(target);
        }

        @Override
        public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
            finds.incrementAndGet();
            levels.add(level);
            return gate.future().compose(open -> super.find(ref, level));
        }
    }
}

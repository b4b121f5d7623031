package io.orestes.schema;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassSchema;
import io.orestes.store.ForwardingStore;
import io.orestes.store.IndexSpec;
import io.orestes.store.UpdateFunction;
import io.vertx.core.Future;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClassIndexServiceTest extends EmptyStoreFixture {

    private static final ClassSchema ROLE = TestSchemas.BUILT_IN.entity("Role");
    private static final int OBJECTS = 2_000;

    @Test
    void dropAll_ofRoles_leavesTheOneThatFindsThoseOfAUser() {
        ClassIndexService indexes = new ClassIndexService(store);
        await(store.createIndex("Role", ClassIndexService.ROLE_MEMBERS));
        await(store.createIndex("Role", IndexSpec.ascending("name")));

        await(indexes.dropAll(ROLE));

        assertThat(await(store.indexes("Role"))).containsExactly(ClassIndexService.ROLE_MEMBERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{'users': 'asc'}, {'createdAt': 'asc'}, {'id': 'asc'}", "{'users': 'asc'}, {'createdAt': 'asc'}"
            })
    void drop_ofTheIndexAsItIsListed_leavesIt(String keys) {
        ClassIndexService indexes = new ClassIndexService(store);
        await(store.createIndex("Role", ClassIndexService.ROLE_MEMBERS));
        assertThat(await(indexes.list(ROLE)))
                .contains(object("{'keys': [{'users': 'asc'}, {'createdAt': 'asc'}, {'id': 'asc'}], 'unique': false}"));

        await(indexes.change(
                TestSchemas.BUILT_IN,
                ROLE,
                indexes.schemaEpoch("Role"),
                object("{'drop': true, 'keys': [" + keys + "]}")));

        assertThat(await(store.indexes("Role"))).containsExactly(ClassIndexService.ROLE_MEMBERS);
    }

    /**
     * The store makes changes one after the other and fills indexes in between, some objects at a
     * time. So a write that is requested by the change right behind the index delays the filling
     * after its first step.
     */
    @Test
    void list_indexBeingFilled_saysHowFarThatIs() throws InterruptedException {
        awaitAll(IntStream.range(0, OBJECTS)
                .mapToObj(i -> store.insert(role(i), object("{'name': 'n%d'}".formatted(i))))
                .toList());
        SlowUpdate before = new SlowUpdate();
        SlowUpdate between = new SlowUpdate();
        CountDownLatch declared = new CountDownLatch(1);
        ClassIndexService indexes = new ClassIndexService(new ForwardingStore(store) {
            @Override
            public Future<Void> createIndex(String bucket, IndexSpec keys, long schemaEpoch) {
                Future<Void> filled = super.createIndex(bucket, keys, schemaEpoch);
                Future<StoredObject> unused = change((stored, at) -> {
                    Future<StoredObject> unusedNext = change(between);
                    return new BsonDocument("name", new BsonString("other"));
                });
                declared.countDown();
                return filled;
            }
        });
        Future<StoredObject> first = change(before);
        before.awaitBegin();

        Future<Void> filled = indexes.change(
                TestSchemas.BUILT_IN,
                ROLE,
                indexes.schemaEpoch("Role"),
                object("{'keys': [{'name': 'asc'}], 'unique': false}"));
        assertThat(declared.await(30, TimeUnit.SECONDS)).isTrue();
        before.end();
        between.awaitBegin();
        BsonArray meanwhile = await(indexes.list(ROLE));
        between.end();

        BsonDocument listed = meanwhile.get(1).asDocument();
        assertThat(meanwhile).hasSize(2);
        assertThat(listed.getDouble("building").getValue()).isBetween(0.01, 0.99);
        listed.remove("building");
        assertThat(listed).isEqualTo(object("{'keys': [{'name': 'asc'}, {'id': 'asc'}], 'unique': false}"));
        await(first);
        await(filled);
        assertThat(await(indexes.list(ROLE))).hasSize(2).contains(listed).noneMatch(index -> index.asDocument()
                .containsKey("building"));
    }

    private Future<StoredObject> change(UpdateFunction updateFunction) {
        return store.update(role(0), updateFunction, store.schemaEpoch("Role"), Precondition.none(), Principal.SERVER);
    }

    private static ObjectRef role(int number) {
        return new ObjectRef("Role", "k" + number);
    }

    /** An update that signals its start, and waits for its release. */
    private static final class SlowUpdate implements UpdateFunction {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        private void awaitBegin() throws InterruptedException {
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        }

        private void end() {
            ended.countDown();
        }

        @Override
        public BsonDocument apply(BsonDocument stored, long at) {
            begun.countDown();
            assertThat(Uninterruptibles.awaitUninterruptibly(ended, 30, TimeUnit.SECONDS))
                    .isTrue();
            return new BsonDocument("name", new BsonString("other"));
        }
    }
}

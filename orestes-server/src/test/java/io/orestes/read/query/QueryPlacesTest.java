package io.orestes.read.query;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
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
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReadResult;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ManualClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class QueryPlacesTest extends EmptyStoreFixture {

    private static final String URL = "/v1/db/Todo/query?q=%7B%7D";

    private static final int PLACES = 2;
    private static final String CLOSED =
            "{'operation':'updateClassAcl','bucket':'/db/Todo','acl':" + "{'query':{'/db/Role/1':'allow'}}}";

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final Caches caches = TestCaches.on(clock);
    private final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    private final CachedQueryRegistry cached =
            new CachedQueryRegistry(vertx, caches.invalidator(), matching, PATIENCE, clock);
    private SchemaRegistry schemas;
    private QueryReader reader;

    @BeforeEach
    void openReader() {
        schemas = await(SchemaRegistry.open(store));
        schemas.onChange(change -> caches.administrator().classesChanged(change.withOutdatedCopies()));
        matching.listen((match, allowance) -> cached.accept(match));
        await(schemas.merge(
                json("{'class':'/db/Todo','fields':{'n':{'name':'n','type':'/db/Integer'}}}"), Principal.SERVER));
        reader = new QueryReader(
                new ReaderDependencies(schemas, store, new JsonRenderer(schemas), ConsistencyDefaults.NONE, clock),
                new QueryParser(schemas),
                caches.reads(),
                cached,
                new QueryConfig(100, PLACES, 1_000, 1_000, 10, false));
    }

    @AfterEach
    void stopMatching() {
        await(matching.close());
    }

    @Test
    void query_changedWhileAllPlacesAreTaken_keepsItsOwn() {
        assertThat(source("{'n': 1}")).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(source("{'n': 2}")).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(source("{'n': 2}")).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(cached.size()).isEqualTo(PLACES);

        write(1);

        assertThat(source("{'n': 1}")).isEqualTo(ReadResult.ResponseSource.MISS);
        assertThat(source("{'n': 1}")).isEqualTo(ReadResult.ResponseSource.HIT);
        assertThat(source("{'n': 3}")).isEqualTo(ReadResult.ResponseSource.BYPASS);
        assertThat(source("{'n': 3}")).isEqualTo(ReadResult.ResponseSource.BYPASS);
    }

    /**
     * A check of the permission before that would cache for the public what it may not read any
     * more.
     */
    @Test
    void query_classClosedBeforeTheTicketIsTaken_isRefused() {
        BsonDocument closing =
                new InterceptedFilter(object("{'n': 1}"), () -> schemas.merge(json(CLOSED), Principal.SERVER));

        ApiException failure = failureOf(query(closing));

        assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(caches.reads().lookup(reader.key(request(object("{'n': 1}")))))
                .isEmpty();
    }

    private ReadResult.ResponseSource source(String q) {
        return await(query(object(q))).source();
    }

    private Future<ReadResult> query(BsonDocument q) {
        return Future.succeededFuture().compose(begun -> reader.query(Principal.ANONYMOUS, request(q), options(false)));
    }

    private static QueryRequest request(BsonDocument q) {
        return new QueryRequest("Todo", q, new BsonDocument(), 0, -1, ResultForm.OBJECTS);
    }

    private void write(int n) {
        await(store.replace(
                        new ObjectRef("Todo", "a"), object("{'n': " + n + "}"), Precondition.none(), Principal.SERVER)
                .compose(matching::publish));
    }

    /** A filter that runs an action when it is first read. */
    private static final class InterceptedFilter extends BsonDocument {
        private final transient Supplier<Future<?>> step;
        private boolean isDone;

        private InterceptedFilter(BsonDocument filter, Supplier<Future<?>> step) {
            super();
            putAll(filter);
            this.step = step;
        }

        @Override
        public Set<Map.Entry<String, BsonValue>> entrySet() {
            if (!isDone) {
                isDone = true;
                var unused = await(step.get());
            }
            return super.entrySet();
        }
    }

    private static QueryFreshnessOptions options(boolean fresh) {
        return new QueryFreshnessOptions(fresh, false, URL);
    }
}

package io.orestes.app.module;

import io.orestes.app.config.ServerConfig;
import io.orestes.caching.ReadCache;
import io.orestes.http.data.ReadServices;
import io.orestes.read.object.BucketScanner;
import io.orestes.read.object.ObjectReader;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryReader;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.read.watch.ReadMetrics;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;

/** The readers of objects and queries, and the registry of queries with cached results. */
public record ReadModule(CachedQueryRegistry cachedQueries, ReadServices services) {

    static ReadModule create(Platform platform, DataModule data) {
        CachedQueryRegistry cachedQueries = new CachedQueryRegistry(
                platform.vertx(),
                data.caching().caches().invalidator(),
                data.matching().client(),
                platform.config().maxLag(),
                platform.steady());
        ReadMetrics.bind(platform.metrics().registry(), cachedQueries);
        QueryReader queries = queryReader(platform, data, cachedQueries);
        return new ReadModule(cachedQueries, services(platform, data, queries));
    }

    /** Invalidates all cached query results, because no change of them is known any more. */
    public void invalidateCachedQueries() {
        cachedQueries.invalidateAll();
    }

    private static QueryReader queryReader(Platform platform, DataModule data, CachedQueryRegistry cachedQueries) {
        ServerConfig config = platform.config();
        return new QueryReader(
                data.schema().registry(),
                data.schema().parser(),
                data.storage().store(),
                data.caching().caches().reads(),
                cachedQueries,
                data.schema().renderer(),
                config.query(),
                config.consistency(),
                platform.steady());
    }

    private static ReadServices services(Platform platform, DataModule data, QueryReader queries) {
        ServerConfig config = platform.config();
        SchemaModule schema = data.schema();
        SchemaRegistry registry = schema.registry();
        ObjectStore store = data.storage().store();
        ReadCache caches = data.caching().caches().reads();
        return new ReadServices(
                new ObjectReader(registry, store, caches, schema.renderer(), config.consistency(), platform.steady()),
                queries,
                new ReferenceExpander(
                        platform.vertx(), registry, store, queries, config.consistency(), config.maxDepth()),
                new ParameterizedQueryRepository(store, registry, schema.parser(), config.query()),
                new AggregateReader(
                        registry,
                        schema.parser(),
                        store,
                        schema.renderer(),
                        config.query(),
                        config.consistency(),
                        platform.clock()),
                new BucketScanner(store));
    }
}
